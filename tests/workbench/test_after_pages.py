"""What came of it: the report, the gold in files, a page for each annotator, the open points."""

from __future__ import annotations

import csv
import errno
import io
import json
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from accord.workbench.after.gold_downloads import forms_for
from accord.workbench.pages import after
from tests.workbench.serving import Client, contested, invited, serving


@pytest.fixture
def lead(tmp_path: Path) -> Iterator[Client]:
    """A lead who has overruled a majority, with a reason, where the guideline is unclear."""
    with serving(contested(), tmp_path, second_look=1.0) as client:
        said = [("answer", '"maybe"'), ("reason", "irony"), ("comment", "see <b>7</b>"), ("unclear", "1")]
        client.on_screen("/decide", *said, item='"i3"')
        yield client


def test_the_report_says_what_was_decided_and_why(lead: Client) -> None:
    page = lead.get("/after").text
    assert "<strong>1</strong><span>the majority was overruled</span>" in page
    assert "irony" in page
    assert "1 was decided by a person" in page


def test_two_adjudicators_are_compared(lead: Client) -> None:
    ben = invited(lead, "ben", "adjudicator")
    second = ben.get("/queue")
    assert second.item == "i3"
    assert "a second look" in second.text
    shown = ben.get("/queue", item='"i3"', show="answers").text
    assert "Now it is" not in shown, "nobody tells how it was decided"
    assert "What was done to this item" not in shown
    ben.on_screen("/decide", ("answer", '"yes"'))
    assert "Decided twice: 1 item," in lead.get("/after").text
    assert "Both agree on 0" in lead.get("/after").text


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "label-studio", "prodigy", "doccano"])
def test_the_gold_is_taken_along_as_a_file(lead: Client, form: str) -> None:
    answer = lead.get("/gold", form=form)
    assert answer.status == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="gold.')
    assert "i3" in answer.text or "number 3" in answer.text
    assert "maybe" in answer.text


def test_a_file_that_could_not_be_made_is_said(lead: Client) -> None:
    with mock.patch.object(after, "TemporaryDirectory", side_effect=OSError(errno.ENOSPC, "no room")):
        answer = lead.get("/gold", form="csv")
    assert answer.status == 400
    assert "could not be made: no room" in answer.text


def test_every_row_of_the_gold_says_where_it_is_from(lead: Client) -> None:
    rows = {row["item"]: row for row in csv.DictReader(io.StringIO(lead.get("/gold", form="csv").text))}
    assert (rows["i3"]["label"], rows["i3"]["provenance"]) == ("maybe", "person")
    assert rows["i1"]["provenance"] == "unanimous"
    assert rows["i3"]["decided_by"] == "lead"
    assert lead.get("/gold", form="floppy").status == 400


def test_an_annotator_learns_what_was_changed_and_why(lead: Client) -> None:
    number = lead.workbench.bench.study.annotators.index("ana") + 1
    page = lead.get("/annotator", number=str(number)).text
    assert f'<h1 dir="auto">annotator {number}</h1>' in page
    assert "yes → maybe" in page
    assert "irony; see &lt;b&gt;7&lt;/b&gt;; the guideline is unclear here" in page
    assert '<h1 dir="auto">ana</h1>' in lead.get("/annotator", number=str(number), names="").text
    assert lead.get("/annotator", number="99").status == 400


def test_names_are_hidden_and_never_told_to_readers(lead: Client) -> None:
    reader = invited(lead, "eve", "reader")
    assert ">ana<" not in lead.get("/annotators").text
    assert ">ana<" in lead.get("/annotators", names="").text
    assert ">ana<" not in reader.get("/annotators", names="").text
    assert ">ana<" not in reader.get("/annotator", number="1", names="").text


def test_no_file_that_is_taken_along_names_an_annotator(lead: Client) -> None:
    for form in forms_for(lead.workbench.bench):
        told = lead.get("/gold", form=form).text
        assert not [name for name in ("cyd", "dee") if name in told], form


def test_open_points_lead_to_their_items(lead: Client) -> None:
    page = lead.get("/open-points").text
    assert "see &lt;b&gt;7&lt;/b&gt;" in page
    assert 'href="/queue?item=%22i3%22&amp;show=answers"' in page


def test_rules_accept_and_are_taken_back(lead: Client) -> None:
    asked = lead.get("/rules", answers="3", share="100").text
    assert "unanimous, 3 answers or more" in asked
    form = {"answers": "3", "share": "100", "key": "one"}
    done = lead.follow(lead.post("/rules/accept", form)).text
    assert "items accepted: unanimous" in done
    accepted = lead.workbench.bench.progress().accepted
    assert accepted > 0
    lead.follow(lead.post("/rules/take-back", {"words": "unanimous, 3 answers or more", "key": "two"}))
    assert lead.workbench.bench.progress().accepted == 0
    sure = lead.get("/rules", answers="2", share="75", confidence="90")
    assert "75% of the answers alike, 2 answers or more, confidence 90% or more" in sure.text
    assert (sure.field("share"), sure.field("confidence")) == ("75", "90"), "what is typed and what is sent is per cent"
    assert lead.post("/rules/accept", {"answers": "many", "key": "x"}).status == 409
    assert lead.post("/rules/accept", {"answers": "3"}).status == 409, "no key"


def test_the_lead_sets_reasons_and_the_version_of_the_guideline_and_lets_the_model_learn(lead: Client) -> None:
    lead.post("/rules/reasons", {"reasons": "irony\r\n\r\ncontext ", "key": "r"})
    assert lead.workbench.bench.reasons == ("irony", "context")
    lead.post("/rules/guideline", {"version": "2.1", "key": "g"})
    lead.on_screen("/decide", ("answer", '"no"'))
    assert list(lead.workbench.bench.log.after())[-1].guideline_version == "2.1"
    assert "goes by random" in lead.follow(lead.post("/rules/order", {"order": "random"})).text
    assert lead.workbench.bench.options.order == "random"
    assert lead.post("/rules/order", {"order": "best"}).status == 409
    assert "has learned" in lead.follow(lead.post("/rules/relearn")).text


def test_a_reader_reads_and_decides_nothing(lead: Client) -> None:
    reader = invited(lead, "eve", "reader")
    assert reader.get("/after").status == 200
    assert reader.get("/queue").status == 403
    assert "Begin to decide" not in reader.get("/").text
    assert json.loads(reader.get("/live").text)["decided"] == 1
