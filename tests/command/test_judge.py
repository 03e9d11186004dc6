"""`accord judge`: one call of `judge.verdict`, printed or as JSON, with its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from tests.command.running import run
from tests.command.test_command import as_json, golden

EXAMPLES = Path(__file__).parents[2] / "examples"
STUDY = "judged-answers.csv"


def test_judge_prints_a_sentence_a_model_and_the_tables() -> None:
    said = run("judge", STUDY, "--quiet", folder=EXAMPLES)
    assert said.code == 0
    assert said.out.startswith("careful passes, but with other items it might not have. Kappa 0.602")
    golden("judge.txt", said.out)


def test_judge_tells_the_same_in_json_as_the_library() -> None:
    said = run("judge", STUDY, "--json", "--seed", "3", "--epsilon", "0.2", folder=EXAMPLES)
    expected = accord.judge.verdict(accord.read(EXAMPLES / STUDY), rng=3, epsilon=0.2).to_dict()
    assert json.loads(said.out) == json.loads(json.dumps(expected))
    assert as_json(said)["object"] == "judgement"


def test_judge_takes_models_people_gold_and_a_measure() -> None:
    said = run(
        "judge", STUDY, "-q", "--models", "careful,hasty", "--people", "ana,ben", "--gold", "chloe", "--measure",
        "accuracy", "--unparsable", "label", folder=EXAMPLES,
    )  # fmt: skip
    assert said.code == 0
    assert "careful cannot be tested: that takes three people" in said.out
    assert "count as the label 'unparsable'" in said.out
    assert "flatterer" not in said.out


def test_judge_fails_a_build_unless_every_model_passes() -> None:
    assert run("judge", STUDY, "-q", "--fail-unless-passed", folder=EXAMPLES).code == 1
    assert run("judge", STUDY, "-q", "--fail-unless-passed", "--models", "careful", folder=EXAMPLES).code == 0


def test_judge_hides_people_and_not_models() -> None:
    said = run("judge", STUDY, "--json", "--anonymise", folder=EXAMPLES)
    assert said.code == 0
    assert not any(name in said.out for name in ("ana", "chloe", "dario"))
    assert '"A4"' in said.out
    assert '"careful"' in said.out
    refused = run("judge", STUDY, "--anonymise", "--people", "ana,ben,chloe", folder=EXAMPLES)
    assert (refused.code, refused.out) == (2, "")


def test_judge_knows_nothing_of_who_is_left_out() -> None:
    said = run("judge", STUDY, "-q", "--exclude", "hasty,flatterer", "--fail-unless-passed", folder=EXAMPLES)
    assert said.code == 0
    assert not any(name in said.out for name in ("hasty", "flatterer", "untested"))


def test_judge_takes_runs_under_names_of_their_own(tmp_path: Path) -> None:
    rows = [f"{item},gpt-run{run},{'xy'[item % (run + 1) == 0]}" for item in range(8) for run in (1, 2)]
    (tmp_path / "runs.csv").write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    asked = run("judge", "runs.csv", "-q", "--about", "consistency", folder=tmp_path)
    assert "list them: --runs gpt-1,gpt-2." in asked.err
    said = run("judge", "runs.csv", "-q", "--about", "consistency", "--runs", "gpt-run1,gpt-run2", folder=tmp_path)
    assert said.out.startswith("gpt-run: 8 items, 2 answers each")


def test_judge_reads_verdicts_that_name_the_answer(tmp_path: Path) -> None:
    rows = [f"{pair},gpt-4,{'AB'[pair % 2]},{order}" for pair in range(6) for order in ("ab", "ba")]
    (tmp_path / "pairs.csv").write_text("\n".join(["item,annotator,label,order", *rows]), encoding="utf-8")
    asking = ("judge", "pairs.csv", "-q", "--duplicates", "repeat", "--about", "position", "--order", "order")
    assert "Say the labels for what was shown first and second: --positions" in run(*asking, folder=tmp_path).err
    placed = run(*asking, "--positions", "A,B", folder=tmp_path)
    assert "If labels name the answer wherever it is shown, say --verdicts answers." in placed.out
    named = run(*asking, "--positions", "A,B", "--verdicts", "answers", folder=tmp_path)
    assert "100.0% have the same winner" in named.out


def test_judge_says_what_is_wrong_in_one_line() -> None:
    for arguments, told in (
        (("judge", STUDY, "--annotators", "all"), "--annotators all takes people and models alike. Leave it out"),
        (("judge", STUDY, "--where", "kind=person"), "no answers of a model are left: 'careful'"),
        (("judge", STUDY, "--level", "ordinal"), "--level ordinal needs labels in an order"),
        (("judge", STUDY, "--models", "carefull"), "Did you mean 'careful'?"),
        (("judge", "five-annotators.csv"), "nobody here is known to be one"),
        (("judge", STUDY, "--epsilon", "2"), "epsilon must be a margin"),
        (("judge", STUDY, "--closeness", "near"), "closeness must be one of"),
    ):
        said = run(*arguments, folder=EXAMPLES)
        assert (said.code, said.out) == (2, ""), arguments
        assert said.err.count("\n") == 1
        assert told in said.err


@pytest.mark.parametrize(("options", "told"), [
    (("--about", "labels", "--gold", "x"), "--gold is for the verdict on models or --about consistency or"),
    (("--about", "labels", "--measure", "kappa"), "--measure is for the verdict on models, not for --about labels"),
    (("--about", "labels", "--fail-unless-passed"), "--fail-unless-passed is for the verdict on models or"),
    (("--facets", "prompt"), "--facets is for --about consistency, not for the verdict on models"),
    (("--about", "position"), "shown? --order …"),
    (("--epsilon", "4"), "--epsilon must be a margin"),
    (("--closeness", "near"), "--closeness must be one of"),
])  # fmt: skip
def test_judge_refuses_options_that_would_do_nothing_or_cannot_be(options: tuple[str, ...], told: str) -> None:
    said = run("judge", STUDY, "-q", *options, folder=EXAMPLES)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_judge_names_the_way_out_in_the_words_of_the_command() -> None:
    said = run("judge", "five-annotators.csv", "-q", folder=EXAMPLES)
    assert said.err.endswith("Name them, --models …, or the column that tells, --kind kind.\n")


def test_judge_takes_scores_and_makes_the_alternative_annotator_test_of_them(tmp_path: Path) -> None:
    rows = [f"{item},{who},{item + shift},{kind}" for item in range(40) for who, shift, kind in (
        ("ana", 0.1, "person"), ("ben", 0.2, "person"), ("chloe", 0.3, "person"), ("gpt", 9, "model"))]  # fmt: skip
    (tmp_path / "scores.csv").write_text("\n".join(["item,annotator,score,kind", *rows]), encoding="utf-8")
    judged = run("judge", "scores.csv", "-q", folder=tmp_path)
    assert judged.code == 0
    assert "It scores 8.8 above people on average" in judged.out
    assert run("judge", "scores.csv", "-q", "--measure", "kappa", folder=tmp_path).code == 2
    said = run("judge", "scores.csv", "-q", "--about", "alt-test", folder=tmp_path)
    assert (said.code, said.out.startswith("gpt is not shown to be fit")) == (0, True)
    assert run("judge", "scores.csv", "-q", "--about", "alt-test", "--fail-unless-passed", folder=tmp_path).code == 1
    told = as_json(run("judge", "scores.csv", "--json", "--about", "alt-test", folder=tmp_path))
    assert told["values"]["closeness"] == "rmse"
