"""The roles that a column of a long table may play: the one table from which everything that names roles is made.

`Study`, `accord.read` and every measure take each as a keyword. Type checkers know them from `RoleKeywords`, which
stands below the table; signatures and docstrings list them because `takes_roles` writes them there when a module is
loaded.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, TypedDict, TypeVar

from accord.errors import Keyword, OptionError, at_column, with_article

COMPARED = ("first", "second")  # the two options of a row, where the label says which was preferred
APART = ("item", "annotator", "label", "score")  # who said what of what: never one column


@dataclass(frozen=True)
class Role:
    """What a column may be to a study."""

    name: str
    holds: str  # what its cells are, for help of the command
    says: str  # what the column is, for docstrings: a sentence or more
    words: tuple[str, ...] = ()  # how tables call it besides: equals, of which two are one too many
    needed: bool = False
    numeric: bool = False
    in_engine: bool = True  # may the column stay in an engine?
    several: bool = False  # may several columns play it: together, or each as a variable?
    of_item: bool = False  # does it say something of the item, whoever answers? Then exports may keep it as a field


ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role("item", "the item's id; with commas, several that name it together",
             'The column that names the item; several columns name it together (["transcript", "utterance"]).', (
            "item_id", "itemid", "item_name", "unit", "unit_id", "doc", "doc_id", "document", "document_id",
            "subject_id", "example_id", "instance", "instance_id", "sample_id", "record_id", "sentence_id", "text_id",
            "question_id", "segment_id", "query_id", "prompt_id", "conversation_id", "post_id", "tweet_id",
            "comment_id", "task_id", "hit_id", "hitid", "article_id", "case_id", "utterance_id", "einheit", "dokument",
            "documento", "unite", "unidad", "text_nr", "id_texto", "id_texte",
        ), needed=True, several=True),
        Role("annotator", "the annotator's name",
             "The column that names the annotator.", (
            "annotator_id", "annotator_name", "rater", "rater_id", "coder", "coder_id", "worker", "worker_id",
            "workerid", "judge", "judge_id", "user", "user_id", "username", "labeler", "labeller", "labeler_id",
            "evaluator", "evaluator_id", "reviewer", "reviewer_id", "assessor", "assessor_id", "participant",
            "participant_id", "respondent", "respondent_id", "expert", "expert_id", "who", "email_address",
            "annotator_email", "user_email", "worker_email", "rater_email", "annotateur", "annotatrice", "anotador",
            "anotadora", "annotatore", "kodierer", "kodiererin", "codierer", "codeur", "codificador", "evaluador",
            "bewerter", "reader", "reader_id", "observer", "observer_id", "grader", "grader_id", "scorer", "scorer_id",
            "examiner", "examiner_id", "radiologist", "radiologist_id", "pathologist", "pathologist_id", "turker",
            "turker_id", "turk_id", "rater_name", "coder_name", "reviewer_name", "worker_name", "judge_name",
            "judge_model", "grader_model", "evaluator_model", "evaluator_name", "annotator_model",
        ), needed=True),
        Role("label", "the label; with commas, several variables",
             "The column with the label; a column of lists holds sets of labels. Several columns are several "
             "variables.", (
            "labels", "class", "category", "code", "answer", "annotation", "value", "rating", "response", "judgment",
            "judgement", "choice", "tag", "verdict", "decision", "grade", "sentiment", "stance", "winner",
            "preference", "kategorie", "categorie", "categoria", "klasse", "classe", "clase", "etikett", "etiquette",
            "etiqueta", "etichetta", "bewertung",
        ), several=True),
        Role("first", "the option that stands first, where the label says which of two was preferred",
             "The column with the option that stands first, where two are compared in every row and the label says "
             "which was preferred: answers are then preferences. Labels are the option's name, a word for a side "
             '("model_a", "response1", "left", "B") or for a tie ("tie", "both bad").', (
            "model_a", "model_1", "model1", "model_left", "option_a", "option_1", "option1", "system_a", "system_1",
            "system1", "first_option", "first_model", "first_system", "candidate_a", "candidate_1", "response_a_model",
            "response_1_model", "response1_model", "model_a_name", "assistant_a", "player_a", "player_1",
        ), in_engine=False),
        Role("second", "the option that stands second",
             "The column with the option that stands second.", (
            "model_b", "model_2", "model2", "model_right", "option_b", "option_2", "option2", "system_b", "system_2",
            "system2", "second_option", "second_model", "second_system", "candidate_b", "candidate_2",
            "response_b_model", "response_2_model", "response2_model", "model_b_name", "assistant_b", "player_b",
            "player_2",
        ), in_engine=False),
        Role("rank", "the label's rank, 1 for the primary one",
             "The column with the rank of the label, 1 for the primary one: answers are then ranked; or rankings, "
             "where everybody ranks the same labels of an item, as the options of a query.", numeric=True),
        Role("score", "a number",
             "The column with a number: without `label`, answers are scores.", numeric=True, in_engine=False),
        Role("start", "where a marked place begins",
             "The column with where a marked span begins.", ("begin", "start_offset", "start_char"),
             numeric=True, in_engine=False),
        Role("end", "where a marked place ends",
             "The column with where it ends.", ("stop", "end_offset", "end_char"), numeric=True, in_engine=False),
        Role("token", "where a token stands in its item, where labels are BIO tags of tokens",
             "The column with where a token stands in its item, 0 for the first, where every row is a token and "
             "labels are BIO tags (B-PER, I-PER, O): answers are then spans of tokens.", (
            "token_index", "token_id", "token_number", "token_position", "word_index", "position",
        ), numeric=True, in_engine=False),
        Role("text", "the item's text",
             "The column with the item's text, for the report."),
        Role("task", "the variable, where one table holds several",
             "The column that names the variable, where one table holds several; each is measured on its own.", (
            "variable", "dimension", "criterion", "aspect", "layer", "question",
        )),
        Role("time", "when the answer was given",
             "The column with when an answer was given.",
             ("timestamp", "created_at", "submitted_at", "datetime", "date")),
        Role("cluster", "what items belong together, such as the document",
             "The column that says which items belong together (the same document); intervals then resample "
             "clusters.", of_item=True),
        Role("item_weight", "what the item weighs: one divided by its chance of being chosen",
             "The column with what the item weighs, where items were chosen with unequal chances: one divided by "
             "its chance of being chosen (of being annotated twice). Coefficients and their intervals then speak "
             "of all items that there were to choose from. Only proportions matter. See `with_item_weights`.", (
            "sampling_weight", "inverse_probability",
        ), numeric=True, of_item=True),
        Role("suggested", "the label suggested beforehand",
             "The column with the label that was suggested for the item.",
             ("suggestion", "pre_annotation", "preannotation"), of_item=True),
        Role("kind", "the kind of annotator: person, model or adjudicator",
             "The column that says what the annotator is: person, model or adjudicator.",
             ("annotator_kind", "annotator_type")),
        Role("run", "the run of a model that answered several times",
             "The column with the run of a model; answers of different runs are repeats.",
             ("run_id", "run_number", "run_index")),
        Role("status", "the state of the annotation, such as submitted or draft",
             'The column with the state of an answer: "submitted", "unparsable", "refused", "error" …',
             in_engine=False),
    )
}  # fmt: skip


class PlainColumns(TypedDict, total=False):
    """The same for type checkers: what may play each role that every measure takes from its caller."""

    item: str | Sequence[str] | None
    annotator: str | None
    label: str | Sequence[str] | None
    first: str | None
    second: str | None
    rank: str | None
    score: str | None
    start: str | None
    end: str | None
    token: str | None
    text: str | None
    task: str | None
    time: str | None
    cluster: str | None
    item_weight: str | None
    kind: str | None
    run: str | None
    status: str | None


class RoleKeywords(PlainColumns, total=False):
    """What may play each role, those too that some functions take as data of another kind."""

    suggested: str | None


Called = TypeVar("Called", bound=Callable[..., Any])
ENTRY = re.compile(r"^( *)\*\*roles: .*\n(?:\1 +\S.*\n)*", re.MULTILINE)  # of a docstring's Args


def takes_roles(after: str) -> Callable[[Called], Called]:
    """For a function or class with **roles: every role in its signature, after a parameter, and in its docstring."""

    def with_roles(called: Called) -> Called:
        function: Any = vars(called)["__init__"] if isinstance(called, type) else called
        signature = inspect.signature(function)
        parameters: list[inspect.Parameter] = []
        for name, parameter in signature.parameters.items():
            parameters += [] if name == "roles" else [parameter]
            parameters += [_keyword(role) for role in ROLES] if name == after else []
        function.__signature__ = signature.replace(parameters=parameters)
        called.__doc__ = ENTRY.sub(lambda entry: _entries(entry[1]), called.__doc__ or "")
        return called

    return with_roles


def _keyword(role: str) -> inspect.Parameter:
    kind = RoleKeywords.__annotations__[role]
    annotation = getattr(kind, "__forward_arg__", kind)
    return inspect.Parameter(role, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _entries(indent: str) -> str:
    """The roles as entries of a docstring's Args."""
    lines = (
        fill(f"{role.name}: {role.says}", 120, initial_indent=indent, subsequent_indent=f"{indent}    ",
             break_long_words=False, break_on_hyphens=False)
        for role in ROLES.values()
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def named(given: Mapping[str, Any]) -> dict[str, Any]:
    """The roles that are played, in the order of the table: those that were given."""
    roles = {role: given[role] for role in ROLES if given.get(role) is not None}
    _refuse_odd(roles)
    return roles


def _columns(role: str, given: object) -> Sequence[Any]:
    """The columns of a role. Several may name items, and `joined_name` asks for one at least; else none is no name."""
    if not isinstance(given, list | tuple):
        return [given]
    return given if given or role == "item" else [[]]


def _refuse_odd(roles: dict[str, object]) -> None:
    """A role is the name of a column, and what somebody said of what is three columns."""
    played: dict[object, str] = {}
    for role, given in roles.items():
        for column in _columns(role, given):
            if not isinstance(column, Hashable) or hasattr(column, "to_frame"):
                what = f"the name of a column, such as '{role}'; got {with_article(type(column).__name__)}."
                raise OptionError(Keyword(role), f" must be {what}", option=Keyword(role))
            if role in APART and column in played:
                both = (
                    f"as the {played[column]} and as the {role}" if played[column] != role else f"twice as the {role}"
                )
                raise OptionError(
                    "The column ",
                    at_column(column),
                    f" plays two roles: it is named {both}. Name another, or leave one out.",
                    option=Keyword(role, column),
                )
            if role in APART:
                played[column] = role
