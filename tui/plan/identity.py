"""Which task of a new snapshot is which task of an old one.

Agents rewrite whole lists, mostly without ids. Two tasks are the same by store id; by exact
content; by normalised content; then by the unique best fuzzy match among what is left. When
unsure they are different: a directive must never land on a task that might be another one.
The fuzzy measure weighs rare words most, for a plain character ratio takes "Add unit tests for
the parser" for "Add unit tests for the lexer".
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tui.plan.model import Status, Task

SAME = 0.7
"""Weighted Dice from which two wordings count as one task."""
SAME_GUARDED = 0.8
"""The same for a task under a veto or hold: a wrong veto is worse than a missed one."""
DOUBTFUL = 0.5
"""From here up to `SAME_GUARDED` the user is asked whether this is the guarded task."""
MARGIN = 0.1
_AKIN = 0.2
_ID_STRANGER = 0.3
# Above this many pairs the plan was replaced wholesale and comparing wordings would only stall.
_MAX_PAIRS = 10_000

_LEAD = re.compile(r"^(?:\s|[-*•·]|\d+[.)]|\[[ xX~-]?\]|[^\w\s])+")
_WORD = re.compile(r"\w+")
_STOP = frozenset(
    ("the", "a", "an", "for", "in", "of", "to", "and", "with", "on", "by", "using", "all")
)
_SUFFIX = re.compile(r"(?:ing|ed|s|ation|e)$")


@dataclass(frozen=True, slots=True)
class Known:
    """A task as it was last seen; `guarded` when a veto or hold is in force on it.

    A `ghost` is in no plan at present, so that its place among the others says nothing.
    """

    key: str
    content: str
    id: str | None = None
    status: Status = Status.PENDING
    guarded: bool = False
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new task that might be a guarded one reworded, but not surely enough to say so."""

    known: Known
    content: str


@dataclass(frozen=True, slots=True)
class Matching:
    """`of[j]` is the index of the known task that new task j is, or None when it is new."""

    of: tuple[int | None, ...]
    doubts: tuple[Doubt, ...] = ()


def normalise(text: str) -> str:
    """Fold case, width, list markers, spacing and final punctuation, which agents vary freely."""
    return " ".join(_plain(text).casefold().split()).rstrip(".!:; ")


def _plain(text: str) -> str:
    return _LEAD.sub("", unicodedata.normalize("NFKC", text))


