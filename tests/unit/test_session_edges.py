"""Where the user, the agent and other processes cross each other's way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.unit.desk import CHECK, DELETE, DOWNLOAD, LAUNCH, STORY, Desk, plan
from tests.unit.memory_store import task
from tui.acts import Act, Edge, Place, Verb
from tui.plan.directives import Kind, State
from tui.plan.model import Priority, Status
from tui.plan.transitions import Change
from tui.session import Session
from tui.steward import Steward
from tui.stores.json_file import JsonFile
from tui.view import Health, Reach


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, *plan("in_progress", "pending", "pending", "pending"))


class TestWriting:
    def test_a_touched_file_does_not_make_a_waiting_write_forgotten(self, desk: Desk) -> None:
        desk.store.fail = "the disk is full"
        desk.act(Verb.VETO, DELETE)
        desk.store.fail = ""
        desk.now += 1
        desk.store.rewrite(*desk.store.held, mtime=desk.now)
        assert desk.session.look() is None
        assert desk.session.due is not None
        desk.now += 10
        desk.session.look()
        assert desk.store.statuses()[1] == "cancelled"
        assert desk.session.due is None

    def test_a_file_being_written_is_read_again_soon(self, desk: Desk) -> None:
        desk.store.health = Health.BEING_WRITTEN
        desk.store.version += 1
        update = desk.session.look()
        assert update is not None
        assert update.view.health is Health.BEING_WRITTEN
        assert desk.session.due == pytest.approx(desk.now + 0.1)
        desk.now += 0.2
        desk.session.look()
        assert desk.session.due == pytest.approx(desk.now + 0.1)
        desk.store.health = Health.OK
        desk.now += 0.2
        desk.session.look()
        assert desk.session.due is None

    def test_busy_is_tried_again_with_growing_patience(self, desk: Desk) -> None:
        desk.store.busy = 3
        desk.act(Verb.VETO, DELETE)
        waits = []
        while desk.session.due is not None:
            waits.append(round(desk.session.due - desk.now, 2))
            desk.now = desk.session.due
            desk.session.look()
        assert waits == [0.3, 0.6, 1.2]
        assert desk.store.statuses()[1] == "cancelled"

    def test_what_the_store_cannot_hold_keeps_nothing_else_out(self, desk: Desk) -> None:
        desk.store.unspeakable = {DELETE}
        assert "no word" in desk.act(Verb.VETO, DELETE).unstored
        desk.act(Verb.VETO, LAUNCH)
        assert desk.store.statuses() == ["in_progress", "pending", "pending", "cancelled"]
        assert (desk.mark(DELETE), desk.mark(LAUNCH)) == (State.RECORDED, State.STORED)
        desk.store.unspeakable = set()
        desk.now += 100
        desk.session.look()
        assert desk.store.statuses()[1] == "cancelled"
        assert desk.session.unstored == ""

    def test_what_the_store_cannot_give_back_is_given_back_later(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        desk.store.unspeakable = {DELETE}
        desk.act(Verb.RESTORE, DELETE)
        assert desk.store.statuses()[1] == "cancelled"
        desk.store.unspeakable = set()
        desk.now += 100
        desk.session.look()
        assert desk.store.statuses()[1] == "pending"

    def test_a_clock_set_back_neither_stops_writing_nor_makes_times_negative(
        self, desk: Desk
    ) -> None:
        desk.agent(*plan("completed", "in_progress", "pending", "pending"))
        wall = 1000.0
        desk.session._clock = lambda: wall
        desk.now += 5
        desk.store.rewrite(*plan("completed", "completed", "in_progress", "pending"))
        desk.session.look()
        desk.now += 1
        desk.session.act(Act(Verb.VETO, desk.key(LAUNCH)))
        assert desk.store.statuses()[3] == "cancelled"
        rows = desk.session.view.rows
        assert all(r.took is None or r.took >= 0 for r in rows)


class TestWhoseWordItIs:
    def test_restore_gives_the_agents_latest_word(self, desk: Desk) -> None:
        desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.LOW)
        said = plan("in_progress", "pending", "pending", "pending")
        said[3] = task(LAUNCH, "pending", "medium")
        desk.agent(*said)
        assert desk.store.held[3].priority is Priority.LOW
        desk.act(Verb.PRIORITY, LAUNCH)
        assert desk.store.held == tuple(said)

    def test_restore_after_two_priorities_does_not_bring_back_the_first(self, desk: Desk) -> None:
        desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.LOW)
        desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.MEDIUM)
        desk.act(Verb.RESTORE, LAUNCH)
        assert desk.store.held[3].priority is Priority.HIGH
        assert desk.mark(LAUNCH) is None

    def test_what_the_agent_cancelled_by_itself_is_not_taken_back(self, desk: Desk) -> None:
        desk.store.fail = "the disk is full"
        desk.act(Verb.VETO, DELETE)
        desk.agent(*plan("completed", "cancelled", "in_progress", "pending"))
        assert desk.mark(DELETE) is State.ACKNOWLEDGED
        desk.store.fail = ""
        desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.LOW)
        desk.act(Verb.RESTORE, DELETE)
        assert desk.store.statuses()[1] == "cancelled"
        assert desk.mark(DELETE) is None

    def test_what_the_agent_cancels_under_a_hold_stays_cancelled(self, desk: Desk) -> None:
        desk.act(Verb.HOLD, DELETE)
        desk.agent(*plan("completed", "cancelled", "in_progress", "pending"))
        assert desk.store.statuses()[1] == "cancelled"
        assert desk.store.writes == 0

    def test_a_hold_takes_a_vetos_place_and_undo_brings_the_veto_back(self, desk: Desk) -> None:
        desk.act(Verb.VETO, CHECK)
        desk.act(Verb.HOLD, CHECK)
        assert desk.store.statuses()[0] == "pending"
        desk.act(Verb.UNDO)
        assert desk.store.statuses()[0] == "cancelled"
        assert desk.mark(CHECK) is State.STORED
        desk.act(Verb.UNDO)
        assert desk.store.held == tuple(plan("in_progress", "pending", "pending", "pending"))

    def test_release_gives_back_what_the_agent_had_begun(self, desk: Desk) -> None:
        desk.act(Verb.HOLD, DELETE)
        desk.agent(*plan("completed", "in_progress", "pending", "pending"))
        assert desk.store.statuses()[1] == "pending"
        desk.act(Verb.RELEASE, DELETE)
        assert desk.store.statuses()[1] == "in_progress"

    def test_what_the_agent_lets_wait_itself_is_not_called_under_way(self, desk: Desk) -> None:
        desk.act(Verb.HOLD, CHECK)
        desk.agent(*plan("pending", "in_progress", "pending", "pending"))
        desk.agent(*plan("pending", "completed", "pending", "pending"))
        desk.act(Verb.RELEASE, CHECK)
        assert desk.store.statuses()[0] == "pending"

    def test_a_move_taken_back_holds_the_task_nowhere(self, desk: Desk) -> None:
        desk.act(Verb.MOVE, LAUNCH, place=Place(edge=Edge.FIRST))
        desk.act(Verb.UNDO)
        writes = desk.store.writes
        desk.agent(task(CHECK), task(LAUNCH), task(DOWNLOAD), task(DELETE))
        assert desk.store.contents() == [CHECK, LAUNCH, DOWNLOAD, DELETE]
        assert desk.store.writes == writes

    def test_a_task_moved_after_another_that_moves_on_stays(self, desk: Desk) -> None:
        desk.act(Verb.MOVE, LAUNCH, place=Place(after=desk.key(DELETE)))
        assert desk.store.contents() == [CHECK, DELETE, LAUNCH, DOWNLOAD]
        desk.act(Verb.MOVE, DELETE, place=Place(edge=Edge.LAST))
        assert desk.store.contents() == [CHECK, LAUNCH, DOWNLOAD, DELETE]
        assert desk.mark(LAUNCH) is State.STORED
        for _ in range(2):
            desk.act(Verb.UNDO)
        assert desk.store.contents() == list(STORY)


class TestAdditions:
    def test_one_that_is_not_stored_yet_can_be_steered(self, desk: Desk) -> None:
        desk.store.fail = "the disk is full"
        desk.act(Verb.ADD, text="Tell the team")
        for verb in (Verb.VETO, Verb.HOLD, Verb.PRIORITY, Verb.MOVE):
            place = Place(before=desk.key(DELETE))
            outcome = desk.act(verb, "Tell the team", priority=Priority.LOW, place=place)
            assert outcome.recorded, outcome.said
        desk.store.fail = ""
        desk.now += 100
        desk.session.look()
        assert desk.store.contents() == [CHECK, "Tell the team", DELETE, DOWNLOAD, LAUNCH]
        for _ in range(5):
            desk.act(Verb.UNDO)
        assert desk.store.held == tuple(plan("in_progress", "pending", "pending", "pending"))

    def test_a_vetoed_one_is_taken_out_when_all_is_undone(self, desk: Desk) -> None:
        desk.store.fail = "the disk is full"
        desk.act(Verb.ADD, text="Tell the team")
        desk.act(Verb.VETO, "Tell the team")
        desk.store.fail = ""
        desk.now += 100
        desk.session.look()
        assert desk.store.statuses()[4] == "cancelled"
        desk.act(Verb.UNDO)
        desk.act(Verb.UNDO)
        assert desk.store.contents() == list(STORY)

    def test_one_like_a_task_of_the_agents_is_not_that_task(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, task("Write the unit tests for the parser"), task("Ship"))
        desk.act(Verb.ADD, text="Write unit tests for parser")
        assert len(desk.store.held) == 3
        desk.act(Verb.UNDO)
        assert desk.store.contents() == ["Write the unit tests for the parser", "Ship"]

    def test_one_that_the_agent_put_in_its_own_words_stays(self, desk: Desk) -> None:
        desk.act(Verb.ADD, text="Tell the team about the new model")
        desk.agent(*plan("completed"), task("Tell team about the new model, by mail"))
        desk.agent(*plan("completed"), task("Tell the team about the new model, please"))
        held = desk.store.contents()
        desk.act(Verb.UNDO)
        assert desk.store.contents() == held

    def test_one_to_an_empty_plan_outlives_the_agents_first_plan(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path)
        desk.act(Verb.ADD, text="Tell the team")
        assert desk.store.contents() == ["Tell the team"]
        desk.agent(*plan("in_progress", "pending"))
        assert desk.store.contents() == [CHECK, DELETE, "Tell the team"]
        assert desk.mark("Tell the team") is State.STORED


class TestPlansThatComeAndGo:
    def test_a_plan_emptied_and_filled_again_is_steered_as_before(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        update = desk.agent()
        assert update is not None
        assert [t.change for t in update.transitions] == [Change.REMOVED]
        desk.agent(*plan("pending", "pending", "pending", "pending"))
        assert desk.store.statuses() == ["pending", "cancelled", "pending", "pending"]

    def test_a_deleted_file_made_anew(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        held = desk.store.held
        desk.store.health = Health.MISSING
        desk.store.version += 1
        update = desk.session.look()
        assert update is not None
        assert len(update.view.rows) == 4
        desk.store.health = Health.OK
        desk.store.rewrite(*held)
        again = desk.session.look()
        assert again is not None
        assert again.transitions == ()
        assert desk.store.held == held
        desk.agent(*plan("in_progress", "pending", "pending"))
        assert desk.store.statuses()[1] == "cancelled"

    def test_a_vetoed_task_is_known_after_many_others_came_and_went(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        for n in range(60):
            name = f"Passing task {chr(97 + n % 26) * (3 + n // 26)}"
            desk.agent(task(name), task(CHECK))
            desk.act(Verb.PRIORITY, name, priority=Priority.LOW)
        desk.agent(task(CHECK), task(DELETE))
        assert desk.store.statuses()[1] == "cancelled"

    def test_a_priority_does_not_pass_to_the_task_in_its_place(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, task("Set up CI"), task("Check the parser output"))
        desk.act(Verb.PRIORITY, "Check the parser output", priority=Priority.HIGH)
        desk.agent(task("Set up CI"))
        desk.agent(task("Set up CI"), task("Check the results"))
        assert desk.store.held[1].priority is None


class TestArguments:
    def test_what_cannot_be_stored_is_never_contested(self, desk: Desk) -> None:
        desk.store.fail = "the disk is full"
        desk.act(Verb.VETO, CHECK)
        for n in range(6):
            desk.now -= 8
            desk.agent(*plan("in_progress", "pending", "pending"), task(f"Step {n}"))
        assert desk.mark(CHECK) is State.DEFIED

    def test_what_is_only_watched_is_never_contested(self, tmp_path: Path) -> None:
        tasks = plan("in_progress", "pending")
        desk = Desk(tmp_path, *tasks, reach=Reach.WATCH_ONLY)
        desk.act(Verb.VETO, CHECK)
        for n in range(6):
            desk.now -= 8
            desk.agent(*tasks, task(f"Step {n}"))
        assert desk.mark(CHECK) is State.DEFIED

    def test_a_missing_snapshot_does_not_revive_a_contested_directive(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        for _ in range(4):
            desk.now -= 8
            desk.agent(*plan("in_progress", "pending", "pending", "pending"))
        assert desk.mark(DELETE) is State.CONTESTED
        writes = desk.store.writes
        desk.agent(*plan("in_progress"), task(DOWNLOAD))
        desk.agent(*plan("in_progress", "pending", "pending", "pending"))
        assert desk.store.writes == writes

    def test_bytes_that_we_wrote_once_are_the_agents_when_it_writes_them(self, desk: Desk) -> None:
        desk.act(Verb.HOLD, CHECK)
        desk.act(Verb.UNDO)
        ours = desk.store.held
        assert ours == tuple(plan("in_progress", "pending", "pending", "pending"))
        desk.agent(*plan("completed", "in_progress", "pending", "pending"))
        update = desk.agent(*ours)
        assert update is not None
        assert Change.STARTED in [t.change for t in update.transitions]
        desk.act(Verb.VETO, DELETE)
        desk.agent(*ours)
        assert desk.store.statuses()[1] == "cancelled"

    def test_a_read_only_pane_raises_an_alarm_once_and_refuses_acts(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        watcher = desk.fresh(read_only=True)
        watcher.look()
        desk.session.close()
        alarms = 0
        for n in range(3):
            desk.now += 10
            tasks = [*plan("completed", "in_progress"), task(f"Step {n}")]
            desk.store.rewrite(*tasks, mtime=desk.now)
            update = watcher.look()
            alarms += len(update.alarms) if update else 0
        assert alarms == 1
        outcome = watcher.act(Act(Verb.UNDO))
        assert outcome.refused
        assert not outcome.recorded


class TestProcesses:
    def command(self, desk: Desk, verb: Verb, content: str, **more: object) -> None:
        """One act by a process of its own, as from the command line."""
        desk.now += 1
        session = desk.fresh()
        session.look()
        key = next(t.key for t in session.tasks if t.content == content)
        session.act(Act(verb, key, **more))  # type: ignore[arg-type]
        session.close()

    def test_a_twin_that_was_moved_keeps_its_veto_in_a_new_process(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, task("Run tests"), task("Fix"), task("Run tests"))
        second = desk.session.tasks[2].key
        desk.session.act(Act(Verb.VETO, second))
        desk.session.act(Act(Verb.MOVE, second, place=Place(edge=Edge.FIRST)))
        assert desk.store.statuses() == ["cancelled", "pending", "pending"]
        fresh = desk.fresh()
        fresh.look()
        assert [bool(r.marks) for r in fresh.view.rows] == [True, False, False]
        assert desk.store.statuses() == ["cancelled", "pending", "pending"]

    def test_a_twin_that_has_gone_lends_its_name_to_nobody(self, tmp_path: Path) -> None:
        desk = Desk(tmp_path, task("Run tests"), task("Fix"), task("Run tests"))
        desk.session.act(Act(Verb.VETO, desk.session.tasks[2].key))
        desk.agent(task("Run tests", "in_progress"), task("Fix"))
        fresh = desk.fresh()
        fresh.look()
        assert desk.store.statuses() == ["in_progress", "pending"]

    def test_a_command_that_was_faster_hides_nothing_from_the_pane(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE, reason="needed")
        desk.now += 10
        told = plan("completed", "in_progress", "pending", "pending")
        desk.store.rewrite(*told, mtime=desk.now - 1)
        self.command(desk, Verb.HOLD, LAUNCH)
        assert desk.store.statuses() == ["completed", "cancelled", "pending", "pending"]
        update = desk.session.look()
        assert update is not None
        assert [t.change for t in update.transitions] == [Change.COMPLETED]
        (alarm,) = update.alarms
        assert (alarm.content, alarm.kind, alarm.reason) == (DELETE, Kind.VETO, "needed")

    def test_a_commands_doing_is_no_doing_of_the_agents(self, desk: Desk) -> None:
        self.command(desk, Verb.VETO, DELETE)
        self.command(desk, Verb.MOVE, LAUNCH, place=Place(edge=Edge.FIRST))
        session = desk.fresh()
        session.look()
        session.act(Act(Verb.ADD, text="Tell the team"))
        session.close()
        update = desk.session.look()
        assert update is not None
        assert update.transitions == ()
        assert len(update.view.rows) == 5

    def test_undo_is_shared(self, desk: Desk) -> None:
        desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.LOW)
        self.command(desk, Verb.VETO, DELETE)
        desk.act(Verb.UNDO)
        assert desk.store.statuses()[1] == "pending"
        assert desk.store.held[3].priority is Priority.LOW
        self.command(desk, Verb.RESTORE, LAUNCH)
        desk.act(Verb.UNDO)
        assert desk.store.held[3].priority is Priority.LOW

    def test_two_processes_naming_one_task_at_once(self, desk: Desk) -> None:
        other = desk.fresh()
        other.look()
        other._read = lambda: None  # type: ignore[method-assign]
        key = next(t.key for t in other.tasks if t.content == CHECK)
        desk.act(Verb.VETO, CHECK)
        other.act(Act(Verb.HOLD, key))
        desk.now += 1
        desk.session.look()
        assert desk.store.statuses()[0] == "pending"
        writes = desk.store.writes
        desk.agent(*plan("pending", "pending", "in_progress", "pending"))
        assert desk.store.writes == writes
        desk.act(Verb.RESTORE, CHECK)
        assert desk.mark(CHECK) is None
        assert desk.store.statuses()[0] == "pending"

    def test_a_process_that_died_right_after_writing(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as dying:
            dying.setattr(Steward, "stored", lambda *_: None)
            desk.act(Verb.VETO, CHECK)
        assert desk.store.statuses()[0] == "cancelled"
        heir = desk.fresh()
        heir.look()
        assert heir.view.rows[0].marks[0].state is State.STORED
        heir.act(Act(Verb.RESTORE, heir.tasks[0].key))
        assert desk.store.statuses()[0] == "in_progress"

    def test_the_first_look_of_a_new_process_judges_what_nobody_heard(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        desk.session.close()
        desk.now += 100
        desk.store.rewrite(*plan("completed", "completed", "pending"), mtime=desk.now - 50)
        heir = desk.fresh()
        update = heir.look()
        assert update is not None
        assert update.alarms[0].finished
        assert heir.view.rows[1].marks[0].state is State.DEFIED
        heir.close()
        third = desk.fresh()
        update = third.look()
        assert update is not None
        assert [a.content for a in update.alarms] == [DELETE]  # until somebody has seen it
        third.act(Act(Verb.ACKNOWLEDGE, update.alarms[0].key))
        third.close()
        update = desk.fresh().look()
        assert update is not None
        assert update.alarms == ()


class TestLedgers:
    def test_an_unreadable_ledger_is_told_once_and_read_when_it_can_be(self, desk: Desk) -> None:
        path = desk.folder / "ledger.jsonl"
        path.mkdir()
        notices = []
        for _ in range(3):
            desk.now += 1
            update = desk.session.look()
            notices += update.notices if update else ()
        assert notices == [] or len(notices) == 1
        outcome = desk.act(Verb.VETO, DELETE)
        assert not outcome.recorded
        assert "Not recorded" in outcome.said
        path.rmdir()
        assert desk.act(Verb.VETO, DELETE).recorded

    def test_damaged_lines_are_told_once(self, desk: Desk) -> None:
        desk.act(Verb.VETO, DELETE)
        path = desk.folder / "ledger.jsonl"
        path.write_bytes(path.read_bytes() + b"damage\n")
        update = desk.session.look()
        assert update is not None
        assert any("1 damaged" in n for n in update.notices)
        other = desk.fresh()
        other.look()
        other.act(Act(Verb.HOLD, desk.key(LAUNCH)))
        update = desk.session.look()
        assert update is None or not any("damaged" in n for n in update.notices)


def test_an_outcome_names_the_view_of_the_moment(desk: Desk) -> None:
    outcome = desk.act(Verb.VETO, DELETE)
    assert outcome.update.view == desk.session.view
    assert outcome.update.view.rows[1].status is Status.CANCELLED
    assert isinstance(desk.session, Session)


def test_a_link_that_leads_elsewhere_is_another_plan(tmp_path: Path) -> None:
    one, other, link = (tmp_path / name for name in ("a.json", "b.json", "link.json"))
    for path in (one, other):
        path.write_text('[{"content": "Delete it", "status": "pending"}]')
    link.symlink_to(one)
    session = Session(JsonFile(link), tmp_path / "state")
    session.look()
    time.sleep(0.2)
    session.act(Act(Verb.VETO, session.tasks[0].key))
    assert '"cancelled"' in one.read_text()
    link.unlink()
    link.symlink_to(other)
    update = session.look(poked=True)
    assert update is not None
    assert "leads to" in update.view.problem
    time.sleep(0.2)
    session.look()
    assert '"pending"' in other.read_text()


def test_two_panes_take_each_others_write_for_ours(desk: Desk) -> None:
    twin = desk.fresh()
    twin.look()
    desk.act(Verb.ADD, text="Zap it")
    twin.look()
    for _ in range(2):
        desk.now += 10
        desk.store.rewrite(*plan("in_progress", "pending", "pending", "pending"), mtime=desk.now)
        desk.session.look()
        twin.look()
        desk.now += 1

        def faster() -> None:
            desk.store.before_write = lambda: None
            desk.session.look()

        # Both are due, and the other writes between this one's look and its write.
        desk.store.before_write = faster
        twin.look()
        assert "Zap it" in desk.store.contents()
        assert State.ACKNOWLEDGED not in {d.state for d in desk.session._steward.ledger.directives}


def test_taking_a_veto_back_elsewhere_is_no_reopening(desk: Desk) -> None:
    twin = desk.fresh()
    twin.look()
    desk.act(Verb.VETO, DELETE)
    twin.look()
    desk.act(Verb.RESTORE, DELETE)
    update = twin.look()
    assert update is not None
    assert update.transitions == ()


def test_a_guarded_task_is_not_known_by_its_id_alone(tmp_path: Path) -> None:
    desk = Desk(
        tmp_path,
        *(task(c, id=str(i)) for i, c in enumerate(("Check", "Deploy to production", "Tell"))),
    )
    desk.act(Verb.VETO, "Deploy to production")
    update = desk.agent(
        *(task(c, id=str(i)) for i, c in enumerate(("Check", "Deploy to staging", "Tell")))
    )
    assert desk.store.statuses() == ["pending", "pending", "pending"]
    assert update is not None
    assert any("staging" in notice for notice in update.notices)
