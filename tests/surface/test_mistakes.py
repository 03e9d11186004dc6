"""Mistakes of new users, in Python and at the command line: one clear sentence with the way out, or the right answer.

`MISTAKES` are tried as they stand, as somebody would type them; what follows must be in the message, and the message
must be one of ours: never a bare error of another package. Of these and of `MORE`, every error also says something as
data, so that no program reads English: what it is about, what there is, where, or the way out.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.cli import main
from accord.errors import AccordError

LONG: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["ana", "ben"] * 3,
    "label": ["x", "x", "y", "x", "y", "y"],
}
WIDE = {"ana": ["x", "y", "y"], "ben": ["x", "x", "y"]}
TRIPLES = [("c1", "i1", "y"), ("c2", "i1", "n"), ("c1", "i2", "y"), ("c2", "i2", "y")]
CODERS = np.array([[1, 2, 3, 1, 2], [1, 2, 3, 1, 1], [1, 2, 2, 1, 2]])
CSV = "item,annotator,label\n1,a,Yes\n1,b,yes\n2,a,no\n2,b,no\n"


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What somebody at the prompt has."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(CSV, encoding="utf-8")
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    (tmp_path / "head.csv").write_text("item,annotator,label\n", encoding="utf-8")
    (tmp_path / "ragged.csv").write_text("item,annotator,label\n1,a\n", encoding="utf-8")
    (tmp_path / "bare.csv").write_text("1,a,x\n1,b,x\n2,a,y\n", encoding="utf-8")
    (tmp_path / "words.docx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "folder").mkdir()
    with Path("x.csv").open(encoding="utf-8") as file:
        yield {
            "accord": accord, "Study": Study, "np": np, "pd": pd, "pl": pl, "dt": dt, "L": LONG, "W": WIDE,
            "TRIPLES": TRIPLES, "CODERS": CODERS, "df": pd.DataFrame(LONG), "FILE": file, **_measured(),
        }  # fmt: skip


@cache
def _measured() -> dict[str, Any]:
    """Studies and results, which nothing that is typed can change."""
    study = Study(LONG)
    return {
        "S": study,
        "k": accord.fleiss_kappa(study),
        "gold": accord.gold(study),
        "THREE": Study.from_wide([["a", "b", "a"], ["b", "b", "b"], ["a", "a", "b"]]),
        "SCORES": Study.from_wide([[1.5, 2.25, 3.5], [2.5, 2, 3.75], [4.25, 1, 5]], answers="score"),
        "SETS": Study.from_wide([[["a"], ["a", "b"]], [["b"], ["b"]]], answers="set"),
        "TWO": Study({**LONG, "tone": LONG["label"]}, label=["label", "tone"]),
    }


# what is typed: what the message must say
MISTAKES: dict[str, tuple[str, ...]] = {
    # -- the wrong thing is measured
    "accord.krippendorff_alpha(CODERS)": ("Study.from_raters_items(array)", "Study.from_wide(array)"),
    "accord.krippendorff_alpha(CODERS.tolist())": ("Study.from_raters_items(array)",),
    "accord.measure(pd.DataFrame(CODERS))": ("Study.from_raters_items(array)",),
    "accord.fleiss_kappa(TRIPLES)": ("annotator, item and label", "Study("),
    "accord.measure('x.csv')": ("accord.read('x.csv')",),
    "accord.fleiss_kappa('x.csv')": ("accord.read('x.csv')",),
    "accord.explain('x.csv')": ("accord.read('x.csv')",),
    "accord.gold('x.csv')": ("accord.read('x.csv')",),
    "accord.report('x.csv', 'x.html')": ("accord.read('x.csv')",),
    "Study('x.csv')": ("accord.read('x.csv')",),
    "Study.from_wide('x.csv')": ("accord.read('x.csv')",),
    "accord.measure(FILE)": ("accord.read(path)",),
    "accord.cohen_kappa('x.csv', 'y.csv')": ("accord.read('x.csv')",),
    "accord.cohen_kappa(['a', 'b'], 'ben')": ("are a list, an array or a column", "got 'ben'"),
    "accord.read(df)": ("accord.Study(table)", "accord.measure(table)"),
    "accord.read(pl.DataFrame(L))": ("accord.Study(table)",),
    "accord.read(FILE)": ("accord.read('x.csv')",),
    "accord.read(None)": ("by its path; got None",),
    "accord.read('nope.csv')": ("There is no such file or folder",),
    "accord.read('folder')": ("folder",),
    "accord.read('https://example.org/a.csv')": ("Download it first: accord.read('a.csv')",),
    "accord.cohen_kappa(['a', 'b'])": ("Give two sequences",),
    "accord.cohen_kappa(['a', 'b'], ['a'])": ("two sequences of one length; got 2 and 1", "None"),
    "accord.cohen_kappa([1, 2], ['a', 'b'])": ("mixed types: number (1) and text ('a')", "one type"),
    "accord.cohen_kappa([1, '2'], [1, '2'])": ("mixed types",),
    "accord.cohen_kappa(S, S)": ("A Study is given alone",),
    "accord.cohen_kappa([['a', 'b', 'c'], ['a', 'b', 'b'], ['b', 'b', 'b']])": ("for two annotators", "fleiss_kappa"),
    "accord.scott_pi(CODERS.T)": ("for two annotators; the study has 3", "fleiss_kappa"),
    "accord.fleiss_kappa([])": ("The table is empty",),
    "accord.fleiss_kappa([['a', 'b'], ['a']])": ("rows are of different lengths", "None"),
    "accord.fleiss_kappa([[3, 0], [2, 1], [0, 3]])": ("Study.from_counts(array)", "Study.from_wide(array)"),
    "accord.fleiss_kappa(pd.DataFrame({'yes': [3, 2], 'no': [0, 1]}))": ("Study.from_counts(table)",),
    "accord.fleiss_kappa(np.zeros((2, 2, 2)))": ("rows and columns; got 3 dimensions",),
    "accord.measure(None)": ("has rows and columns; got None",),
    "accord.measure(3)": ("has rows and columns; got 3",),
    "accord.measure(k)": ("is a result, not data", "result.study"),
    "accord.explain(accord.measure(S)[0])": ("result.study",),
    "accord.measure(df.groupby('item'))": ("Give the table itself", "by=…"),
    "accord.measure(df.set_index('item'))": ("Which column is the item?", "item=…"),
    "accord.measure(df[['item', 'label']])": ("Which column is the annotator?", "annotator=…"),
    "accord.measure(df.head(0))": ("The table has no rows", "filtered out"),
    "accord.measure({'a': 1})": ("must be a list of cells",),
    "accord.cohen_kappa(df['label'], df['label'].sort_values(ascending=False))": ("different indexes", "reindex"),
    # -- options
    "accord.fleiss_kappa(S, weights='quadratic')": ("labels in an order", "labels=["),
    "accord.fleiss_kappa(S, weights='squared')": ("weights must be one of", "'quadratic'"),
    "accord.fleiss_kappa(S, weights=np.ones((3, 3)))": ("must be a 2 × 2 table",),
    "accord.fleiss_kappa(S, weights=[[0, 1], [1, 0]])": ("look like distances", "1 - d / d.max()"),
    "accord.fleiss_kappa(S, confidence=0.9)": (".interval(confidence=…)",),
    "accord.fleiss_kappa(S, n_resamples=99)": (".interval(n_resamples=…)",),
    "accord.fleiss_kappa(S, benchmark='altman')": (".interpret(benchmark=…)",),
    "accord.fleiss_kappa(S, lables=['x'])": ("Did you mean 'labels'?",),
    "accord.fleiss_kappa(S, by='lang')": ("No column 'lang'", "'item', 'annotator', 'label'"),
    "accord.fleiss_kappa(S, item='item')": ("A Study is given alone, without 'item'",),
    "accord.fleiss_kappa([['a', 'a'], ['b', 'a']], item='id')": ("no table with named columns", "Leave them out"),
    "accord.cohen_kappa([1, 2], [1, 2], label='x')": ("leave out 'label'",),
    "accord.fleiss_kappa(L, item='itm')": ("Did you mean item='item'?",),
    "accord.krippendorff_alpha(S, level='ordnal')": ("Did you mean 'ordinal'?",),
    "accord.krippendorff_alpha(S, level='interval')": ("needs numbers", "level='nominal'"),
    "accord.krippendorff_alpha(S, level='ordinal', weights='linear')": ("not both",),
    "k.interval(confidence=95)": ("between 0 and 1, for example 0.95; got 95",),
    "k.interval(method='boot')": ("Did you mean 'bootstrap'?",),
    "k.interval(method='bootstrap', n_resamples=0)": ("at least 2; got 0",),
    "k.interval(cluster='doc')": ("No column 'doc'", "cluster=…"),
    "k.interval(resample='people')": ("'items', 'annotators', 'both'",),
    "k.test(method='t')": ("'permutation'",),
    "k.test(null=0.5, method='permutation')": ("null must be 0 for a permutation",),
    "k.interpret('landis')": ("Did you mean 'landis-koch'?",),
    "k.by_group()": ("by=…", "task=…"),
    "k > 'substantial'": ("a number, or another value",),
    "accord.compare(k, 0.5)": ("two results", "Measure first: compare(fleiss_kappa(one)"),
    "accord.measure(S)['cohen']": ("Did you mean 'cohen_kappa'?",),
    "accord.pairwise(S, 'cohen')": ("Did you mean 'cohen_kappa'?",),
    # -- studies
    "Study(L, label='lable')": ("Did you mean label='label'?",),
    "Study(L, label=['label', 'tone'])": ("No column 'tone'",),
    "Study(L, labels='x,y')": ("labels must be a list",),
    "Study(L, labels=['x'])": ("The data use 'y'", "Add them to labels"),
    "Study(L, labels={'x', 'y'})": ("labels must be a list",),
    "Study(L, labels=['x', 'x', 'y'])": ("more than once",),
    "Study(L, answers='multi')": ("answers must be one of 'single', 'set'",),
    "Study(L, answers='score')": ("needs score=…",),
    "Study(L, duplicates='drop')": ("'first', 'last', 'repeat'",),
    "Study({**L, 'annotator': ['ana'] * 6})": ("more than once", "duplicates='first'", "answers='set'", "task=…"),
    "Study({**L, 'label': [['x'], 'y', 'x', 'y', 'x', 'y']})": ("needs a list of labels in each cell",),
    "Study({**L, 'label': [1, 2.5, 'x', 1, 1, 1]})": ("mixed types", "one type"),
    "Study({**L, 'label': [dt.date(2020, 1, 1)] * 6})": ("Make it text first",),
    "Study({**L, 'label': ['x']})": ("different lengths", "None is missing"),
    "Study({**L, 'rater': L['annotator'], 'coder': L['annotator']}, item='item', label='label', annotator='judge')": (
        "No column 'judge'", "annotator=…",
    ),
    "Study({'doc': [1], 'rater': ['a'], 'coder': ['a'], 'code': ['x']})": ("could each be", "Study(table, annotator="),
    "Study([])": ("a dataframe", "Study.from_wide(array)"),
    "Study(pd.DataFrame())": ("The table has no rows",),
    "Study(CODERS)": ("Study.from_wide(array)",),
    "Study(L, missing='99')": ("missing must list",),
    "Study(L, recode='x=y')": ("recode must map labels to labels",),
    "Study(L, trim=1)": ("trim must be True or False",),
    "Study.from_wide(W, annotators='ana')": ("annotators must be a list of columns, such as ['ana']",),
    "Study.from_wide(W, item='id')": ("No column 'id'", "item=…"),
    "Study.from_wide([[1, 2], [1, 2]], annotators=['a'])": ("the rows of an array have no names",),
    "Study.from_raters_items([1, 2, 3])": ("rows and columns; got 1 dimensions",),
    "Study.from_counts([[1.5, 2]])": ("whole numbers", "found 1.5 in row 0, column 0"),
    "Study.from_counts(W)": ("found 'x'",),
    "Study.from_confusion([[1, 2, 3], [1, 2, 3]])": ("must be square", "Study.from_counts(table)"),
    "Study.from_indicators(L, columns='joy')": ("such as ['joy', 'fear']",),
    "Study.from_indicators(L, columns=['joy'])": ("No column 'joy'",),
    "S.tasks['tone']": ("no variable 'tone'", "one only"),
    "S.of_annotators('ana')": ("['ana']",),
    "S.of_annotators(['anna'])": ("Did you mean 'ana'?",),
    "S.groups('lang')": ("No column 'lang'",),
    "S.declare(['x'])": ("Add them to labels",),
    "S.write('x.docx')": ("must end in .csv, .tsv, .jsonl",),
    "S.write('nope/x.csv')": ("there is no folder 'nope'. Make it first",),
    "accord.report(S, 'nope/x.html')": ("there is no folder 'nope'. Make it first",),
    "accord.report(df, 'nope/x.html')": ("there is no folder 'nope'",),
    "accord.report(S, 'x.pdf')": ("must end in .html, .md, .tex or .json",),
    "k.by_label().to_csv('nope/x.csv')": ("cannot be written",),
    "k.by_label()['valeu']": ("Did you mean 'value'?",),
    # -- the rest of the house
    "accord.gold(S, method='mayority')": ("Did you mean 'majority'?",),
    "accord.explain(S, target=2)": ("'objective', 'standard'", "between -1 and 1; got 2"),
    "accord.judge.evaluate('gpt', S)": ("no annotator 'gpt'", "'ana', 'ben'"),
    "accord.judge.alt_test(S, model='gpt')": ("no annotator 'gpt'", "'ana', 'ben'"),
    "accord.judge.alt_test(S)": ("models=[…]",),
    "accord.plan()": ("width=", "above="),
    "accord.plan(width=0.1)": ("pilot", "margins="),
    "accord.plan(S, width=2)": ("between 0 and 2",),
    "accord.p_curve(S)": ("ranked answers; these are single", "rank=…"),
    "accord.dipietro_hazari_kappa(S)": ("suggested=",),
    "accord.dipietro_hazari_kappa(S, suggested='heur')": ("neither a column", "nor an annotator"),
    "accord.rosenberg_binkowski_kappa(S)": ("light_kappa",),
    "accord.rosenberg_binkowski_kappa(S, p=2)": ("between 0.5", "got 2"),
    "accord.bhowmick_am(S)": ("conger_kappa",),
    "accord.light_kappa(Study.from_counts([[1, 2], [2, 1]]))": ("does not say who answered", "fleiss_kappa"),
    # -- files
    "accord.read('x.csv', item='id')": ("No column 'id'",),
    "accord.read('x.csv', format='csv')": ("format must be one of 'table'",),
    "accord.read('x.csv', shape='tall')": ("'long', 'wide'",),
    "accord.read('x.csv', encoding='utf8x')": ("There is no encoding 'utf8x'",),
    "accord.read('x.csv', sheet='A')": ("for Excel files",),
    "accord.read('x.csv', annotators=['zoe'])": ("There is no annotator 'zoe'",),
    "accord.read('x.csv', only='tone')": ("holds one only",),
    "accord.read('x.csv', delimiter='||')": ("one character",),
    "accord.read('x.csv', labels='Yes,no')": ("labels must be a list",),
    "accord.read('x.csv', include='draft')": ("include must be a list, such as ['draft']",),
    "accord.read('x.csv', on_error='ignore')": ("'raise', 'skip'",),
    "accord.read('empty.csv')": ("The file is empty",),
    "accord.read('head.csv')": ("no rows", "'item', 'annotator', 'label'"),
    "accord.read('ragged.csv')": ("line 2", "on_error='skip'"),
    "accord.read('bare.csv')": ("header=False",),
}  # fmt: skip


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_is_answered_with_the_way_out(typed: str, names: dict[str, Any]) -> None:
    with pytest.raises((AccordError, TypeError)) as refusal:
        eval(typed, names)  # noqa: S307 - what stands above
    said = str(refusal.value)
    missing = [words for words in MISTAKES[typed] if words not in said]
    assert not missing, f"{missing} not in: {said}"
    assert "\n" not in said.strip()
    assert len(said) < 500


# the same, of which only the data are read
MORE: tuple[str, ...] = (
    # -- the wrong annotator, item, column, label, task
    "S.of_annotators('zoe')",
    "S.of_annotators(['ana', 'zoe'])",
    "S.declare_kinds(people=['zoe'])",
    "S.declare_kinds(models=['zoe'])",
    "S.where('label', 'q')",
    "S.where('nope', 1)",
    "S.declare(levels={'zz': 'ordinal'})",
    "TWO.tasks['zz']",
    "gold.confusion('zoe')",
    "gold['zz']",
    "gold.reason('zz')",
    "accord.queries('answers', dialect='duckdb', labels=['a', 'b'])['zz']",
    "accord.suggestions.compare_suggesters(S, {'ben': list('xyy')})['zz']",
    "gold.decide({'zz': 'x'})",
    "gold.decide({1: 'nolabel'})",
    "gold.score({'zz': 'x'})",
    "accord.judge.alt_test(S, models='zz')",
    "accord.judge.evaluate('ana', S, gold='zz')",
    "accord.dipietro_hazari_kappa(S, suggested='zoe')",
    "accord.multilabel.annotation_matrix(Study(L, answers='ranked'), 'zoe')",
    "accord.read('x.csv', people=['zoe'])",
    "accord.read('x.csv', models=['zoe'])",
    "accord.read('x.csv', exclude=['zoe'])",
    "accord.read('x.csv', where={'nope': '9'})",
    "accord.read('x.csv', where={'item': '9'})",
    "Study(L, labels=['q'])",
    "Study(L, levels={'zz': 'ordinal'})",
    "Study.from_wide(W, annotators=['ana', 'zoe'])",
    # -- the wrong measure for the answers, or for so many annotators
    "accord.cohen_kappa(THREE)",
    "accord.cohen_kappa(SCORES)",
    "accord.icc(SETS)",
    "accord.kendall_w(S)",
    "accord.span_f1(S)",
    "accord.gamma(S)",
    "accord.bradley_terry(S)",
    "accord.preference_agreement(S)",
    "accord.span_differences(S)",
    "accord.multilabel.label_confusion(S)",
    "accord.judge.panel(S)",
    "accord.judge.verdict(S)",
    "accord.gold(SCORES, method='dawid-skene')",
    "accord.gold(TWO, method='mean')",
    "accord.findings.conditional_agreement(SCORES, given='item')",
    # -- the wrong word or number
    "accord.pairwise(S, 'fleiss_kappaa')",
    "accord.fleiss_kappa(SETS, weights='quadratic')",
    "accord.krippendorff_alpha(SETS, level='interval')",
    "accord.measure(S, level='zz')",
    "accord.gold(S, ties='x')",
    "gold.queue(-1)",
    "k.test(alternative='bigger')",
    "k.by_label(chance='zz')",
    "accord.compare(k, k, margin=-1)",
    "accord.compare(k, 3)",
    "accord.fleiss_kappa(S, wieghts='linear')",
    "accord.fleiss_kappa(S, confidence=0.9)",
    "accord.read('x.csv', lable='label')",
    "Study(L, lable='label')",
    "Study.from_pairs('aa', 'ab', tirm=True)",
    "accord.plan(THREE, width=0.1, measure='kapa')",
    # -- shapes, and tables with nothing in them
    "Study({})",
    "Study([{'a': 1}, 3])",
    "Study.from_wide([])",
    "Study.from_counts([])",
    "Study.from_counts([[-1, 2]])",
    "Study.from_counts([[1, 2]], labels=['a'])",
    "Study.from_confusion([[1, 2]])",
    "Study.from_confusion([[1, 2], [3, 4]], labels=['a'])",
    "Study.from_pairs([1, 2], [1])",
    "Study.from_pairs('ab', 'ab')",
    "Study.from_indicators(L, columns=['label'])",
    "Study({'item': [1], 'label': ['x']})",
    "accord.fleiss_kappa([[1, 2], 3])",
    # -- files
    "accord.read('nope/x.csv')",
    "accord.read('x.cvs')",
    "accord.read('words.docx')",
    "accord.read('x.csv', format='prodigy')",
    "accord.read(['x.csv', 'nope.csv'])",
    "accord.read([])",
    "gold.score('nope.csv')",
    "gold.write('nope/x.csv')",
    "gold.write('x.docx')",
    "accord.report(S, 'folder')",
    "accord.report(S, '')",
)  # fmt: skip


@pytest.mark.parametrize("typed", [*MISTAKES, *MORE])
def test_a_mistake_says_what_it_is_about_as_data(typed: str, names: dict[str, Any]) -> None:
    with pytest.raises((AccordError, TypeError)) as refusal:
        eval(typed, names)  # noqa: S307 - what stands above
    problem = refusal.value
    assert not re.search(r"\?\.|\.\.|\b[Aa] (?!uni|use|one|eu)[aeiou]", str(problem)), str(problem)
    if isinstance(problem, AccordError):
        assert problem.option or problem.available or problem.place or problem.remedies, str(problem)
        assert all(way.function or way.options or way.data for way in problem.remedies)
        json.dumps(problem.to_dict())
    else:
        assert typed in MISTAKES  # a keyword that is none


# -- what looks like a mistake and has an answer -------------------------------------------------------------------

ANSWERED: dict[str, object] = {
    "accord.fleiss_kappa(df).n_items": 3,
    "accord.fleiss_kappa(df.rename(columns={'item': 'doc', 'annotator': 'rater', 'label': 'code'})).n_annotators": 2,
    "accord.cohen_kappa(W).n_items": 3,
    "accord.cohen_kappa(pd.DataFrame(W)).n_items": 3,
    "accord.measure(iter([['a', 'a'], ['b', 'a'], ['b', 'b']]))[0].n_items": 3,
    "accord.cohen_kappa((label for label in 'abb'), (label for label in 'aba')).n_items": 3,
    "list(Study({**L, 'tone': L['label']}, label=['label', 'tone']).tasks)": ["label", "tone"],
    "accord.fleiss_kappa(np.array([[1, 2], [99, 1], [1, 1]]), missing=[99]).n_answers": 5,
    "Study({**L, 'label': ['no', 'no ', 'Yes', 'yes', 'no', 'no']}, trim=True, fold_case=True).labels": ("no", "yes"),
    "len(Study({**L, 'label': ['no', 'no ', 'Yes', 'yes', 'no', 'no']}).notes)": 2,
    "accord.cohen_kappa(['a', 'a'], ['a', 'a']).undefined is None": False,
    "accord.cohen_kappa([], []).undefined is None": False,
    "accord.fleiss_kappa([[np.nan, 1], [2, 2], [1, 1]]).n_answers": 5,
    "round(k, 2)": 0.33,
    "k > 0.3": True,
    "k <= 0.3": False,
    "float(accord.measure(S)) == accord.measure(S).recommended.value": True,
    "k.interval()[1] == k.interval().high": True,
    "f'{k:.2f}'": "0.33",
    "Study(L, label='label').n_items": 3,
    "Study.from_raters_items(CODERS).n_annotators": 3,
    "accord.read('x.csv', delimiter=',').n_items": 2,
    "accord.read('bare.csv', header=False, shape='long').n_items": 2,
}


@pytest.mark.parametrize("typed", ANSWERED)
def test_what_looks_like_a_mistake_has_an_answer(typed: str, names: dict[str, Any]) -> None:
    assert eval(typed, names) == ANSWERED[typed]  # noqa: S307 - what stands above


# -- at the command line -------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[str, ...]] = {
    "measure nope.csv": ("There is no file 'nope.csv' here",),
    "measure x.csv --item id": ("No column 'id'", "--item"),
    "measure x.csv --level ordnal": ("Did you mean 'ordinal'?",),
    "measure x.csv --by lang": ("No column 'lang'",),
    "measure x.csv --recode Yes": ("--recode must be old=new",),
    "measure x.csv --shape tall": ("--shape must be one of 'long', 'wide'",),
    "measure x.csv --duplicates keep": ("'first', 'last', 'repeat'",),
    "measure empty.csv": ("The file is empty",),
    "measure head.csv": ("no rows",),
    "measure bare.csv": ("--no-header",),
    "measure ragged.csv": ("--on-error skip",),
    "measure x.csv --delimiter ||": ("one character",),
    "measure x.csv --sheet A": ("for Excel files",),
    "measure x.csv --only tone": ("holds one only",),
    "measure x.csv --fail-below 70": ("between -1 and 1",),
    "gold x.csv --method mayority -o g.csv": ("Did you mean 'majority'?",),
    "report x.csv -o nope/x.html": ("there is no folder 'nope'",),
    "report x.csv -o x.pdf": ("must end in .html, .md, .tex or .json",),
    "convert x.csv -o x.docx": ("must end in .csv, .tsv",),
}  # fmt: skip


@pytest.mark.parametrize("typed", COMMANDS)
@pytest.mark.usefixtures("names")
def test_a_mistake_at_the_command_line_is_one_line(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["accord", *typed.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert "Traceback" not in said
    missing = [words for words in COMMANDS[typed] if words not in said]
    assert not missing, f"{missing} not in: {said}"


def test_there_are_twice_as_many_as_the_fifty_eight_of_the_first_hour() -> None:
    assert len(MISTAKES) + len(ANSWERED) + len(COMMANDS) >= 2 * 58
