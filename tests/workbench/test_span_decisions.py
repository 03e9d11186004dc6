"""Units of a document: every step of a draft, what the log keeps, and the gold that comes of it."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.consensus.decision import Decision
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import AccordError, DecisionError, LabelError, OptionError
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.bench import Bench
from accord.workbench.people import Person
from accord.workbench.span_editor import STEPS, Draft, SpanEditor
from accord.workbench.span_units import MarkedUnit
from accord.workbench.written_answers import AnswerForm
from tests.workbench.serving import Answer, Client, serving

ANA = Person("ana")
TEXT = "Captain Nia Rask brought the ferry into Vellin."
MARKS = {
    "ana": [(8, 16, "PER"), (40, 46, "LOC")],
    "ben": [(0, 16, "PER"), (40, 46, "LOC")],
    "cem": [(8, 16, "PER"), (40, 46, "ORG")],
}


def study() -> accord.Study:
    rows: list[tuple[object, ...]] = [("n1", who, *mark, TEXT) for who, marks in MARKS.items() for mark in marks]
    rows += [("n2", who, None, None, None, "Nothing to see here.") for who in MARKS]
    columns = ("item", "annotator", "start", "end", "label", "text")
    return accord.Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), text="text")


@cache
def majority() -> SpanGold:
    found = accord.gold(study(), method="majority")
    assert isinstance(found, SpanGold)
    return found


@pytest.fixture
def gold() -> SpanGold:
    return majority()


@pytest.fixture
def editor(gold: SpanGold) -> SpanEditor:
    return SpanEditor(gold, 0)


def told(draft: Draft) -> list[str]:
    return [str(unit) for unit in draft.units]


def after(editor: SpanEditor, draft: Draft, *steps: str) -> Draft:
    for step in steps:
        word, _, with_it = step.partition(":")
        draft = editor.after(draft, word, with_it)
    return draft


def test_a_draft_begins_with_the_gold_and_the_first_unit_in_question(editor: SpanEditor) -> None:
    draft = editor.begin()
    assert told(draft) == ["PER 8–16", "LOC 40–46"]
    assert str(draft.cursor) == "PER 0–16"


def test_a_unit_that_is_accepted_displaces_what_nobody_marked_beside_it(editor: SpanEditor) -> None:
    draft = after(editor, editor.begin(), "accept")
    assert told(draft) == ["PER 0–16", "LOC 40–46"]
    assert told(after(editor, draft, "accept")) == ["LOC 40–46"]


@pytest.mark.parametrize(
    ("steps", "units"),
    [
        (["next", "end-right"], ["PER 8–17", "LOC 40–46"]),
        (["next", "end-left"], ["PER 8–15", "LOC 40–46"]),
        (["next", "start-left"], ["PER 7–16", "LOC 40–46"]),
        (["next", "start-right"], ["PER 9–16", "LOC 40–46"]),
        (["next", "end-word-right"], ["PER 8–24", "LOC 40–46"]),
        (["next", "end-word-left"], ["PER 8–11", "LOC 40–46"]),
        (["next", "start-word-left"], ["PER 0–16", "LOC 40–46"]),
        (["next", "start-word-right"], ["PER 12–16", "LOC 40–46"]),
        (["next", "split"], ["PER 8–11", "PER 12–16", "LOC 40–46"]),
        (["next", "split:10"], ["PER 8–10", "PER 10–16", "LOC 40–46"]),
        (["next", "merge"], ["PER 8–46"]),
        (["next", "label:2"], ["ORG 8–16", "LOC 40–46"]),
        (["next", "delete"], ["LOC 40–46"]),
        (["next", "add"], ["PER 8–16", "PER 17–24", "LOC 40–46"]),
        (["add:25 34"], ["PER 8–16", "PER 25–34", "LOC 40–46"]),
        (["next", "delete", "back"], ["PER 8–16", "LOC 40–46"]),
        (["clear"], []),
        (["clear", "gold"], ["PER 8–16", "LOC 40–46"]),
        (["choose:3", "delete"], ["PER 8–16"]),
    ],
)
def test_every_step_does_what_it_says(editor: SpanEditor, steps: list[str], units: list[str]) -> None:
    assert told(after(editor, editor.begin(), *steps)) == units


def test_a_boundary_does_not_pass_the_other_nor_the_end_of_the_text(editor: SpanEditor) -> None:
    draft = after(editor, editor.begin(), "add:3 4")
    for step in ("start-right", "end-left", "split"):
        with pytest.raises(DecisionError):
            editor.after(draft, step)
    assert told(after(editor, draft, "start-word-left", "start-left"))[0] == "PER 0–4"
    with pytest.raises(LabelError, match="beyond the end"):
        editor.after(draft, "add", "40 4000")


def test_a_unit_that_is_not_kept_is_not_changed(editor: SpanEditor) -> None:
    with pytest.raises(DecisionError, match="Accept it first"):
        editor.after(editor.begin(), "end-right")


@pytest.mark.parametrize("number", ["0", "x", "-1", "9" * 5000])
def test_a_label_and_a_unit_are_one_of_those_there_are(editor: SpanEditor, number: str) -> None:
    for step in (editor.relabelled, editor.chosen):
        with pytest.raises(OptionError, match="must be a number from 1 to"):
            step(editor.begin(), number)


def test_units_in_pieces_are_split_into_their_pieces(editor: SpanEditor) -> None:
    pieces = Draft((MarkedUnit((0, 7, 12, 16), "PER"),), MarkedUnit((0, 7, 12, 16), "PER"))
    assert told(pieces) == ["PER 0–7 12–16"]
    assert told(editor.after(pieces, "split")) == ["PER 0–7", "PER 12–16"]
    assert editor.read(pieces.written) == pieces


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*STEPS, "label:1", "label:3", "choose:1", "add:5 9"]), max_size=12))
def test_no_way_through_the_steps_leaves_a_draft_that_cannot_be_kept(steps: list[str]) -> None:
    editor = SpanEditor(majority(), 0)
    draft = editor.begin()
    for step in steps:
        word, _, with_it = step.partition(":")
        try:
            draft = editor.after(draft, word, with_it)
        except AccordError:
            continue
        assert editor.read(draft.written) == draft
        assert editor.checked(draft.answer) == draft.units
        assert "".join(part.text for part in editor.line(draft)) == TEXT


@pytest.mark.parametrize(
    "answer",
    [
        "PER",
        [["PER"]],
        [[[5, 3], "PER"]],
        [[[-1, 3], "PER"]],
        [[[0, 3, 2, 5], "PER"]],
        [[[0, 3], "PET"]],
        [[[0, True], "PER"]],
        [[[0, 3], "PER"], [[0, 3], "PER"]],
        [[[0, 3e9], "PER"]],
    ],
)
def test_what_is_no_list_of_units_is_refused(editor: SpanEditor, answer: object) -> None:
    with pytest.raises(AccordError):
        editor.checked(answer)


def test_blind_nothing_is_told_of_what_others_marked(gold: SpanGold) -> None:
    blind = SpanEditor(gold, 0, blind=True)
    draft = blind.begin()
    assert (draft.units, blind.entries(draft), blind.lines()) == ((), [], [])
    marked = blind.after(draft, "add", "8 16")
    assert [entry.marked_by for entry in blind.entries(marked)] == [""]


def test_a_gold_holds_exactly_the_units_that_a_person_decided_on(gold: SpanGold) -> None:
    units = AnswerForm.of(gold.study).for_gold([[[0, 16], "PER"], [[25, 34], "ORG"]])
    made = gold._with_decided({0: Decision(units, "ana", "now"), 1: Decision([], "ana", "now")})
    assert [tuple(unit) for unit in made.labels[0]] == [(0, 16, "PER"), (25, 34, "ORG")]
    assert made.labels[1] == ()
    assert made.decided.all()
    table = made.to_table()
    assert [row["source"] for row in table if row["item"] == "n1"] == ["person", "person"]
    assert [tuple(unit) for unit in made._with_decided({0: Decision([], "ben", "later")}).labels[0]] == []


def test_decisions_of_units_are_kept_and_come_into_the_gold(tmp_path: Path) -> None:
    for _ in range(2):  # the second time they are read from the file
        bench = Bench.open(study(), tmp_path / "d.sqlite")
        place = bench.view.places["n1"]
        if bench.standing.of(place) is None:
            bench.decide(place, [[[8, 16], "ORG"]], ANA, "k1")
        final = FinalGold(bench)
        assert [tuple(unit) for unit in final.gold.labels[place]] == [(8, 16, "ORG")]
        assert final.provenance().tolist() == ["person", "unanimous"]
        assert final.items()[place].answer == [[[8, 16], "ORG"]]
        bench.close()


# -- in the browser's words, without a browser -------------------------------------------------------------------------


def step(client: Client, page: Answer, word: str, *more: tuple[str, str]) -> Answer:
    hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft", "show")]
    return client.post("/spans", [*hidden, ("step", word), *more])


def test_a_document_is_decided_step_by_step_over_http(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = lead.get("/queue")
        assert page.item == "n1"
        assert "2 of 3 marked it" not in page.text
        page = step(lead, page, "show")
        assert "2 of 3 marked it" in page.text
        page = step(lead, page, "end-right")
        assert "Accept it first" in page.text
        for word in ("next", "end-word-right", "label:2"):
            page = step(lead, page, word)
        assert [unit[0] for unit in json.loads(page.field("draft"))["units"]] == [[8, 24], [40, 46]]
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft")]
        answer = lead.follow(lead.post("/decide", hidden))
        assert "ORG 8–24, LOC 40–46" in answer.text
        stands = lead.workbench.bench.standing.of(0)
        assert stands is not None
        assert json.loads(stands.answer) == [[[8, 24], "ORG"], [[40, 46], "LOC"]]


def test_what_is_typed_beside_a_draft_stays_while_its_units_change(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        typed = [
            ("comment", 'of "Captain"\u200f?'),
            ("unclear", "1"),
            ("since", "1.5"),
            ("reason", "the item is broken"),
        ]
        page = step(lead, lead.get("/queue"), "show", *typed)
        page = step(lead, page, "next", *typed)
        assert page.field("since") == "1.5"
        assert 'value="of &#34;Captain&#34;\u200f?"' in page.text, "a mark of direction too"
        assert re.search(r"<option [^>]*selected>the item is broken</option>", page.text)
        assert 'name="unclear" value="1" checked' in page.text
        assert 'value="" maxlength' in step(lead, page, "next").text


def test_a_comment_is_kept_and_the_draft_with_it(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = step(lead, step(lead, lead.get("/queue"), "show"), "next")
        page = step(lead, page, "end-word-right")
        draft = page.field("draft")
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft", "show", "since")]
        page = lead.follow(lead.post("/comment", [*hidden, ("comment", "is a rank part of a name?")]))
        assert "Your comment on item n1 is kept" in page.text
        assert page.field("draft") == draft
        assert 'value="" maxlength' in page.text, "it is not sent twice"
        assert "2 of 3 marked it" in page.text


def test_nothing_to_be_marked_is_said_so(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = step(lead, lead.get("/queue"), "clear")
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft")]
        assert "You decided <b>nothing marked</b>" in lead.follow(lead.post("/decide", hidden)).text


def test_a_key_pressed_at_a_bare_text_decides_nothing(tmp_path: Path) -> None:
    """Blind, a text begins without units: the same Enter that decided the last one must not decide it unseen."""
    with serving(study(), tmp_path) as lead:
        page = lead.get("/queue")
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft")]
        refused = lead.post("/decide", hidden)
        assert refused.status == 409
        assert "say that nothing is to be marked" in refused.text
        assert lead.workbench.bench.progress().decided == 0
        assert "Decide that nothing is to be marked" in step(lead, page, "clear").text


def test_texts_that_were_decided_and_what_was_done_are_told_beside_a_text_too(tmp_path: Path) -> None:
    rows = [(item, who, *mark, TEXT) for item in ("n1", "n2") for who, marks in MARKS.items() for mark in marks]
    columns = ("item", "annotator", "start", "end", "label", "text")
    twice = accord.Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), text="text")
    with serving(twice, tmp_path, second_look=0.0) as lead:
        page = step(lead, lead.get("/queue"), "show")
        first = page.item
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "draft")]
        lead.post("/decide", [*hidden, ("reason", "a rank is no name")])
        shown = lead.get("/queue", item=json.dumps(first), show="answers").text
        assert "What was done to this item" in shown
        assert "Now it is" in shown
        other = next(item for item in lead.workbench.bench.study.items if item != first)
        beside = lead.get("/queue", item=json.dumps(other), show="answers").text
        assert "Like this one, and decided" in beside
        assert "a rank is no name" in beside


def test_lists_tell_what_was_marked_and_not_only_its_labels(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = html.unescape(lead.get("/items").text)
        assert "PER “Nia Rask”" in page
        assert "PER “Captain Nia Rask”" in page


def test_what_is_selected_in_the_text_is_marked(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = step(lead, lead.get("/queue"), "add", ("selection", "25 34"))
        assert json.loads(page.field("draft"))["units"] == [[[25, 34], "LOC"]]


def test_a_draft_that_no_page_made_is_refused(tmp_path: Path) -> None:
    with serving(study(), tmp_path) as lead:
        page = lead.get("/queue")
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key")]
        for draft in ("", "[]", "[" * 3000, '{"units": [[[0, 9], "X"]], "cursor": null, "earlier": []}'):
            answer = lead.post("/spans", [*hidden, ("draft", draft), ("step", "next")])
            assert answer.status == 409
        assert lead.post("/spans", [*hidden, ("draft", page.field("draft")), ("step", "fly")]).status == 200
