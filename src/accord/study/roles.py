"""The roles that a column of a long table may play: the one table from which everything that names roles is made.

`Study` and `accord.read` take each as a keyword, written out for readers and type checkers; a test holds them to this.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from accord.errors import Keyword, OptionError, with_article

COMPARED = ("first", "second")  # the two options of a row, where the label says which was preferred
APART = ("item", "annotator", "label", "score")  # who said what of what: never one column


@dataclass(frozen=True)
class Role:
    """What a column may be to a study."""

    name: str
    holds: str  # what its cells are, for help
    words: tuple[str, ...] = ()  # how tables call it besides: equals, of which two are one too many
    needed: bool = False
    numeric: bool = False
    in_engine: bool = True  # may the column stay in an engine?
    several: bool = False  # may several columns play it: together, or each as a variable?


ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role("item", "the item's id; with commas, several that name it together", (
            "item_id", "itemid", "item_name", "unit", "unit_id", "doc", "doc_id", "document", "document_id",
            "subject_id", "example_id", "instance", "instance_id", "sample_id", "record_id", "sentence_id", "text_id",
            "question_id", "segment_id", "query_id", "prompt_id", "conversation_id", "post_id", "tweet_id",
            "comment_id", "task_id", "hit_id", "hitid", "article_id", "case_id", "utterance_id", "einheit", "dokument",
            "documento", "unite", "unidad", "text_nr", "id_texto", "id_texte",
        ), needed=True, several=True),
        Role("annotator", "the annotator's name", (
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
        Role("label", "the label; with commas, several variables", (
            "labels", "class", "category", "code", "answer", "annotation", "value", "rating", "response", "judgment",
            "judgement", "choice", "tag", "verdict", "decision", "grade", "sentiment", "stance", "winner",
            "preference", "kategorie", "categorie", "categoria", "klasse", "classe", "clase", "etikett", "etiquette",
            "etiqueta", "etichetta", "bewertung",
        ), several=True),
        Role("first", "the option that stands first, where the label says which of two was preferred", (
            "model_a", "model_1", "model1", "model_left", "option_a", "option_1", "option1", "system_a", "system_1",
            "system1", "first_option", "first_model", "first_system", "candidate_a", "candidate_1", "response_a_model",
            "response_1_model", "response1_model", "model_a_name", "assistant_a", "player_a", "player_1",
        ), in_engine=False),
        Role("second", "the option that stands second", (
            "model_b", "model_2", "model2", "model_right", "option_b", "option_2", "option2", "system_b", "system_2",
            "system2", "second_option", "second_model", "second_system", "candidate_b", "candidate_2",
            "response_b_model", "response_2_model", "response2_model", "model_b_name", "assistant_b", "player_b",
            "player_2",
        ), in_engine=False),
        Role("rank", "the label's rank, 1 for the primary one", numeric=True),
        Role("score", "a number", numeric=True, in_engine=False),
        Role("start", "where a marked place begins", ("begin", "start_offset", "start_char"),
             numeric=True, in_engine=False),
        Role("end", "where a marked place ends", ("stop", "end_offset", "end_char"), numeric=True, in_engine=False),
        Role("token", "where a token stands in its item, where labels are BIO tags of tokens", (
            "token_index", "token_id", "token_number", "token_position", "word_index", "position",
        ), numeric=True, in_engine=False),
        Role("text", "the item's text"),
        Role("task", "the variable, where one table holds several", (
            "variable", "dimension", "criterion", "aspect", "layer", "question",
        )),
        Role("time", "when the answer was given", ("timestamp", "created_at", "submitted_at", "datetime", "date")),
        Role("cluster", "what items belong together, such as the document"),
        Role("item_weight", "what the item weighs: one divided by its chance of being chosen", (
            "sampling_weight", "inverse_probability",
        ), numeric=True),
        Role("suggested", "the label suggested beforehand", ("suggestion", "pre_annotation", "preannotation")),
        Role("kind", "the kind of annotator: person, model or adjudicator", ("annotator_kind", "annotator_type")),
        Role("run", "the run of a model that answered several times", ("run_id", "run_number", "run_index")),
        Role("status", "the state of the annotation, such as submitted or draft", in_engine=False),
    )
}  # fmt: skip


def named(keywords: dict[str, object]) -> dict[str, object]:
    """The roles among the keywords of a call, those that were given."""
    roles = {role: keywords[role] for role in ROLES if keywords[role] is not None}
    _refuse_odd(roles)
    return roles


def _refuse_odd(roles: dict[str, object]) -> None:
    """A role is the name of a column, and what somebody said of what is three columns."""
    played: dict[object, str] = {}
    for role, given in roles.items():
        for column in given if isinstance(given, list | tuple) else [given]:
            if not isinstance(column, Hashable) or hasattr(column, "to_frame"):
                what = f"the name of a column, such as {role!r}; got {with_article(type(column).__name__)}."
                raise OptionError(Keyword(role), f" must be {what}", option=Keyword(role))
            if role in APART and column in played:
                both = (
                    f"as the {played[column]} and as the {role}" if played[column] != role else f"twice as the {role}"
                )
                raise OptionError(
                    f"The column {column!r} plays two roles: it is named {both}. Name another, or leave one out.",
                    option=Keyword(role, column),
                )
            if role in APART:
                played[column] = role
