"""Does a model say the same again? From a study to the repeated runs of one model, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.self_agreement_result import as_different_people, repeaters
from accord.annotations.factorize import Coded
from accord.consensus.score_against_reference import BINS, Closed
from accord.errors import (
    Keyword,
    MeasureError,
    Message,
    OptionError,
    Part,
    counted,
    keyword,
    one_of,
    one_task,
    quoted,
    remedy,
)
from accord.judge.calibration import calibrate, check_bins
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.reference_codes import reference_codes_of
from accord.judge.self_consistency_result import SelfConsistency
from accord.judge.variance_components import MOST_FACETS, FacetedAnswers, components, levels_of
from accord.measures.krippendorff import krippendorff_alpha
from accord.options import check_confidence, listed, one_or_listed
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

RUN = "run"
ONE_REPEAT: tuple[Part, ...] = (
    " answered every item once, so there is nothing to be consistent with: self-consistency needs two answers or more "
    "of one model to the same item. Ask the model again, with the same prompt or another, and give every answer a "
    "row: ",
    remedy("Study", "…", run="run", duplicates="repeat"),
    ". If the runs stand under different names, list them: ",
    remedy("self_consistency", "study", runs=["gpt-1", "gpt-2"]),
    ".",
)


def self_consistency(
    data: Any,
    /,
    *,
    model: str | None = None,
    runs: Sequence[str] | None = None,
    facets: Sequence[str] | str | None = None,
    gold: Any = None,
    bins: int = BINS,
    closed: Closed = "right",
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> SelfConsistency:
    """How far repeated answers of one model agree, where they differ, and whether consistency is a sign of being right.

    Args:
        data: A `Study` made with duplicates="repeat", one row per run; or what one is made of.
        model: Which annotator; not needed where only one answered an item more than once.
        runs: The annotators that are runs of one model, where runs stand under names of their own.
        facets: Columns that say how a run was made: the prompt, the temperature, the seed. Without it the study's run
            role. `sources` then tells which of them the noise comes from: σ² of the item, of each facet (it shifts all
            answers), of item × facet (it changes single answers) and of what is left over, as shares of matching pairs
            of answers (see `accord.judge.facets`).
        gold: What is true: a column, a mapping from item to label, a table, a Gold.
        bins: Into how many bins consistency goes, against correctness (see `calibrate`).
        closed: Which edge belongs to a bin, "right" or "left".
        unparsable: Answers with the status "unparsable", "refused" or "error" are "missing", or count as a "label".
        confidence: Of the intervals.
        labels: The scale: all labels there are, in order. Entropy is normalised by their number, used or not.
        **roles: The keywords of `Study`.

    Returns:
        A `SelfConsistency`: `alpha` of the runs, agreement, entropy, `by_item()`, `route()`; `sources` with facets,
        `calibration` with gold.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If no item has two answers of the model, or the answers are not single labels.
        OptionError: If an option has a value that it cannot take.

    Items with a single answer are left out and counted. Self-consistency is precision, not validity: a model may be
    always sure and always wrong. Report it beside agreement with people, never instead.

    References: krippendorff2004; koch1967; guo2017.

    >>> answers = [["A"] * 5, ["A", "B", "A", "A", "B"], ["B", "C", "A", "B", "C"], ["C", "C", "C", "B", "C"]]
    >>> study = Study.from_wide(answers)
    >>> found = self_consistency(study, runs=study.annotators)
    >>> round(found.alpha.value, 6), round(found.majority_agreement, 3), round(found.pairwise_agreement, 3)
    (0.337209, 0.7, 0.55)
    """
    check_confidence(confidence)
    check_bins(bins, closed)
    study = as_study(data, None, labels, roles).with_item_weights(None)  # a model's runs on these items, each once
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    if study.kind != "single":
        raise about_other_kinds("Self-consistency", ("single",), study.kind)
    participants = (
        participants_of(study, model=model, models=runs, unparsable=unparsable) if study._annotations.named else None
    )
    study = study if participants is None else participants.study
    name, part = _one_model(study, participants, model, runs)
    if isinstance(gold, str) and gold in (model, name, *(runs or ())):
        refused = " is the model itself, which is no gold for its own answers. Give another "
        raise OptionError(quoted(gold), refused, remedy(gold=...), ".", option=Keyword("gold", gold))
    reference = None if gold is None else reference_codes_of(study, gold)
    facets_given = _facets(part, facets, runs)
    found = SelfConsistency(name, part, krippendorff_alpha(as_different_people(part)), confidence, reference)
    stated, right = found.credit(reference) if reference is not None else (np.empty(0), np.empty(0))
    item, _, answer, _ = part._annotations.rows
    repeats = FacetedAnswers.of(item, answer, len(part.labels), facets_given)
    return replace(
        found,
        calibration=calibrate(stated, right, bins=bins, closed=closed, confidence=confidence) if len(stated) else None,
        sources=components(repeats, confidence) if repeats.facets else None,
        levels=levels_of(item, answer, facets_given, reference, len(part.labels), confidence) if facets_given else None,
        notes=(
            *_notes(found, facets_given, repeats, without_gold=reference is not None and not len(stated)),
            *(participants.notes(runs or [name]) if participants is not None else ()),
        ),
    )


def _notes(
    found: SelfConsistency, facets_given: dict[str, Coded], repeats: FacetedAnswers, *, without_gold: bool
) -> list[str]:
    """What was left out."""
    tally = found.study.tally()
    alone = int(tally.items @ (tally.answered == 1))
    notes = [f"{counted(alone, 'items')} with a single answer left out."] if alone else []
    notes += [
        Message(quoted(name), " has one level only and explains nothing.")
        for name in facets_given
        if name not in repeats.facets
    ]
    if found.alpha.undefined:
        notes.append(Message("Alpha is undefined. ", found.alpha.undefined))
    if without_gold:
        notes.append("The gold is for none of these items, so nothing is known of correctness.")
    return notes


def _one_model(
    study: Study, participants: Participants | None, model: str | None, runs: Sequence[str] | None
) -> tuple[str, Study]:
    """The answers of one model, and what it is called."""
    if runs is not None:
        if model is not None:
            raise OptionError(
                "Give ",
                keyword("model"),
                " or ",
                keyword("runs"),
                ", the names of one model, not both.",
            )
        rule = "name two annotators or more that are one model"
        runs = listed("runs", runs, rule)
        if len(runs) < 2:
            raise OptionError.must("runs", rule, runs)
        chosen = study.of_annotators(runs)  # which refuses what is no name
        return _common(chosen.annotators), _repeated(chosen, "Each run")
    if model is not None:
        return model, _repeated(study.of_annotators([model]), quoted(model))
    if participants is None:
        return "the model", _repeated(study, "The model")
    again = repeaters(study)
    if len(again) > 1:  # people may repeat themselves too
        again = [name for name in again if name in participants.models] or again
    if len(again) == 1 or study.n_annotators == 1:
        name = again[0] if again else study.annotators[int(study._present[0])]
        return name, _repeated(study.of_annotators([name]), quoted(name))
    if not again:
        raise MeasureError("Everybody", *ONE_REPEAT)
    several = "Several annotators answered items more than once: choose "
    raise OptionError(several, remedy(model=one_of(*again)), ".", available=again)


def _repeated(study: Study, who: Part) -> Study:
    if not study.tally().pairable.any():
        raise MeasureError(who, *ONE_REPEAT)
    return study


def _common(names: Sequence[str]) -> str:
    """What the names of runs begin with, or all of them."""
    first, last = min(names), max(names)
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:same].rstrip(" -_#.:") or f"the model of {len(names)} runs"


def _facets(study: Study, names_given: Sequence[str] | str | None, runs: Sequence[str] | None) -> dict[str, Coded]:
    """The level of each facet, one code per annotation."""
    names = list(dict.fromkeys(one_or_listed("facets", names_given, "name columns, such as ['prompt']")))
    if study.roles.get("item") in names:
        raise OptionError(
            "The item (", quoted(study.roles['item']), ") is compared in any case; ", Keyword("facets"),
            " say how a run was made. Leave it out.",
        )  # fmt: skip
    if len(names) > MOST_FACETS:
        raise OptionError.must("facets", f"be at most {MOST_FACETS}, to be told apart", list(names))
    found = {name: study._column(name, "facets") for name in names}
    if not names and runs is not None:
        found[RUN] = Coded(study._annotations.rows[1], study.annotators)
    elif not names and "run" in study.roles:
        found[study.roles["run"]] = study._column(study.roles["run"], "run")
    return found
