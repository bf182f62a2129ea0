"""Random agents against a random user: nothing is lost, nobody argues for ever, undo is exact."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.memory_store import MemoryStore, task
from tui.acts import Act, Edge, Place, Verb
from tui.plan.directives import Kind, State
from tui.plan.model import Priority, Status, Task
from tui.session import Session

NOUNS = "parser lexer cache index socket schema router worker ledger bundle".split()
VERBS = "Write Delete Benchmark Rename Document Deploy".split()
STATUSES = ("pending", "pending", "pending", "in_progress", "completed", "cancelled")
ASIDE = " again"


class Agent:
    """Holds what the agent believes its plan to be; `true` names each task for the test."""

    def __init__(self, rng: random.Random, store: MemoryStore, own_mind: bool = False) -> None:
        self.rng, self.store = rng, store
        self.own_mind = own_mind  # never comes to what the user decided by itself
        self.fresh = 0
        self.plan: list[tuple[str, Task]] = []
        for _ in range(rng.randint(2, 7)):
            self.add()

    def add(self) -> None:
        self.fresh += 1
        name = f"{self.rng.choice(VERBS)} the {self.rng.choice(NOUNS)} of module{self.fresh * 7919}"
        if self.plan and not self.own_mind and self.rng.random() < 0.15:
            name = self.rng.choice(self.plan)[1].content  # a duplicate
        priority = self.rng.choice((None, "high", "medium", "low"))
        at = self.rng.randint(0, len(self.plan))
        self.plan.insert(at, (f"true{self.fresh}", task(name, "pending", priority)))

    def think(self) -> None:
        """Change some things, as agents do between two writes."""
        rng = self.rng
        for _ in range(rng.randint(0, 3)):
            match rng.randint(0, 6):
                case 0:
                    self.add()
                case 1 if len(self.plan) > 1:
                    self.plan.pop(rng.randrange(len(self.plan)))
                case 2 if not self.own_mind:
                    rng.shuffle(self.plan)
                case 3 if self.plan:
                    self._change(lambda t: replace(t, content=t.content + ASIDE))
                case _ if self.plan:
                    self._change(self._progress)
                case _:
                    pass

    def _progress(self, one: Task) -> Task:
        word = self.rng.choice(STATUSES[:5] if self.own_mind else STATUSES)
        return replace(one, status=Status(word), raw_status=word)

    def _change(self, how: Callable[[Task], Task]) -> None:
        at = self.rng.randrange(len(self.plan))
        true, old = self.plan[at]
        self.plan[at] = (true, how(old))

    def reread(self, names: dict[str, str], session: Session) -> None:
        """Take what is in the store for its own, the user's additions too."""
        keys = {key: true for true, key in names.items()}
        known = zip(session._tasks, self.store.held, strict=True)
        self.plan = [(keys.get(t.key, f"user {t.key}"), held) for t, held in known]

    def write(self) -> tuple[Task, ...]:
        tasks = tuple(t for _, t in self.plan)
        self.store.rewrite(*tasks, mtime=self.store.mtime)
        return tasks


class World:
    """One store, one agent, one pane, and a clock that only the test moves."""

    def __init__(self, seed: int, folder: Path, own_mind: bool = False) -> None:
        self.rng = random.Random(seed)
        self.now = 10_000.0
        self.store = MemoryStore()
        self.agent = Agent(self.rng, self.store, own_mind)
        self.folder = folder
        self.names: dict[str, str] = {}
        self.owner: dict[str, str] = {}
        self.turn(think=False)
        self.session = self.open()
        self.look()
        self.learn()

    def open(self) -> Session:
        def clock() -> float:
            return self.now

        return Session(self.store, self.folder, clock=clock, monotonic=clock)

    def look(self) -> None:
        self.session.look()

    def settle(self) -> None:
        for _ in range(6):
            self.now += 0.2
            self.look()

    def turn(self, think: bool = True) -> tuple[Task, ...]:
        self.now += self.rng.choice((0.5, 3.0, 20.0))
        self.store.mtime = self.now
        if think:
            self.agent.think()
        return self.agent.write()

    def learn(self) -> None:
        """Note which key each true task has; a key may be lost, and never goes to another task."""
        for (true, _), seen in zip(self.agent.plan, self.session._tasks, strict=True):
            if self.agent.own_mind:
                assert self.owner.setdefault(seen.key, true) == true, (seen.key, true, self.owner)
            self.names[true] = seen.key

    def act(self) -> None:
        rng, tasks = self.rng, self.session.tasks
        keys = [t.key for t in tasks]
        own = [key for key in keys if key in self.names.values()]
        verb = rng.choice(list(Verb))
        key = rng.choice(keys) if keys else ""
        place = rng.choice(
            [Place(edge=Edge.FIRST), Place(edge=Edge.LAST)]
            + ([Place(before=rng.choice(own)), Place(after=rng.choice(own))] if own else [])
        )
        priority = rng.choice((None, *Priority))
        text = f"Tell {rng.choice(NOUNS)} people about {rng.randint(0, 10**9)}"
        self.now += 0.3
        self.session.act(Act(verb, key, "why", priority, place, text))


