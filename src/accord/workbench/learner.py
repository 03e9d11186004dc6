"""The model that learns from what people decide: fitted again some dozen decisions at a time, aside."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import RLock, Thread

import numpy as np

from accord.consensus.gold import Gold
from accord.consensus.make_gold import gold as gold_of
from accord.errors import AccordError
from accord.workbench.bench_options import BenchOptions
from accord.workbench.bench_state import BenchState
from accord.workbench.item_states import DECIDED
from accord.workbench.queue_order import worth
from accord.workbench.written_answers import read_back

LEARNED_FROM = 20  # decisions at least, before the model learns from them
LEARNED_SHARE = 0.05  # of the contested items
TAUGHT_ANNOTATIONS = 500_000  # up to here: beyond, a fit takes too long to be made again and again
TAUGHT = ("single", "set", "score")  # what a gold holds that known answers can teach


class Learner:
    """What a bench learns by, under the bench's lock and by its options, which may change meanwhile."""

    def __init__(self, lock: RLock, options: Callable[[], BenchOptions]) -> None:
        self._lock, self._options = lock, options
        self._unlearned = 0  # decisions since the model learned from them
        self.at_work: Thread | None = None

    def decided(self, state: BenchState) -> None:
        """Somebody decided an item: learn from some dozen decisions at a time, so that nobody waits for it."""
        with self._lock:
            self._unlearned += 1
            enough = self._unlearned >= max(LEARNED_FROM, LEARNED_SHARE * np.count_nonzero(state.contested))
            if not enough or not self._options().learns or state.gold.study.n_annotations > TAUGHT_ANNOTATIONS:
                return
            if self.at_work is not None and self.at_work.is_alive():
                return
            self._unlearned = 0
            self.at_work = Thread(target=self._learn_aside, args=(state,), daemon=True)
        self.at_work.start()

    def _learn_aside(self, state: BenchState) -> None:
        with suppress(AccordError):  # then the model and the order stay as they are
            self.learn(state)

    def learn(self, state: BenchState) -> None:
        """Fit the gold again with the decisions as known labels, and put the queue in order.

        Where the export was read again meanwhile, it is a state that nobody looks at any more that has learned.
        """
        taught, ranked = self.taught(state), False
        while not ranked:
            options = self._options()
            value = worth(taught, options.order, options.seed, options.costs)
            with self._lock:
                ranked = self._options() is options  # else another order was chosen meanwhile
                if ranked:
                    state.gold = state.view.gold = taught
                    state.rank(value, options.order)

    def taught(self, state: BenchState) -> Gold:
        """The gold fitted again with what people decided as known labels; as it is where nothing can be taught."""
        gold = state.gold
        if gold.kind not in TAUGHT:
            return gold
        with self._lock:
            stands = state.standing.all_of(DECIDED)
        items, for_gold = gold.study.items, state.form.for_gold
        known = {items[place]: for_gold(read_back(one.answer)) for place, one in stands.items()}
        if not known:
            return gold
        if gold.choice is not None:  # held-out answers chose the model, and choose again
            return gold_of(gold.study, known=known)
        return gold_of(gold.study, method=gold.method, known=known, **dict(gold.options))
