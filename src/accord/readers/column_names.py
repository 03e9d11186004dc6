"""The words that tables use for accord's roles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# In each role the first word is accord's own and wins; the others are equals, and two of them are one too many.
WORDS: dict[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "itemid", "item_name", "unit", "unit_id", "doc", "doc_id", "document", "document_id",
             "subject_id", "example_id", "instance", "instance_id", "sample_id", "record_id", "sentence_id", "text_id",
             "question_id", "segment_id", "query_id", "prompt_id", "conversation_id", "post_id", "tweet_id",
             "comment_id", "task_id", "hit_id", "hitid"),
    "annotator": ("annotator", "annotator_id", "annotator_name", "rater", "rater_id", "coder", "coder_id", "worker",
                  "worker_id", "workerid", "judge", "judge_id", "user", "user_id", "username", "labeler", "labeller",
                  "labeler_id", "evaluator", "evaluator_id", "reviewer", "reviewer_id", "assessor", "assessor_id",
                  "participant", "participant_id", "respondent", "respondent_id", "expert", "expert_id", "who"),
    "label": ("label", "labels", "class", "category", "code", "answer", "annotation", "value", "rating", "response",
              "judgment", "judgement", "choice", "tag", "verdict", "decision", "grade", "sentiment", "stance",
              "winner"),
    "score": ("score",),
    "rank": ("rank",),
    "start": ("start", "begin", "start_offset", "start_char"),
    "end": ("end", "stop", "end_offset", "end_char"),
    "text": ("text",),
    "task": ("task", "variable", "dimension", "criterion", "aspect", "layer", "question"),
    "time": ("time", "timestamp", "created_at", "submitted_at", "datetime", "date"),
    "cluster": ("cluster",),
    "suggested": ("suggested", "suggestion", "pre_annotation", "preannotation"),
    "kind": ("kind", "annotator_kind", "annotator_type"),
    "run": ("run",),
    "status": ("status",),
}  # fmt: skip
# Names that are an item only where nothing better is there.
WEAK_ITEM = (
    "id",
    "uid",
    "task",
    "subject",
    "example",
    "sample",
    "question",
    "query",
    "prompt",
    "sentence",
    "segment",
    "row",
)
# Columns that never hold an annotator's answers in a wide table.
PROSE = frozenset({
    "text", "sentence", "headline", "title", "body", "content", "comment", "comments", "note", "notes", "url", "link",
    "source", "context", "description", "question", "prompt", "response", "document", "passage", "name", "subject",
    "summary", "tokens", "meta", "metadata", "time", "timestamp", "date", "created_at", "updated_at", "topic", "domain",
    "language", "lang", "split", "gold", "suggested", "cluster", "group", "status", "row",
})  # fmt: skip
NUMBERED = re.compile(
    r"^(rater|annotator|coder|judge|worker|labell?er|reviewer|expert|evaluator|assessor|user)[ _.-]?\w+$"
)
LISTED_PEOPLE = ("annotator_ids", "annotators", "annotator_id", "worker_ids", "workers", "rater_ids", "raters",
                 "user_ids", "users", "coder_ids", "coders", "judges")  # fmt: skip
LISTED_LABELS = ("annotations", "labels", "answers", "ratings", "responses", "values", "codes", "judgments", "choices")
KIND_WORDS = {
    "person": "person", "human": "person", "people": "person", "expert": "person", "crowd": "person",
    "model": "model", "llm": "model", "machine": "model", "code": "model", "system": "model", "ai": "model",
    "adjudicator": "adjudicator", "curator": "adjudicator",
}  # fmt: skip


def plain(name: str) -> str:
    """A column's name as one would say it: 'Item ID' and 'itemId' are 'item_id'."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def candidates(role: str, columns: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The columns whose names say a role: accord's own word alone, else all that say it in other words."""
    free = [name for name in columns if name not in set(taken)]
    own = [name for name in free if plain(name) == WORDS[role][0]]
    if own:
        return own
    return [name for name in free if plain(name) in WORDS[role]]


def weak_item(columns: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Columns that could name the item where nothing better does, the likeliest first."""
    used = set(taken)
    return [name for word in WEAK_ITEM for name in columns if plain(name) == word and name not in used]
