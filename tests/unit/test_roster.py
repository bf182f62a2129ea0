"""Each task keeps its key across snapshots, and each subject of a ledger finds its task."""

from __future__ import annotations

from collections.abc import Sequence

from tui.plan.binding import Binding
from tui.plan.directives import Base, Directive, Kind, Ledger, State, TaskRef
from tui.plan.model import Task
from tui.plan.roster import Roster, refs


def tasks(*texts: str) -> tuple[Task, ...]:
    return tuple(Task(text) for text in texts)


def keys(
    roster: Roster, *texts: str, kept: Sequence[str] = (), guarded: Sequence[str] = ()
) -> list[str]:
    found = roster.recognise(tasks(*texts)).tasks
    roster.adopt(found, guarded, kept)
    return [t.key for t in found]


class TestRoster:
    def test_keys_stay_and_new_tasks_get_fresh_ones(self) -> None:
        roster = Roster()
        a, b = keys(roster, "A", "B")
        assert keys(roster, "B", "C", "A")[::2] == [b, a]
        assert len({a, b, *keys(roster, "D")}) == 3

    def test_recognising_changes_nothing(self) -> None:
        roster = Roster()
        keys(roster, "A")
        assert roster.recognise(tasks("A", "B")) == roster.recognise(tasks("A", "B"))

    def test_a_key_is_never_given_twice(self) -> None:
        roster = Roster()
        seen = [keys(roster, f"unlike {n} {chr(97 + n) * 9}")[0] for n in range(20)]
        assert len(set(seen)) == 20

    def test_twins_keep_their_keys_when_their_order_is_ours(self) -> None:
        roster = Roster()
        first, fix, second = roster.recognise(tasks("Run", "Fix", "Run")).tasks
        roster.adopt((second, first, fix), (), ())
        assert [t.key for t in roster.recognise(tasks("Run", "Run", "Fix")).tasks] == [
            second.key,
            first.key,
            fix.key,
        ]

    def test_a_ghost_is_known_when_it_comes_back(self) -> None:
        roster = Roster()
        a, b = keys(roster, "A", "B")
        keys(roster, "B", kept=[a])
        assert keys(roster, "B", "A", kept=[a]) == [b, a]

    def test_a_task_that_nobody_decided_about_leaves_no_ghost(self) -> None:
        roster = Roster()
        a, _ = keys(roster, "A", "B")
        keys(roster, "B")
        assert keys(roster, "A")[0] != a

    def test_a_guarded_ghost_is_never_crowded_out(self) -> None:
        roster = Roster()
        many = keys(roster, *(f"anchor{n} word{n}" for n in range(80)), "Vetoed")
        keys(roster, "Vetoed", kept=many)
        keys(roster, "Other", kept=many, guarded=many[-1:])
        assert keys(roster, "Vetoed", kept=many, guarded=many[-1:]) == many[-1:]

    def test_the_latest_ghosts_are_kept(self) -> None:
        roster = Roster()
        first = keys(roster, *(f"early{n} word{n}" for n in range(60)))
        later = keys(roster, "Late", kept=first)
        kept = [*first, *later]
        keys(roster, kept=kept)
        assert keys(roster, "Late", kept=kept) == later


class TestBindingSubjects:
    def bind(self, ref: TaskRef, *texts: str, guarded: bool = False) -> str:
        roster = Roster()
        found = roster.recognise(tasks(*texts)).tasks
        roster.adopt(found, (), ())
        bound, self.doubts = roster.bind({"s": ref}, ["s"] if guarded else [], found)
        names = {t.key: i for i, t in enumerate(found)}
        return str(names.get(bound["s"], "ghost"))

    def test_by_wording_and_number(self) -> None:
        assert self.bind(TaskRef("Run", nth=1), "Run", "Fix", "Run") == "2"

    def test_by_id_when_the_wording_changed(self) -> None:
        roster = Roster()
        found = roster.recognise([Task("Write it", id="7"), Task("Read it", id="8")]).tasks
        roster.adopt(found, (), ())
        bound, _ = roster.bind({"s": TaskRef("Write that", "7")}, (), found)
        assert bound == {"s": found[0].key}

    def test_by_likeness(self) -> None:
        assert (
            self.bind(TaskRef("Write docs of parser"), "Ship", "Write the docs of the parser")
            == "1"
        )

    def test_which_twin_is_left_is_not_guessed(self) -> None:
        assert self.bind(TaskRef("Run", nth=1), "Run", "Fix", guarded=True) == "ghost"
        assert [d.content for d in self.doubts] == ["Run"]

    def test_one_lone_task_is_not_taken_for_a_missing_one(self) -> None:
        assert self.bind(TaskRef("Download the model"), "Deploy the model") == "ghost"

    def test_what_was_gone_is_not_found_by_likeness(self) -> None:
        ref = TaskRef("Write docs of parser", gone=True)
        assert self.bind(ref, "Ship", "Write the docs of the parser") == "ghost"
        assert self.bind(ref, "Ship", "Write docs of parser") == "1"

    def test_refs_count_equal_texts(self) -> None:
        found = (Task("x", key="a"), Task("y", key="b"), Task("x", "9", key="c"))
        assert refs(found, {"c"}) == {"a": TaskRef("x"), "c": TaskRef("x", None, 1)}
        assert refs(found, contents=["y"]) == {"b": TaskRef("y")}