def tokens(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, without their commonest endings."""
    found = enumerate(_WORD.findall(_plain(text)))
    # "model A" is another one than "model B": only the small word is an article.
    words = (w.casefold() for i, w in found if w.casefold() not in _STOP or (i and w == "A"))
    return frozenset(_SUFFIX.sub("", w) if len(w) > 4 else w for w in words)


def match(known: Sequence[Known], new: Sequence[Task]) -> Matching:
    """Find for each new task the known one that it is; pure, never raises."""
    pairing = _Pairing(len(known), len(new))
    doubts = _by_id(pairing, known, new)
    for fold in (str, normalise):
        if pairing.open():
            _by_text(pairing, known, new, fold)
    if pairing.open() and len(pairing.old) * len(pairing.new) <= _MAX_PAIRS:
        doubts += _by_wording(pairing, known, new)
    left = [(i, j) for i, j in dict.fromkeys(doubts) if i in pairing.old and j in pairing.new]
    return Matching(tuple(pairing.of), tuple(Doubt(known[i], new[j].content) for i, j in left))


class _Pairing:
    """The pairs found so far, and what is left on either side (in order)."""

    def __init__(self, old: int, new: int) -> None:
        self.of: list[int | None] = [None] * new
        self.old = dict.fromkeys(range(old))
        self.new = dict.fromkeys(range(new))

    def open(self) -> bool:
        return bool(self.old) and bool(self.new)

    def pair(self, pairs: Iterable[tuple[int, int]]) -> None:
        for i, j in pairs:
            self.of[j] = i
            del self.old[i], self.new[j]


def _by_id(pairing: _Pairing, known: Sequence[Known], new: Sequence[Task]) -> list[tuple[int, int]]:
    """Pair by ids that are unique on both sides, unless the agent merely numbered anew from 1.

    Returns the pairs that only an id speaks for, of guarded tasks.
    """
    if not any(t.id for t in new):
        return []
    old_ids = _unique((k.id, i) for i, k in enumerate(known))
    new_ids = _unique((t.id, j) for j, t in enumerate(new))
    pairs = [(i, new_ids[ident]) for ident, i in old_ids.items() if ident in new_ids]
    strangers = [(i, j) for i, j in pairs if known[i].content != new[j].content]
    if len(strangers) * 2 > len(pairs):
        # Most ids stand beside other words than before: the ids themselves say little.
        pairs = [p for p in pairs if _alike(known[p[0]].content, new[p[1]].content, _ID_STRANGER)]
    if strangers:
        # Words that stand beside another id now were moved there, whatever the ids say.
        old_words, new_words = {k.content for k in known}, {t.content for t in new}
        moved = {
            (i, j)
            for i, j in strangers
            if known[i].content in new_words or new[j].content in old_words
        }
        pairs = [p for p in pairs if p not in moved]
    doubts: list[tuple[int, int]] = []
    for i, j in pairs:
        if known[i].guarded and not _alike(known[i].content, new[j].content, SAME_GUARDED):
            doubts.append((i, j))
        else:
            pairing.pair([(i, j)])
    return doubts


def _alike(one: str, other: str, least: float) -> bool:
    a, b = tokens(one), tokens(other)
    return one == other or 2 * len(a & b) >= least * (len(a) + len(b)) > 0


def _unique(items: Iterable[tuple[str | None, int]]) -> dict[str, int]:
    seen: dict[str, list[int]] = defaultdict(list)
    for ident, index in items:
        if ident:
            seen[ident].append(index)
    return {ident: places[0] for ident, places in seen.items() if len(places) == 1}


def _by_text(
    pairing: _Pairing, known: Sequence[Known], new: Sequence[Task], fold: Callable[[str], Hashable]
) -> None:
    """Pair equal texts, the k-th duplicate with the k-th."""
    old_texts = [fold(known[i].content) for i in pairing.old]
    new_texts = [fold(new[j].content) for j in pairing.new]
    old_at = dict(zip(old_texts, pairing.old, strict=True))
    new_at = dict(zip(new_texts, pairing.new, strict=True))
    if len(old_at) == len(old_texts) and len(new_at) == len(new_texts):
        pairing.pair([(old_at[text], j) for text, j in new_at.items() if text in old_at])
        return
    olds: dict[Hashable, list[int]] = defaultdict(list)
    news: dict[Hashable, list[int]] = defaultdict(list)
    for text, i in zip(old_texts, pairing.old, strict=True):
        olds[text].append(i)
    for text, j in zip(new_texts, pairing.new, strict=True):
        news[text].append(j)
    pairs: list[tuple[int, int]] = []
    for text, js in news.items():
        same = olds.get(text, ())
        even = len(same) == len(js)
        pairs += zip(same, js, strict=True) if even else _some_of(same, js, known, new)
    pairing.pair(pairs)


def _some_of(
    olds: Sequence[int], js: Sequence[int], known: Sequence[Known], new: Sequence[Task]
) -> Iterator[tuple[int, int]]:
    """Pair duplicates of which some came or went: a finished one does not begin again first."""
    done = deque(i for i in olds if known[i].status is Status.COMPLETED)
    others = deque(i for i in olds if known[i].status is not Status.COMPLETED)
    left: list[int] = []
    for j in js:
        if new[j].status is Status.COMPLETED and done:
            yield done.popleft(), j
        elif others:
            yield others.popleft(), j
        else:
            left.append(j)
    yield from zip(done, left, strict=False)


def _by_wording(
    pairing: _Pairing, known: Sequence[Known], new: Sequence[Task]
) -> list[tuple[int, int]]:
    """Pair by likeness of wording, the likest first, and only where no rival comes near."""
    olds = {i: tokens(known[i].content) for i in pairing.old}
    news = {j: tokens(new[j].content) for j in pairing.new}
    everything = [tokens(k.content) for k in known] if len(known) <= 500 else list(olds.values())
    everything += [tokens(t.content) for t in new] if len(new) <= 500 else list(news.values())
    frequency = Counter(word for words in everything for word in words)
    weight = {w: math.log(1 + len(everything) / n) for w, n in frequency.items()}

    def weigh(words: frozenset[str]) -> float:
        return sum(weight[w] for w in words)

    score: dict[tuple[int, int], float] = {}
    rivals: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for i, a in olds.items():
        for j, b in news.items():
            regressed = (
                known[i].status is Status.COMPLETED and new[j].status is not Status.COMPLETED
            )
            both = weigh(a) + weigh(b)
            if both and not regressed and (alike := 2 * weigh(a & b) / both) >= _AKIN:
                score[i, j] = alike
                rivals["old", i].append((i, j))
                rivals["new", j].append((i, j))
    doubts: list[tuple[int, int]] = []
    for (i, j), alike in sorted(score.items(), key=lambda item: (-item[1], item[0])):
        if alike < DOUBTFUL:
            break
        if i not in pairing.old or j not in pairing.new:
            continue
        rival = max(
            (
                score[a, b]
                for a, b in rivals["old", i] + rivals["new", j]
                if (a, b) != (i, j) and a in pairing.old and b in pairing.new
            ),
            default=0.0,
        )
        needed = SAME_GUARDED if known[i].guarded else SAME
        if alike >= needed and alike - rival >= MARGIN:
            pairing.pair([(i, j)])
        elif known[i].guarded:
            doubts.append((i, j))
    _by_neighbours(pairing, known, score)
    return doubts


def _by_neighbours(
    pairing: _Pairing, known: Sequence[Known], score: dict[tuple[int, int], float]
) -> None:
    """Pair the last one left on each side when it kept its place between its old neighbours."""
    if len(pairing.old) != 1 or len(pairing.new) != 1:
        return
    (i,), (j,) = pairing.old, pairing.new
    of, present = pairing.of, sum(not k.ghost for k in known)
    before = of[j - 1] == i - 1 if j and i else j == i == 0
    after = of[j + 1] == i + 1 if j + 1 < len(of) else i + 1 == present
    alone = len(of) == 1  # without a neighbour there is nothing to go by
    placed = before and after and not alone and not known[i].ghost
    if not known[i].guarded and placed and score.get((i, j), 0.0) >= DOUBTFUL:
        pairing.pair([(i, j)])