def play(seed: int, turns: int, check: Callable[[World, tuple[Task, ...]], None]) -> World:
    with tempfile.TemporaryDirectory() as folder:
        world = World(seed, Path(folder))
        for _ in range(turns):
            for _ in range(world.rng.randint(0, 2)):
                world.act()
            if world.rng.random() < 0.3:
                world.settle()
                world.agent.reread(world.names, world.session)
            said = world.turn()
            world.look()
            world.learn()
            check(world, said)
            if world.rng.random() < 0.2:
                world.session.close()
                world.session = world.open()
                world.look()
        finish(world)
    return world


def finish(world: World) -> None:
    """When the agent stops the store is what the user wants, and nobody writes any more."""
    world.settle()
    writes = world.store.writes
    world.settle()
    assert world.store.writes == writes
    assert world.session.tasks == world.session._tasks
    assert not world.session.unstored
    # What is in the store is the wanted plan for a process that comes anew, too.
    again = world.open()
    again.look()
    world.now += 1
    again.look()
    assert world.store.writes == writes
    before = [(t.content, t.status, t.priority) for t in world.session.tasks]
    assert [(t.content, t.status, t.priority) for t in again.tasks] == before
    again.close()


def nothing_the_agent_said_is_lost(world: World, said: tuple[Task, ...]) -> None:
    """Every task that the agent wrote is still there, with what the user did not decide about."""
    world.settle()
    held = world.store.held
    steered = {(b.key, b.directive.kind) for b in world.session._steward.bound()}
    added = {
        b.directive.text for b in world.session._steward.bound() if b.directive.kind is Kind.ADD
    }
    lost = Counter(t.content for t in said) - Counter(t.content for t in held)
    assert not set(lost) - added
    more = Counter(t.content for t in held) - Counter(t.content for t in said)
    assert not set(more) - added
    touched = {kind for _, kind in steered}
    if not touched & {Kind.VETO, Kind.HOLD}:
        statuses = Counter((t.content, t.status) for t in said if t.content not in added)
        assert statuses <= Counter((t.content, t.status) for t in held)
    done = Counter(t.content for t in said if t.status is Status.COMPLETED)
    assert done <= Counter(t.content for t in held if t.status is Status.COMPLETED)


def nobody_argues_for_ever(seed: int) -> None:
    """An agent that always puts its own plan back is written against four times, and no more."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(seed, Path(folder))
        for _ in range(world.rng.randint(1, 4)):
            world.act()
        plan = tuple(t for _, t in world.agent.plan)
        acted = world.store.writes
        for _ in range(12):
            before = world.store.writes
            if world.store.held != plan:
                world.now += 1
                world.store.rewrite(*plan, mtime=world.now)
            world.settle()
            bound = [b.directive for b in world.session._steward.bound()]
            if world.store.writes == before:
                break
        assert world.store.writes == before
        decided = world.session._steward.ledger.directives
        assert world.store.writes - acted <= 4 * len(decided)
        asked = [d for d in bound if d.in_force and d.state is State.STORED]
        assert not asked or world.store.held == plan


def two_processes_agree(seed: int) -> None:
    """A pane and short-lived commands on one plan come to the same end, and to rest."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(seed, Path(folder))
        pane = world.session
        for _ in range(5):
            if world.rng.random() < 0.5:
                world.session = world.open()
                world.look()
            world.act()
            if world.session is not pane:
                world.session.close()
            world.session = pane
            if world.rng.random() < 0.5:
                world.settle()
            said = world.turn()
            nothing_the_agent_said_is_lost(world, said)
        finish(world)


QUICK = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@QUICK
@given(st.integers(0, 2**32))
def test_nothing_the_agent_said_is_lost_and_the_plan_comes_to_rest(seed: int) -> None:
    play(seed, 8, nothing_the_agent_said_is_lost)


def an_undo_of_everything(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(seed, Path(folder), own_mind=True)
        for _ in range(4):
            world.act()
            world.act()
            held = world.store.held
            said = world.turn()
            unheard = said == held  # by its bytes it is our own echo, and no statement
            world.look()
            world.learn()
            world.settle()
        for _ in range(world.rng.randint(0, 3)):
            world.act()
        while not world.session.act(Act(Verb.UNDO)).refused:
            world.now += 0.2
        world.settle()
        running = [t for t in said if t.status is Status.IN_PROGRESS]
        if len(running) > 1 or unheard:
            return
        assert sorted(map(repr, world.store.held)) == sorted(map(repr, said))
        moves = [d for d in world.session._steward.ledger.directives if d.kind is Kind.MOVE]
        if not moves:
            # An order of the agent's that agrees with a move is taken for the user's.
            assert world.store.held == said


@QUICK
@given(st.integers(0, 2**32))
def test_undoing_everything_gives_the_agents_own_plan_back(seed: int) -> None:
    an_undo_of_everything(seed)


@QUICK
@given(st.integers(0, 2**32))
def test_an_agent_that_always_reverts_is_left_alone_in_the_end(seed: int) -> None:
    nobody_argues_for_ever(seed)


@QUICK
@given(st.integers(0, 2**32))
def test_a_pane_and_commands_on_one_plan_agree(seed: int) -> None:
    two_processes_agree(seed)