def directive(name: str, kind: Kind, subject: str, **more: object) -> Directive:
    return Directive(name, kind, subject, 0.0, **more)  # type: ignore[arg-type]


class TestBinding:
    def bound(self, *directives: Directive, subjects: dict[str, TaskRef]) -> list[tuple[str, bool]]:
        binding = Binding()
        ledger = Ledger(directives, subjects)
        binding.adopt(binding.recognise(tasks("A", "B")).tasks, ledger)
        self.binding = binding
        return [(b.directive.id, b.directive.in_force) for b in binding.bound(ledger)]

    def test_of_two_subjects_for_one_task_the_latest_word_counts(self) -> None:
        subjects = {"s1": TaskRef("A"), "s2": TaskRef("A")}
        veto = directive("d1", Kind.VETO, "s1", written=True)
        hold = directive("d2", Kind.HOLD, "s2")
        assert self.bound(veto, hold, subjects=subjects) == [("d1", False), ("d2", True)]
        unwritten = directive("d1", Kind.VETO, "s1")
        assert self.bound(unwritten, hold, subjects=subjects) == [("d2", True)]

    def test_a_later_move_is_not_pulled_at_by_an_earlier_one(self) -> None:
        subjects = {"s1": TaskRef("A"), "s2": TaskRef("B")}
        first, second = (directive(f"d{i}", Kind.MOVE, f"s{i}") for i in (1, 2))
        self.bound(first, second, subjects=subjects)
        bounds = self.binding.bound(Ledger((first, second), subjects))
        assert [b.later for b in bounds] == [{bounds[1].key}, frozenset()]

    def test_an_addition_is_none_of_the_tasks_before_it_is_stored(self) -> None:
        subjects = {"s1": TaskRef("Write the docs of parsers")}
        add = directive("d1", Kind.ADD, "s1", text="Write the docs of parsers")
        binding = Binding()
        found = binding.recognise(tasks("Write docs of the parser", "B")).tasks
        binding.adopt(found, Ledger((add,), subjects))
        assert binding.subjects["s1"] not in {t.key for t in found}
        stored = directive("d1", Kind.ADD, "s1", written=True, state=State.STORED)
        other = Binding()
        found = other.recognise(tasks("Write docs of the parser", "B")).tasks
        other.adopt(found, Ledger((stored,), subjects))
        assert other.subjects["s1"] == found[0].key

    def test_names_out_of_date(self) -> None:
        subjects = {"s1": TaskRef("A"), "s2": TaskRef("B"), "s3": TaskRef("A", nth=1)}
        ledger = Ledger((), subjects)
        binding = Binding()
        a, b, twin = binding.recognise(tasks("A", "B", "A")).tasks
        binding.adopt((a, b, twin), ledger)
        assert binding.moved(ledger) == {}
        binding.adopt((twin, Task("B!", key=b.key)), ledger)
        assert binding.moved(ledger) == {
            "s1": TaskRef("A", nth=1, gone=True),
            "s2": TaskRef("B!"),
            "s3": TaskRef("A"),
        }

    def test_bases_get_subjects_for_their_keys(self) -> None:
        binding = Binding()
        found = binding.recognise(tasks("A", "B")).tasks
        ledger = Ledger((), {"s1": TaskRef("A")})
        binding.adopt(found, ledger)
        bases = {"d1": Base(after=found[0].key), "d2": Base(after=found[1].key), "d3": Base("x")}
        named, fresh = binding.name_bases(bases, lambda: "s9")
        assert named == {"d1": Base(after="s1"), "d2": Base(after="s9"), "d3": Base("x")}
        assert fresh == {"s9": TaskRef("B")}
        assert binding.subjects["s9"] == found[1].key
