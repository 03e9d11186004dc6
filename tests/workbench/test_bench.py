"""The bench: who gets which item, what is decided, undone, accepted and looked at twice."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.consensus.decision_value import decision_value
from accord.errors import DecisionError, FileError, LabelError, OptionError
from accord.workbench.bench import Bench
from accord.workbench.bench_options import Note
from accord.workbench.people import Person
from accord.workbench.rules import Rule
from tests.workbench.bench_made import ANA, BEN, LEA, RITA, bench, rows, study


def test_a_decision_stands_after_a_restart(tmp_path: Path) -> None:
    first = bench(tmp_path)
    place = first.next_item(ANA)
    assert place is not None
    first.decide(place, "b", ANA, "k", note=Note("a slip", "see above", unclear=True, seconds=2))
    first.close()
    again = bench(tmp_path)
    stands = again.standing.of(place)
    assert stands is not None
    assert (stands.answer, stands.by) == ('"b"', "ana")
    assert again.progress().decided == 1
    again.close()


def test_nobody_gets_an_item_that_another_is_deciding(tmp_path: Path) -> None:
    made = bench(tmp_path)
    got = [made.next_item(who) for who in (ANA, BEN, LEA)]
    assert len(set(got)) == 3
    mine = got[0]
    assert mine is not None
    with pytest.raises(DecisionError, match="ana is deciding item"):
        made.decide(mine, "a", BEN, "k")
    assert made.standing.of(mine) is None
    made.close()


def test_a_claim_ends_after_a_while(tmp_path: Path) -> None:
    made = bench(tmp_path)
    time = [0.0]
    made.claims.clock = lambda: time[0]
    place = made.next_item(ANA)
    assert place is not None
    assert made.next_item(BEN) != place
    time[0] = made.claims.lease + 1
    assert made.next_item(BEN) == place
    made.close()


def test_what_another_decided_since_is_not_overruled_unseen(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "a", BEN, "ben's")
    with pytest.raises(DecisionError, match="ben decided item 'i0' while you had it open"):
        made.decide(0, "b", ANA, "ana's", seen=0)
    stands = made.standing.of(0)
    assert stands is not None
    assert (stands.answer, stands.by) == ('"a"', "ben")
    assert made.claims.holder(0) is None
    assert made.decide(0, "b", ANA, "ana's", seen=stands.number).before == '"a"', "whoever saw it may"
    assert made.decide(0, "c", ANA, "ana's other window", seen=stands.number).before == '"b"', "one's own too"
    made.close()


def test_a_retry_brings_nothing_back_that_was_taken_back_since(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "a", ANA, "k")
    made.undo(ANA, "u")
    made.decide(0, "a", ANA, "k")
    assert made.standing.of(0) is None
    assert made.progress().decided == 0
    made.set_guideline("1", LEA, "g1")
    made.set_guideline("2", LEA, "g2")
    made.set_guideline("1", LEA, "g1")
    assert made.guideline_version == "2"
    made.close()
    again = bench(tmp_path)
    assert (again.standing.of(0), again.guideline_version) == (None, "2"), "as after a restart"
    again.close()


def test_every_item_is_offered_once_to_three_who_work_at_once(tmp_path: Path) -> None:
    patterns = tuple("abc"[number % 3] + "ab" for number in range(60))
    made = bench(tmp_path, study(patterns), second_look=0.0)
    seen: list[int] = []

    def work(who: Person) -> None:
        while (place := made.next_item(who)) is not None:
            seen.append(place)
            made.decide(place, "a", who, f"{who.name}-{place}")

    threads = [threading.Thread(target=work, args=[who]) for who in (ANA, BEN, LEA)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(60))
    progress = made.progress()
    assert (progress.decided, sum(who.decided for who in progress.people)) == (60, 60)
    made.close()


def test_a_changed_mind_is_a_new_row_and_an_undo_another(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "a", ANA, "k1")
    made.decide(0, "b", ANA, "k2")
    row = made.undo(ANA, "k3")
    assert row is not None
    assert (row.before, row.after) == ('"b"', '"a"')
    stands = made.standing.of(0)
    assert stands is not None
    assert stands.answer == '"a"'
    assert made.undo(ANA, "k3") == row  # a retry takes nothing else back
    made.undo(ANA, "k4")
    assert made.standing.of(0) is None
    assert made.undo(ANA, "k5") is None
    made.close()
    again = bench(tmp_path)
    assert again.standing.of(0) is None
    assert again.progress().people == ()
    again.close()


def test_an_undo_takes_back_ones_own_and_leaves_what_others_decided_since(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "a", ANA, "k1")
    made.decide(0, "b", BEN, "k2")
    made.undo(ANA, "k3")
    stands = made.standing.of(0)
    assert stands is not None
    assert (stands.answer, stands.by) == ('"b"', "ben")
    made.close()


def test_skipped_items_come_again_at_the_end_and_to_others_at_once(tmp_path: Path) -> None:
    made = bench(tmp_path)
    first = made.next_item(ANA)
    assert first is not None
    made.skip(first, ANA, "s")
    assert made.next_item(BEN) == first
    made.claims.release("ben", first)
    rest = []
    while (place := made.next_item(ANA)) != first:
        assert place is not None
        rest.append(place)
        made.decide(place, "a", ANA, f"k{place}")
    assert sorted([*rest, first]) == list(range(6))
    made.close()


def test_a_retry_of_a_decision_is_the_same_decision_though_another_has_the_item_now(tmp_path: Path) -> None:
    made = bench(tmp_path)
    row = made.decide(0, "a", ANA, "k")
    assert made.claims.take(0, "ben")
    assert made.decide(0, "a", ANA, "k") == row
    made.close()


def test_a_second_person_decides_blind_and_the_first_decision_stands(tmp_path: Path) -> None:
    made = bench(tmp_path, second_look=1.0)
    made.decide(0, "a", ANA, "k1")
    assert made.next_item(ANA) != 0
    assert made.next_item(BEN) == 0
    screen = made.screen(0, BEN, shown=True)
    assert (screen.second_look, screen.stands, screen.history) == (True, None, ())
    before = screen.chances
    made.relearn()
    taught = made.screen(0, BEN, shown=True)
    assert (taught.suggestion, made.screen(0, ANA, shown=True).suggestion) == (None, "a")
    assert max(one.probability or 0 for one in taught.chances) < 1 - 1e-6
    assert [one.votes for one in taught.chances] == [one.votes for one in before]
    made.decide(0, "b", BEN, "k2", second_look=True)
    assert made.standing.decided_by == {"ana": 1}
    assert made.progress().differ == 1
    assert made.next_item(LEA) == 0  # the lead settles it
    made.decide(0, "b", LEA, "k3")
    assert (made.progress().differ, made.progress().second_looks) == (0, 1)
    with pytest.raises(DecisionError, match="no second look any more"):
        made.decide(0, "a", BEN, "k4", second_look=True)
    made.close()


def test_a_lead_can_leave_for_later_what_two_decided_differently(tmp_path: Path) -> None:
    made = bench(tmp_path, second_look=1.0)
    made.decide(0, "a", ANA, "k1")
    made.decide(0, "b", BEN, "k2", second_look=True)
    assert made.next_item(LEA) == 0
    made.skip(0, LEA, "k3")
    offered = []
    while (place := made.next_item(LEA)) not in (0, None):
        made.decide(place, "a", LEA, f"of {place}")
        offered.append(place)
    assert (place, sorted(offered)) == (0, [1, 2, 3, 4, 5]), "it comes again when nothing else is left"
    made.close()


def test_what_two_decided_differently_is_no_part_of_a_list_without_it(tmp_path: Path) -> None:
    made = bench(tmp_path, second_look=1.0)
    made.decide(0, "a", ANA, "k1")
    made.decide(0, "b", BEN, "k2", second_look=True)
    made.decide(1, "b", ANA, "k3")
    among = np.arange(6) == 3
    assert made.next_item(LEA, among) == 3
    made.close()


def test_a_share_is_from_0_to_1(tmp_path: Path) -> None:
    for share in (3, -0.1, float("nan"), "a"):
        with pytest.raises(OptionError, match="second_look must be a share from 0 to 1"):
            bench(tmp_path, second_look=share)


def test_the_random_tenth_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    made = bench(tmp_path, study(("ab" + "a",) * 2_000))
    drawn = [place for place in range(2_000) if made.second_looks.drawn(place)]
    assert 140 < len(drawn) < 260
    made.close()
    again = bench(tmp_path, study(("ab" + "a",) * 2_000))
    assert [place for place in range(2_000) if again.second_looks.drawn(place)] == drawn
    again.close()


def test_a_rule_accepts_in_words_and_is_taken_back(tmp_path: Path) -> None:
    made = bench(tmp_path)
    rule = Rule(answers=3)
    assert made.accepts(rule) == made.accept(rule, LEA, "r") == 2
    assert made.rules() == {"unanimous, 3 answers or more": 2}
    assert made.accept(rule, LEA, "r2") == 0
    made.close()
    again = bench(tmp_path)
    assert again.progress().accepted == 2
    assert [row.rule for row in again.log.of_item('"i2"')] == ["unanimous, 3 answers or more"]
    assert again.take_back(rule.words, LEA, "t") == 2
    assert (again.rules(), again.progress().accepted) == ({}, 0)
    again.close()
    last = bench(tmp_path)
    assert last.progress().accepted == 0
    last.close()


def test_a_rule_leaves_alone_what_people_decided_or_are_deciding(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(2, "b", ANA, "k")
    made.claim(4, BEN)
    assert made.accept(Rule(), LEA, "r") == 0
    assert made.accepts(Rule(share=0.6)) == 4
    made.close()


def test_roles_are_kept(tmp_path: Path) -> None:
    boss: Any = "boss"
    made = bench(tmp_path)
    with pytest.raises(DecisionError, match="reader's link"):
        made.next_item(RITA)
    with pytest.raises(DecisionError, match="reader's link"):
        made.decide(0, "a", RITA, "k")
    with pytest.raises(DecisionError, match="Only the lead accepts"):
        made.accept(Rule(), ANA, "k")
    with pytest.raises(DecisionError, match="Only the lead changes the reasons"):
        made.set_reasons(["x"], ANA, "k")
    with pytest.raises(OptionError, match="role must be one of"):
        Person("x", boss)
    with pytest.raises(OptionError, match="name must be a name"):
        Person(" ")
    made.close()


def test_reasons_and_the_guidelines_version_are_kept_in_the_log(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.set_reasons(["one", " one ", "two", ""], LEA, "k1")
    made.set_guideline("2.1", LEA, "k2")
    assert made.decide(0, "a", ANA, "k3").guideline_version == "2.1"
    made.close()
    again = bench(tmp_path)
    assert (again.reasons, again.guideline_version) == (("one", "two"), "2.1")
    again.close()


def test_an_answer_must_be_one_of_the_study(tmp_path: Path) -> None:
    made = bench(tmp_path)
    with pytest.raises(LabelError, match="'d' is none of the labels"):
        made.decide(0, "d", ANA, "k")
    assert made.claims.held() == {}
    made.close()


def test_the_screen_is_blind_until_shown_and_hides_names_unless_asked(tmp_path: Path) -> None:
    made = bench(tmp_path)
    blind = made.screen(0, ANA)
    assert (blind.text, blind.labels, blind.n_answers) == ("the words of item number 0", ("a", "b", "c"), 3)
    assert (blind.answers, blind.chances, blind.similar, blind.suggestion) == ((), (), (), None)
    shown = made.screen(0, ANA, shown=True)
    assert [one.annotator for one in shown.answers] == ["annotator 1", "annotator 2", "annotator 3"]
    assert [one.annotator for one in made.screen(0, ANA, shown=True, names=True).answers] == ["x", "y", "z"]
    assert shown.confused is not None
    assert (shown.confused.both, shown.confused.either) == (3, 6)
    made.close()


def test_similar_items_show_how_they_were_decided(tmp_path: Path) -> None:
    made = bench(tmp_path, study(("aab", "aba", "baa", "abb")))
    made.decide(1, "b", ANA, "k", note=Note("the guideline settles it"))
    (similar,) = made.screen(0, BEN, shown=True).similar
    assert (similar.item, similar.decided, similar.reason) == ("i1", "b", "the guideline settles it")
    made.close()


def test_items_of_much_the_same_words_are_similar_too(tmp_path: Path) -> None:
    texts = ("the parcel came late and broken", "late and broken the parcel came", "nothing like the others here")
    answers = ("aab", "abb", "aaa")
    table = [
        {"item": number, "annotator": who, "label": label, "text": texts[number]}
        for number, labels in enumerate(answers)
        for who, label in zip("xyz", labels, strict=True)
    ]
    made = bench(tmp_path, accord.Study(table, text="text"))
    made.decide(1, "b", ANA, "k1")
    made.decide(2, "a", ANA, "k2")
    assert [(one.item, one.why) for one in made.screen(0, BEN, shown=True).similar] == [(1, "similar words")]
    made.close()


def test_contested_items_come_first_however_sure_the_model_is(tmp_path: Path) -> None:
    """Here the model knows that z answers otherwise, and is as sure of what is contested as of the rest."""
    made = bench(tmp_path, study(("aaa", "bbb", "ccc", "aab", "bbc", "cca") * 10), second_look=0.0)
    assert made.contested[made.queue.order[:30]].all()
    made.set_order("given", LEA)
    in_file = [int(str(made.study.items[place])[1:]) for place in made.queue.order.tolist()]
    assert in_file == sorted(in_file)
    made.close()


def test_the_model_learns_after_some_dozen_decisions(tmp_path: Path) -> None:
    made = bench(tmp_path, study(("aab", "abb", "aaa", "bbb", "aab", "bba") * 6), second_look=0.0)
    for place in range(20):
        made.decide(place, "ab"[place % 2], ANA, f"k{place}")
    assert made.learner.at_work is not None
    made.learner.at_work.join()
    assert made.gold.known is not None
    assert made.gold.known.sum() == 20
    made.close()


def test_as_the_majority_needs_one(tmp_path: Path) -> None:
    made = bench(tmp_path)
    assert made.as_majority(0) == "a"
    with pytest.raises(DecisionError, match="no majority to follow"):
        made.as_majority(3)
    made.close()


def test_a_log_of_another_study_is_refused_and_stays(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "a", ANA, "k")
    made.close()
    before = (tmp_path / "decisions.sqlite").read_bytes()
    other = accord.Study([row | {"item": f"other-{row['item']}"} for row in rows()])
    with pytest.raises(FileError, match=r"decisions of another study.*name another file: decisions=") as told:
        bench(tmp_path, other)
    assert "of items such as 'i0', 'i1', 'i2', while this one has such as 'other-i0', 'other-i1'" in str(told.value)
    numbers = accord.Study([row | {"label": f"new-{row['label']}"} for row in rows()])
    with pytest.raises(FileError, match="whose labels are"):
        bench(tmp_path, numbers)
    assert (tmp_path / "decisions.sqlite").read_bytes() == before


def test_decisions_stay_when_the_export_is_read_again(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "b", ANA, "k")
    held = made.next_item(BEN)
    assert held is not None
    key = made.view.key(held)
    more = [{"item": "a new one", "annotator": who, "label": "a", "text": "new words"} for who in "xyz"]
    made.renew(accord.Study([*more, *rows()]))
    stands = made.standing.of(made.view.places["i0"])
    assert stands is not None
    assert (stands.answer, made.progress().items) == ('"b"', 7)
    place = made.view.place(key)
    assert place is not None
    assert made.claims.holder(place) == "ben"
    made.close()


def test_decisions_teach_the_model(tmp_path: Path) -> None:
    patterns = ("aab", "abb", "aaa", "bbb", "aab", "bba") * 6
    made = bench(tmp_path, study(patterns), second_look=0.0)
    for place in range(6):
        made.decide(place, "ab"[place % 2], ANA, f"k{place}")
    made.relearn()
    assert made.gold.known is not None
    assert made.gold.known.sum() == 6
    assert made.standing.of(0) is not None
    made.close()


@pytest.mark.parametrize("order", ["value", "uncertainty", "disagreement", "given", "random"])
def test_every_order_offers_every_item(order: str, tmp_path: Path) -> None:
    made = bench(tmp_path, order=order)
    assert sorted(made.queue.order.tolist()) == list(range(6))
    made.close()


def test_costs_change_the_order(tmp_path: Path) -> None:
    dear = {("a", "b"): 1.0, ("b", "a"): 50.0}
    patterns = study(("aab", "bba", "abb", "aaa", "bbb") * 3)
    made = bench(tmp_path, patterns, costs=dear)
    assert made.queue.value == pytest.approx(decision_value(made.gold, np.array([[0.0, 1.0], [50.0, 0.0]])).total)
    made.close()
    with pytest.raises(OptionError, match="costs say what wrong single labels cost"):
        bench(tmp_path, patterns, costs=dear, order="given")


def test_a_note_is_checked() -> None:
    with pytest.raises(OptionError, match="seconds must be"):
        Note(seconds=float("nan"))
    with pytest.raises(OptionError, match="comment must have"):
        Note(comment="x" * 10_001)


def test_a_comment_says_something(tmp_path: Path) -> None:
    made: Bench = bench(tmp_path)
    with pytest.raises(DecisionError, match="says nothing"):
        made.comment(0, ANA, "k", Note())
    made.comment(0, ANA, "k", Note(comment="look at this"))
    assert made.standing.of(0) is None
    made.close()
