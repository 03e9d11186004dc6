"""The queue as forms: each kind of answer decided as what it is, undone, skipped, commented; blind, then shown."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from accord import Study
from accord.errors import FileError
from accord.workbench.controls import LABEL_KEYS, TAKEN, choices
from tests.reporting import pages as studies
from tests.reporting.hostile import HOSTILE, hostile_study
from tests.workbench.serving import Client, contested, invited, serving


@pytest.fixture
def lead(tmp_path: Path) -> Iterator[Client]:
    with serving(contested(), tmp_path) as client:
        yield client


def standing(client: Client, item: object) -> tuple[str, str]:
    """What stands of an item, and by whom."""
    bench = client.workbench.bench
    place = bench.view.place(json.dumps(item))
    assert place is not None
    stands = bench.standing.of(place)
    assert stands is not None
    return stands.answer, stands.by


def test_a_label_is_decided_and_the_next_item_comes(lead: Client) -> None:
    first = lead.get("/queue")
    again = lead.get("/queue")
    assert again.item == first.item, "an item stays with whoever has it"
    after = lead.on_screen("/decide", ("answer", '"yes"'))
    assert after.item != first.item
    assert f"You decided <b>yes</b> for item {first.item}" in after.text
    assert standing(lead, first.item) == ('"yes"', "lead")


def test_the_page_is_blind_until_the_answers_are_asked_for_and_names_until_they_are(lead: Client) -> None:
    blind = lead.get("/queue")
    item = json.dumps(blind.item)
    assert "What was answered" not in blind.text
    assert "annotator 1" not in blind.text
    shown = lead.get("/queue", item=item, show="answers")
    assert "annotator 1" in shown.text
    assert not re.search(r"\bben\b", shown.text)
    assert re.search(r"\bben\b", lead.get("/queue", item=item, show="names").text)


def test_the_same_form_sent_twice_is_one_decision(lead: Client) -> None:
    page = lead.get("/queue")
    form = [(name, page.field(name)) for name in ("form_token", "item", "key", "since")] + [("answer", '"no"')]
    first, second = lead.post("/decide", form), lead.post("/decide", form)
    assert first.headers["location"] == second.headers["location"]
    assert lead.workbench.bench.progress().decided == 1


def test_a_page_that_was_open_for_long_overrules_nobody_unseen(tmp_path: Path) -> None:
    with serving(contested(), tmp_path, second_look=0.0) as lead:
        ben = invited(lead, "ben", "adjudicator")
        page = lead.get("/queue")
        form = [(name, page.field(name)) for name in ("form_token", "item", "key", "since", "seen")]
        place = lead.workbench.bench.view.place(page.field("item"))
        assert place is not None
        lead.workbench.bench.claims.release("lead", place)  # as it ends by itself after a while
        assert ben.on_screen("/decide", ("answer", '"no"'), item=page.field("item")).status == 200
        refused = lead.post("/decide", [*form, ("answer", '"yes"')])
        assert refused.status == 409
        assert "ben decided item" in refused.text
        assert standing(lead, page.item) == ('"no"', "ben")


def test_a_key_of_another_decision_is_refused(lead: Client) -> None:
    page = lead.get("/queue")
    form = [(name, page.field(name)) for name in ("form_token", "item", "key", "since")]
    assert lead.post("/decide", [*form, ("answer", '"no"')]).status == 303
    other = lead.post("/decide", [*form, ("answer", '"yes"')])
    assert other.status == 409
    assert "belongs to another decision" in other.text


def test_undo_opens_the_item_again_and_skip_leaves_it(lead: Client) -> None:
    first = lead.get("/queue").item
    lead.on_screen("/decide", ("answer", '"yes"'))
    undone = lead.on_screen("/undo")
    assert undone.item == first
    assert "Taken back" in undone.text
    skipped = lead.on_screen("/skip")
    assert skipped.item != first
    assert f"You left item {first} for later" in skipped.text


def test_nothing_to_undo_is_said(lead: Client) -> None:
    refused = lead.on_screen("/undo")
    assert refused.status == 409
    assert "nothing of yours to take back" in refused.text


def test_the_majority_is_followed_where_there_is_one(lead: Client) -> None:
    assert 'name="majority"' not in lead.get("/queue", item='"i5"').text
    lead.on_screen("/decide", ("majority", "1"), item='"i3"')
    assert standing(lead, "i3") == ('"yes"', "lead")
    assert lead.on_screen("/decide", ("majority", "1"), item='"i5"').status == 409


def test_reason_comment_seconds_and_an_unclear_guideline_are_kept(lead: Client) -> None:
    reason = lead.workbench.bench.reasons[0]
    said = [("answer", '"no"'), ("reason", reason), ("comment", " it says so "), ("unclear", "1")]
    lead.on_screen("/decide", *said)
    row = list(lead.workbench.bench.log.after())[-1]
    assert (row.reason, row.comment, row.unclear) == (reason, "it says so", True)
    assert row.seconds is not None
    assert row.seconds >= 0


def test_a_comment_alone_decides_nothing(lead: Client) -> None:
    item = lead.get("/queue").item
    stayed = lead.on_screen("/comment", ("comment", "what of irony?"))
    assert stayed.item == item
    assert f"Your comment on item {item} is kept" in stayed.text
    assert lead.workbench.bench.progress().decided == 0
    assert lead.on_screen("/comment", ("comment", "")).status == 409
    assert lead.on_screen("/comment", ("comment", "x" * 5000)).status == 409


def test_nobody_gets_what_another_is_deciding(lead: Client) -> None:
    ben, cyd = invited(lead, "ben", "adjudicator"), invited(lead, "cyd", "adjudicator")
    items = [one.get("/queue").item for one in (lead, ben, cyd)]
    assert len(set(items)) == 3
    refused = ben.on_screen("/decide", ("answer", '"yes"'), item=json.dumps(items[0]))
    assert refused.status == 409
    assert "is deciding item" in refused.text


def test_an_item_that_another_is_deciding_says_so_to_whoever_opens_its_address(lead: Client) -> None:
    ben = invited(lead, "ben", "adjudicator")
    item = json.dumps(ben.get("/queue").item)
    assert "ben is deciding this item just now" in lead.get("/queue", item=item).text
    assert "deciding this item just now" not in ben.get("/queue", item=item).text
    refused = lead.on_screen("/decide", ("answer", '"yes"'), item=item)
    assert refused.status == 409
    assert "ben is deciding item" in refused.text
    ben.on_screen("/skip", item=item)
    assert "deciding this item just now" not in lead.get("/queue", item=item).text


def test_a_full_disk_is_said_with_the_way_back_and_nothing_is_counted(
    lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead.on_screen("/decide", ("answer", '"yes"'))
    before = lead.workbench.bench.progress().decided
    full = FileError("study.sqlite", "The decision was not kept: database or disk is full. Make room on the disk.")
    monkeypatch.setattr(lead.workbench.bench.log, "append", mock.Mock(side_effect=full))
    item = lead.get("/queue").item
    refused = lead.on_screen("/decide", ("answer", '"no"'))
    assert refused.status == 409
    assert "disk is full" in refused.text
    assert f'href="/queue?item=%22{item}%22"' in refused.text
    assert lead.workbench.bench.progress().decided == before
    monkeypatch.undo()
    assert lead.on_screen("/decide", ("answer", '"no"')).status == 200


def test_items_of_a_list_are_decided_one_after_another_and_no_others(lead: Client) -> None:
    listed = lead.get("/items", label="maybe", state="open").text
    found = re.search(r'href="(/queue\?among=[^"]+)"', listed)
    assert found is not None
    page, decided = lead.get(html.unescape(found[1])), []
    while "Nothing is left" not in page.text:
        decided.append(page.item)
        shown = lead.get("/queue", item=json.dumps(page.item), show="answers", among=page.field("among"))
        assert shown.field("among") == page.field("among"), "it stays with them"
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "since", "among")]
        page = lead.follow(lead.post("/decide", [*hidden, ("answer", '"yes"')]))
    assert sorted(decided) == ["i0", "i3", "i5", "i6", "i9"]
    assert "the items that you chose" in page.text
    assert lead.get("/queue", among="state=nowhere").status == 400


def test_everybody_sees_how_far_all_are(lead: Client) -> None:
    ben = invited(lead, "ben", "adjudicator")
    ben.on_screen("/decide", ("answer", '"yes"'))
    told = json.loads(lead.get("/live").text)
    assert told["decided"] == 1
    assert told["ben: decided"] == 1
    assert told["left"] == lead.workbench.bench.progress().contested_left


def test_a_form_that_makes_no_sense_is_said(lead: Client) -> None:
    assert lead.on_screen("/decide").status == 409, "no label"
    assert lead.on_screen("/decide", ("answer", '"no such label"')).status == 409
    assert lead.on_screen("/decide", ("answer", "{")).status == 409
    assert lead.get("/queue", item="{").status == 400
    assert lead.get("/queue", item='"nothing of this name"').status == 404
    for strange in ("NaN", "1e999", '{"a":-Infinity}', "[" * 50_000, "9" * 5_000):
        assert lead.post("/skip", {"item": strange, "key": "k"}).status == 409, strange[:20]
        assert lead.on_screen("/decide", ("answer", strange)).status == 409, strange[:20]
    assert lead.post("/decide", {"item": '"i3"', "answer": '"yes"'}).status == 409, "no key"


def test_sets_are_decided_as_sets(tmp_path: Path) -> None:
    with serving(studies.sets(), tmp_path) as lead:
        item = lead.get("/queue").item
        after = lead.on_screen("/decide", ("answer", '"x"'), ("answer", '"w"'))
        assert f"You decided <b>w + x</b> for item {item}" in after.text
        assert "No label was ticked" in lead.on_screen("/decide").text, "a key that was pressed twice decides nothing"
        both = lead.on_screen("/decide", ("answer", '"x"'), ("none", "1"))
        assert "ticked together" in both.text
        assert "You decided <b>∅</b>" in lead.on_screen("/decide", ("none", "1")).text


def test_ranked_labels_are_decided_in_their_order(tmp_path: Path) -> None:
    with serving(studies.ranked(), tmp_path) as lead:
        labels = lead.workbench.bench.study.labels
        first, second = json.dumps(labels[1]), json.dumps(labels[0])
        item = lead.get("/queue").item
        form = [("label", first), ("place", "1"), ("label", second), ("place", "2"), ("label", '"w"'), ("place", "")]
        after = lead.on_screen("/decide", *form)
        assert f"You decided <b>{labels[1]} &gt; {labels[0]}</b> for item {item}" in after.text
        for odd in ("x", "9" * 5000):
            assert lead.on_screen("/decide", ("label", first), ("place", odd)).status == 409


def test_preferences_say_what_is_compared(tmp_path: Path) -> None:
    rows = [("p1", "ana", "tern", "gull", "first"), ("p1", "ben", "gull", "tern", "first")]
    rows += [("p1", "cyd", "tern", "gull", "first"), ("p2", "ana", "gull", "auk", "second")]
    columns = ("item", "annotator", "left", "right", "winner")
    table = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    with serving(Study(table, label="winner", first="left", second="right"), tmp_path) as lead:
        page = html.unescape(lead.get("/queue", item='"p1"').text)
        assert re.findall(r'class="name" dir="auto">([^<]*)<', page) == ["first: tern", "second: gull"]
        page = html.unescape(lead.get("/queue", item='"p2"').text)
        assert re.findall(r'class="name" dir="auto">([^<]*)<', page) == ["first: gull", "second: auk"]
        lead.on_screen("/decide", ("answer", '"second"'), item='"p1"')
        assert standing(lead, "p1") == ('"second"', "lead")


def test_scores_are_decided_as_numbers(tmp_path: Path) -> None:
    with serving(studies.scores(), tmp_path) as lead:
        item = lead.get("/queue").item
        assert f"You decided <b>3.5</b> for item {item}" in lead.on_screen("/decide", ("answer", "3,5")).text
        refused = lead.on_screen("/decide", ("answer", "much"))
        assert refused.status == 409
        assert "A score is a number" in refused.text


def test_hostile_labels_texts_and_items_are_text(tmp_path: Path) -> None:
    with serving(hostile_study(), tmp_path, title=HOSTILE["script"]) as lead:
        for _ in range(3):
            page = lead.get("/queue")
            shown = lead.get("/queue", item=json.dumps(page.item), show="names")
            for text in (page.text, shown.text, lead.get("/").text):
                assert "<script>window" not in text
                assert "<img src=" not in text
                assert "\u202e" not in text
                assert 'onmouseover="' not in text
            label = json.dumps(lead.workbench.bench.study.labels[0])
            assert lead.on_screen("/decide", ("answer", label)).status == 200


def test_every_label_of_a_common_scale_has_a_key_of_its_own() -> None:
    made = choices([f"label {number}" for number in range(30)])
    keys = [one.key for one in made if one.key]
    assert len(set(keys)) == len(keys) == len(LABEL_KEYS)
    assert not set(keys) & set(TAKEN)
    assert made[-1].key == ""


def test_an_item_that_is_no_text_has_an_address(tmp_path: Path) -> None:
    study = Study({"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "label": ["x", "y", "y", "x"]})
    with serving(study, tmp_path) as lead:
        assert lead.get("/queue", item="2").item == 2
        assert lead.on_screen("/decide", ("answer", '"x"'), item="2").status == 200


def test_a_restart_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with serving(contested(), tmp_path) as lead:
        lead.on_screen("/decide", ("answer", '"yes"'))
        then = lead.workbench.bench.progress().decided
    with serving(contested(), tmp_path) as lead:
        assert lead.workbench.bench.progress().decided == then == 1


def test_pictures_come_from_their_folder_and_from_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "one.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "page.html").write_text("<script>")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    names = [
        "one.png",
        "link.png",
        "../secret.png",
        str(tmp_path / "secret.png"),
        "page.html",
        "https://example.invalid/x.png",
    ]
    names += ["nothing\x00.png", "half \ud83d.png", f"{'long' * 2000}.png"]
    rows = [
        (f"i{place}", who, label, name) for place, name in enumerate(names) for who, label in (("a", "x"), ("b", "y"))
    ]
    columns = dict(zip(("item", "annotator", "label", "image"), map(list, zip(*rows, strict=True)), strict=True))
    with serving(Study(columns), tmp_path, images=folder) as lead:
        statuses = [lead.get("/picture", item=f'"i{place}"').status for place in range(len(names))]
        assert statuses == [200] + [404] * (len(names) - 1)
        assert '<img class="picture" src="/picture?item=%22i0%22"' in lead.get("/queue", item='"i0"').text
        elsewhere = lead.get("/queue", item='"i5"').text
        assert "<img" not in elsewhere
        assert 'href="https://example.invalid/x.png"' in elsewhere
