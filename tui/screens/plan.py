"""The plan's screen: it lays the panes out, passes values to them and keys to the acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from tui.acts import Act, Verb
from tui.host.sample import Sample
from tui.plan.steering import Kind
from tui.screens.keys import BINDINGS
from tui.screens.steering import SteeringScreen
from tui.settings import ScreenSettings
from tui.view import Row, Update, View
from tui.widgets.arrange import WIDE_FROM, Wants, arrange
from tui.widgets.banner import Banner
from tui.widgets.checklist import Checklist
from tui.widgets.detail import Detail
from tui.widgets.disks import Disks
from tui.widgets.gpus import Gpus
from tui.widgets.happenings import Happening
from tui.widgets.header import Header
from tui.widgets.keybar import KeyBar
from tui.widgets.lately import Lately
from tui.widgets.listing import Tally
from tui.widgets.painted import INKS, Painted
from tui.widgets.prompt import Prompt, Question


class PlanScreen(SteeringScreen):
    """Plan, host and banners.

    `act` takes what the user asks for. `ready` is called once, when every pane is there and before
    anything is drawn, so that what is known by then is in the first frame.
    """

    COMPONENT_CLASSES: ClassVar = INKS
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]
    HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (WIDE_FROM, "-wide")]  # noqa: RUF012 - Textual's

    def __init__(
        self, settings: ScreenSettings, act: Callable[[Act], None], ready: Callable[[], None]
    ) -> None:
        super().__init__()
        self._act = act
        self._ready = ready
        self._clock = settings.clock
        self._view = View()
        self._sample = Sample()
        self._log: Sequence[Happening] = ()
        self._small_host = False
        self._asked = ""
        self._heights: dict[str, int] = {}
        self.header = Header(settings, "header")
        self.plan = Checklist(settings, "plan")
        self.detail = Detail(settings, "detail")
        self.disks = Disks(settings, "disks")
        self.gpus = Gpus(settings, "gpus")
        self.lately = Lately(settings, "lately")
        self.banner = Banner(settings, "banner")
        self.prompt = Prompt(settings, "prompt")
        self.keys = KeyBar(settings, "keys")
        self._panes: dict[str, Painted] = {
            "header": self.header,
            "detail": self.detail,
            "disks": self.disks,
            "gpus": self.gpus,
            "lately": self.lately,
            "banner": self.banner,
            "prompt": self.prompt,
            "keys": self.keys,
        }

    def compose(self) -> ComposeResult:
        """Lay out the panes; `arrange` decides their heights."""
        with Container(id="body"):
            with Container(id="left"):
                yield from (self.header, self.plan, self.detail)
            with Container(id="host"):
                yield from (self.disks, self.gpus, self.lately)
        yield from (self.banner, self.prompt, self.keys)

    def on_mount(self) -> None:
        """Begin to let times grow."""
        self.plan.focus()
        self.set_interval(1.0, self._tick)
        self._arrange()
        self._ready()

    def on_resize(self) -> None:
        """Share the new height out."""
        self._arrange()

    # What is shown.

    def show_update(self, update: Update, tally: Tally, log: Sequence[Happening]) -> None:
        """Show a new view of the plan."""
        self._view = update.view
        self._asked = ""
        self.plan.answered()
        with self.app.batch_update():
            self.plan.show(update.view, tally)
            self.header.show(update.view, tally)
            self._show_log(log)
            self._arrange()
            self._show_selected()

    def show_sample(self, sample: Sample, log: Sequence[Happening]) -> None:
        """Show a new sample of the host."""
        self._sample = sample
        with self.app.batch_update():
            self.disks.show(sample.disks)
            self.gpus.show(sample.gpus, sample.gpu_problem)
            self._show_log(log)
            self._arrange()

    def _show_log(self, log: Sequence[Happening]) -> None:
        if log is not self._log:
            self._log = log
            self.lately.show(log)

    def _tick(self) -> None:
        for pane in (self.header, self.plan, self.detail, self.disks, self.gpus):
            if pane.display:
                pane.sync()

    def _arrange(self) -> None:
        """Give every pane its height; nothing happens when none has changed."""
        width, height = self.app.size
        beside = width * 2 // 5 if width >= WIDE_FROM else width
        disks, gpus = self.disks.wanted(), self.gpus.wanted(beside)
        if self._small_host:
            disks, gpus = min(1, disks), min(1, gpus)
        asking = min(self.prompt.wanted(width), max(2, height // 3))
        wants = Wants(
            header=self.header.wanted(width),
            plan=max(3, len(self._view.rows)),
            disks=disks,
            gpus=gpus,
            detail=bool(self._view.rows),
            banner=self.banner.wanted(width),
            keys=asking or 1,
        )
        heights = arrange(width, height, wants)
        keys = heights.pop("keys")
        heights["prompt"], heights["keys"] = (keys, 0) if asking else (0, 1)
        if heights == self._heights:
            return
        self._heights = heights
        for name, lines in heights.items():
            pane = self._panes[name]
            pane.display = lines > 0
            pane.styles.height = lines

    def _show_selected(self) -> None:
        row = self.plan.selected
        self.detail.show(row)
        note = f"{self._asked}{self.plan.glyphs.ellipsis}" if self._asked else ""
        if self.plan.needle and not note:
            note = f"/{self.plan.needle} {self.plan.glyphs.dot} {self.plan.matches}"
        self.keys.show(self._useful_keys(row), note)

    def _useful_keys(self, row: Row | None) -> list[tuple[str, str]]:
        keys: list[tuple[str, str]] = []
        if self.banner.alarmed:
            keys.append(("Space", "acknowledge"))
        if self.plan.needle:
            keys.append(("Esc", "all tasks"))
        if row and not self._view.read_only:
            steered = row.steered.kind if row.steered else None
            if row.marks:
                keys.append(("r", "restore"))
            if not row.status.terminal or steered is Kind.HOLD:
                keys += [] if steered else [("v", "veto")]
                keys += [("h", "release" if steered is Kind.HOLD else "hold")]
                keys += [("J K", "move"), ("1 2 3", "priority")]
            keys += [("a", "add"), ("u", "undo")]
        return [*keys, ("Enter", "detail"), ("/", "filter"), ("l", "log"), ("q", "quit")]

    def on_checklist_selected(self) -> None:
        """Show the task that the cursor is on now."""
        self._show_selected()

    def on_banner_resized(self) -> None:
        """Make room for a banner, or close the gap it leaves."""
        self._arrange()
        self.banner.sync()
        self._show_selected()

    # What the acts of steering need.

    @property
    def selected(self) -> Row | None:
        """The task under the cursor."""
        return self.plan.selected

    @property
    def view(self) -> View:
        """The latest view of the plan."""
        return self._view

    def neighbour(self, step: int) -> Row | None:
        """Return the task that the selected one would jump."""
        return self.plan.neighbour(step)

    def perform(self, act: Act, hint: str) -> None:
        """Show that an act is under way and hand it over."""
        if act.key:
            self.plan.ask(act.key, hint)
        else:
            self._asked = hint
            self._show_selected()
        self._act(act)

    def tell(self, notice: str) -> None:
        """Show a short notice."""
        self.banner.tell(Happening(self._clock(), notice))

    def ask(self, question: Question) -> None:
        """Put a question above the key bar."""
        self.prompt.ask(question)
        self.prompted()

    def prompted(self) -> None:
        """Make room for the question, or close the gap it leaves."""
        self._arrange()
        self.prompt.sync()
        self._show_selected()

    # What the keys do that do not steer.

    def action_go(self, step: int) -> None:
        """Move the cursor."""
        self.plan.go(step)

    def action_end(self, direction: int) -> None:
        """Move the cursor to the first or the last task."""
        self.plan.go(direction * len(self._view.rows))

    def action_page(self, share: float) -> None:
        """Move the cursor by a share of the pane."""
        self.plan.page(share)

    def action_fold(self) -> None:
        """Fold the completed tasks, or unfold them."""
        self.plan.toggle_fold()

    def action_panes(self) -> None:
        """Fold the host's panes to a line each, or unfold them."""
        self._small_host = not self._small_host
        self._arrange()

    def action_filter(self) -> None:
        """Ask for the words to filter by; the list follows every key."""
        plan = self.plan
        self.ask(
            Question(
                "Show only tasks with",
                plan.set_filter,
                changed=plan.set_filter,
                cancelled=self.action_clear,
                initial=plan.needle,
                hint="words, Esc: all tasks",
            )
        )

    def action_clear(self) -> None:
        """Show all tasks again."""
        self.plan.set_filter("")

    def action_acknowledge(self) -> None:
        """Take away the oldest alarm."""
        alarm = self.banner.acknowledge()
        if alarm is not None:
            self._act(Act(Verb.ACKNOWLEDGE, alarm.key))
