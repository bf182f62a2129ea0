"""The flow from store to view and back, with a store in memory and a clock in the hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.desk import CHECK, DELETE, DOWNLOAD, LAUNCH, STORY, Desk, plan
from tests.unit.memory_store import task
from tui.acts import Act, Edge, Place, Verb
from tui.plan.directives import Kind, State
from tui.plan.model import Priority, Status
from tui.plan.transitions import Change
from tui.view import Health, Reach


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, *plan("in_progress", "pending", "pending", "pending"))


def test_the_first_look_shows_the_plan_and_says_nothing_happened(desk: Desk) -> None:
    assert desk.first is not None
    assert [r.content for r in desk.first.view.rows] == list(STORY)
    assert desk.first.transitions == ()
    assert desk.first.view.health is Health.OK
    running = desk.first.view.rows[0]
    assert running.since == 4900.0
    assert not running.exact


def test_nothing_changed_means_no_update_and_no_write(desk: Desk) -> None:
    assert desk.session.look() is None
    assert desk.store.writes == 0


def test_a_veto_is_written_at_once_and_only_there(desk: Desk) -> None:
    outcome = desk.act(Verb.VETO, DELETE, reason="still wanted")
    assert outcome.recorded and not outcome.unstored
    assert desk.store.statuses() == ["in_progress", "cancelled", "pending", "pending"]
    row = outcome.update.view.rows[1]
    assert row.marks[0].kind is Kind.VETO
    assert row.marks[0].state is State.STORED
    assert row.marks[0].reason == "still wanted"


def test_a_veto_is_written_again_when_the_agent_forgets_it(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.agent(*plan("completed", "pending", "in_progress", "pending"))
    assert desk.store.statuses() == ["completed", "cancelled", "in_progress", "pending"]
    assert desk.mark(DELETE) is State.STORED


def test_an_agent_that_keeps_the_veto_acknowledges_it(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.agent(*plan("completed", "cancelled", "in_progress", "pending"))
    assert desk.mark(DELETE) is State.ACKNOWLEDGED
    assert desk.store.writes == 1


def test_the_write_waits_until_the_agent_is_quiet(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.now += 10
    desk.store.rewrite(*plan("completed", "pending", "pending", "pending"), mtime=desk.now)
    desk.session.look()
    assert desk.store.writes == 1
    assert desk.session.due == pytest.approx(desk.now + 0.15)
    desk.now += 0.2
    desk.session.look()
    assert desk.store.writes == 2


def test_four_reverts_within_a_minute_end_the_argument(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    notices: list[str] = []
    for _ in range(8):
        desk.now -= 6
        update = desk.agent(*plan("in_progress", "pending", "pending", "pending"))
        notices += update.notices if update else ()
        # The agent's next rewrite has to differ from its last for it to be one.
    assert desk.mark(DELETE) is State.CONTESTED
    assert desk.store.writes == 4
    assert len([n for n in notices if "contested" in n]) == 1


def test_insisting_on_a_contested_veto_writes_it_again(desk: Desk) -> None:
    test_four_reverts_within_a_minute_end_the_argument(desk)
    outcome = desk.act(Verb.VETO, DELETE)
    assert outcome.recorded
    assert desk.store.statuses()[1] == "cancelled"


def test_a_vetoed_task_that_the_agent_starts_is_an_alarm_once(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE, reason="needed")
    update = desk.agent(*plan("completed", "in_progress", "pending", "pending"))
    assert update is not None
    (alarm,) = update.alarms
    assert (alarm.content, alarm.kind, alarm.finished) == (DELETE, Kind.VETO, False)
    assert alarm.reason == "needed"
    assert desk.mark(DELETE) is State.DEFIED
    assert desk.store.statuses()[1] == "cancelled"
    again = desk.agent(*plan("completed", "in_progress", "pending", "pending"))
    assert again is None or again.alarms == ()


def test_facts_win_a_completed_task_is_never_rewritten(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    update = desk.agent(*plan("completed", "completed", "in_progress", "pending"))
    assert update is not None
    assert update.alarms[0].finished
    assert desk.store.statuses()[1] == "completed"
    assert desk.mark(DELETE) is State.DEFIED


def test_a_vetoed_task_that_comes_back_is_vetoed_again(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.agent(task(CHECK, "completed"), task(DOWNLOAD, "in_progress"))
    desk.agent(task(CHECK, "completed"), task(DOWNLOAD, "completed"), task(DELETE, "pending"))
    assert desk.store.statuses() == ["completed", "completed", "cancelled"]


def test_a_reworded_task_keeps_its_veto(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    reworded = "Delete the Kimi-K2.5-NVFP4 model (540GB), to free space"
    update = desk.agent(task(CHECK, "completed"), task(reworded), task(DOWNLOAD), task(LAUNCH))
    assert update is not None
    assert desk.store.held[1].status is Status.CANCELLED
    second = desk.fresh()
    second.look()
    assert [r.marks[0].kind for r in second._shown.rows if r.marks] == [Kind.VETO]  # type: ignore[union-attr]


def test_another_task_is_never_vetoed_by_likeness(tmp_path: Path) -> None:
    desk = Desk(tmp_path, task("Add unit tests for the parser"), task("Write docs"))
    desk.act(Verb.VETO, "Add unit tests for the parser")
    update = desk.agent(task("Add unit tests for the lexer"), task("Write docs"))
    assert desk.store.statuses() == ["pending", "pending"]
    assert update is not None
    assert any("lexer" in n for n in update.notices)


def test_hold_stays_pending_in_the_file_and_is_shown(desk: Desk) -> None:
    outcome = desk.act(Verb.HOLD, LAUNCH)
    assert desk.store.writes == 0
    assert outcome.update.view.rows[3].steered is not None
    update = desk.agent(*plan("completed", "completed", "completed", "in_progress"))
    assert update is not None
    assert update.alarms[0].kind is Kind.HOLD
    assert desk.store.statuses()[3] == "pending"


def test_release_lets_the_task_go_on(desk: Desk) -> None:
    desk.act(Verb.HOLD, LAUNCH)
    desk.act(Verb.RELEASE, LAUNCH)
    update = desk.agent(*plan("completed", "completed", "completed", "in_progress"))
    assert update is not None
    assert update.alarms == ()
    assert desk.store.statuses()[3] == "in_progress"


def test_restore_gives_the_agents_own_word_back(desk: Desk) -> None:
    desk.act(Verb.VETO, CHECK)
    assert desk.store.statuses()[0] == "cancelled"
    desk.act(Verb.RESTORE, CHECK)
    assert desk.store.statuses()[0] == "in_progress"
    assert desk.mark(CHECK) is None


def test_restoring_a_task_when_another_is_under_way_leaves_it_waiting(desk: Desk) -> None:
    desk.act(Verb.VETO, CHECK)
    desk.agent(*plan("cancelled", "in_progress", "pending", "pending"))
    desk.act(Verb.RESTORE, CHECK)
    assert desk.store.statuses() == ["pending", "in_progress", "pending", "pending"]


def test_a_task_the_agent_cancels_later_itself_stays_cancelled_after_a_restore(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.act(Verb.RESTORE, DELETE)
    desk.agent(*plan("completed", "cancelled", "in_progress", "pending"))
    assert desk.store.statuses()[1] == "cancelled"


def test_undo_and_redo_walk_through_the_acts(desk: Desk) -> None:
    desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.LOW)
    desk.act(Verb.PRIORITY, LAUNCH, priority=Priority.MEDIUM)
    desk.act(Verb.VETO, DELETE)
    assert desk.store.held[3].priority is Priority.MEDIUM
    desk.act(Verb.UNDO)
    assert desk.store.statuses()[1] == "pending"
    desk.act(Verb.UNDO)
    assert desk.store.held[3].priority is Priority.LOW
    desk.act(Verb.UNDO)
    assert desk.store.held == tuple(plan("in_progress", "pending", "pending", "pending"))
    assert desk.act(Verb.UNDO).refused
    for _ in range(3):
        desk.act(Verb.REDO)
    assert desk.store.statuses()[1] == "cancelled"
    assert desk.store.held[3].priority is Priority.MEDIUM


def test_undo_of_a_restore_puts_the_veto_back(desk: Desk) -> None:
    desk.act(Verb.VETO, DELETE)
    desk.act(Verb.RESTORE, DELETE)
    desk.act(Verb.UNDO)
    assert desk.store.statuses()[1] == "cancelled"
    assert desk.mark(DELETE) is State.STORED


def test_a_move_survives_rewrites_insertions_and_deletions(desk: Desk) -> None:
    desk.act(Verb.MOVE, LAUNCH, place=Place(before=desk.key(DOWNLOAD)))
    assert desk.store.contents() == [CHECK, DELETE, LAUNCH, DOWNLOAD]
    desk.agent(
        task(CHECK, "completed"), task("Warm up"), task(DOWNLOAD), task("Cool down"), task(LAUNCH)
    )
    assert desk.store.contents() == [CHECK, "Warm up", LAUNCH, DOWNLOAD, "Cool down"]
    desk.act(Verb.UNDO)
    assert desk.store.contents() == [CHECK, "Warm up", DOWNLOAD, "Cool down", LAUNCH]


def test_undo_of_a_move_restores_the_order(desk: Desk) -> None:
    desk.act(Verb.MOVE, LAUNCH, place=Place(edge=Edge.FIRST))
    assert desk.store.contents() == [CHECK, LAUNCH, DELETE, DOWNLOAD]
    desk.act(Verb.UNDO)
    assert desk.store.contents() == list(STORY)


def test_an_added_task_is_in_the_store_and_comes_back_when_forgotten(desk: Desk) -> None:
    desk.act(Verb.ADD, text="  Tell the\tteam ", place=Place(after=desk.key(DELETE)))
    assert desk.store.contents() == [CHECK, DELETE, "Tell the team", DOWNLOAD, LAUNCH]
    desk.agent(*plan("completed", "in_progress", "pending", "pending"))
    assert desk.store.contents() == [CHECK, DELETE, "Tell the team", DOWNLOAD, LAUNCH]
    desk.agent(
        task(CHECK, "completed"), task(DELETE, "completed"), task("Tell the team", "in_progress")
    )
    assert desk.mark("Tell the team") is State.ACKNOWLEDGED
    desk.agent(task(CHECK, "completed"), task(DELETE, "completed"))
    assert "Tell the team" not in desk.store.contents()


def test_undoing_an_addition_takes_it_out(desk: Desk) -> None:
    desk.act(Verb.ADD, text="Tell the team")
    desk.act(Verb.UNDO)
    assert desk.store.contents() == list(STORY)


def test_a_failed_write_keeps_the_act_and_says_why_once(desk: Desk) -> None:
    desk.store.fail = "the disk is full"
    outcome = desk.act(Verb.VETO, DELETE)
    assert outcome.recorded
    assert "disk is full" in outcome.unstored
    assert desk.mark(DELETE) is State.RECORDED
    desk.now += 6
    update = desk.session.look()
    assert update is None or update.notices == ()
    desk.store.fail = ""
    desk.now += 20
    desk.session.look()
    assert desk.store.statuses()[1] == "cancelled"
    assert desk.mark(DELETE) is State.STORED


def test_an_update_that_slips_in_before_the_write_is_heard(desk: Desk) -> None:
    newer = plan("completed", "pending", "in_progress", "pending")

    def slip_in() -> None:
        desk.store.before_write = lambda: None
        desk.store.rewrite(*newer, mtime=desk.now)

    desk.store.before_write = slip_in
    outcome = desk.act(Verb.VETO, DELETE)
    assert desk.store.statuses() == ["completed", "cancelled", "in_progress", "pending"]
    assert [t.change for t in outcome.update.transitions] == [Change.PIVOT]


def test_two_sessions_on_one_plan_agree_and_write_once(desk: Desk) -> None:
    second = desk.fresh()
    second.look()
    desk.act(Verb.VETO, DELETE, reason="x")
    update = second.look()
    assert update is not None
    assert update.transitions == ()
    assert update.view.rows[1].marks[0].state is State.STORED
    assert desk.store.writes == 1
    desk.now += 1
    second.act(Act(Verb.RESTORE, next(t.key for t in second.tasks if t.content == DELETE)))
    desk.session.look()
    assert desk.store.statuses()[1] == "pending"
    assert desk.mark(DELETE) is None


def test_read_only_writes_nothing_anywhere(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *plan("in_progress", "pending"))
    desk.act(Verb.VETO, DELETE)
    ledger = (tmp_path / "ledger.jsonl").read_bytes()
    watcher = desk.fresh(read_only=True)
    watcher.look()
    desk.now += 10
    desk.store.rewrite(*plan("completed", "pending"), mtime=desk.now)
    watcher.look()
    desk.now += 5
    watcher.look()
    assert desk.store.writes == 1
    assert (tmp_path / "ledger.jsonl").read_bytes() == ledger


def test_an_unreadable_store_keeps_the_last_good_plan(desk: Desk) -> None:
    desk.store.health = Health.DAMAGED
    desk.store.version += 1
    update = desk.session.look()
    assert update is not None
    assert update.view.health is Health.DAMAGED
    assert len(update.view.rows) == 4
    outcome = desk.act(Verb.VETO, DELETE)
    assert outcome.recorded
    assert outcome.unstored
    assert desk.store.writes == 0
    desk.store.health = Health.OK
    desk.now += 1
    desk.session.look()
    assert desk.store.statuses()[1] == "cancelled"


def test_watch_only_records_and_does_not_write(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *plan("in_progress", "pending"), reach=Reach.WATCH_ONLY)
    outcome = desk.act(Verb.VETO, DELETE)
    assert outcome.recorded
    assert outcome.unstored
    assert desk.store.writes == 0


def test_times_come_from_the_journal_after_a_restart(desk: Desk) -> None:
    desk.agent(*plan("completed", "in_progress", "pending", "pending"))
    started = desk.now - 1
    desk.session.close()
    desk.now += 500
    again = desk.fresh()
    update = again.look()
    assert update is not None
    row = update.view.rows[1]
    assert row.since == pytest.approx(started, abs=0.01)
    assert row.exact
    assert update.view.rows[0].took is not None


def test_the_pivot_carries_the_time_the_finished_task_took(desk: Desk) -> None:
    desk.agent(*plan("completed", "in_progress", "pending", "pending"))
    update = desk.agent(*plan("completed", "completed", "in_progress", "pending"))
    assert update is not None
    (pivot,) = update.transitions
    assert pivot.change is Change.PIVOT
    assert pivot.contents == (DELETE, DOWNLOAD)
    assert pivot.took == pytest.approx(11.0)
    assert pivot.took_exact


def test_duplicates_are_steered_one_at_a_time(tmp_path: Path) -> None:
    desk = Desk(tmp_path, task("Run tests"), task("Fix"), task("Run tests"))
    second = desk.session.tasks[2].key
    desk.session.act(Act(Verb.VETO, second))
    assert desk.store.statuses() == ["pending", "pending", "cancelled"]
    desk.agent(task("Run tests", "completed"), task("Fix", "in_progress"), task("Run tests"))
    assert desk.store.statuses() == ["completed", "in_progress", "cancelled"]
    fresh = desk.fresh()
    fresh.look()
    assert [bool(r.marks) for r in fresh._shown.rows] == [False, False, True]  # type: ignore[union-attr]


def test_a_replaced_plan_takes_no_addition_over(desk: Desk) -> None:
    desk.act(Verb.ADD, text="Tell the team")
    update = desk.agent(task("Something else"), task("And more"))
    assert update is not None
    assert [t.change for t in update.transitions] == [Change.REPLACED]
    assert desk.store.contents() == ["Something else", "And more"]
