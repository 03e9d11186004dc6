"""The words that tables use for accord's roles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from accord.errors import ELLIPSIS, MOST_LISTED, MayBeNames, PeopleNames, listing
from accord.study.roles import ROLES

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
    "object",
    "article",
    "case",
    "utterance",
    "target",
    "extract_id",
    "orig_id",
    "hit",
    "pair_id",
    "stimulus",
    "stim",
    "index",
    "unnamed_0",  # as pandas calls an index that it reads again
    "row",
    "nr",
)
# A name that ends or begins so is an item's where it is the only one: rev_id, pairID, id_EXIST.
AN_ID = re.compile(r"\w+_(id|key|uid)|id_\w+")
# Columns that never hold an annotator's answers in a wide table.
PROSE = frozenset({
    "text", "sentence", "headline", "title", "body", "content", "comment", "comments", "note", "notes", "url", "link",
    "source", "context", "description", "question", "prompt", "response", "document", "passage", "name", "subject",
    "summary", "tokens", "meta", "metadata", "time", "timestamp", "date", "created_at", "updated_at", "topic", "domain",
    "language", "lang", "split", "suggested", "cluster", "group", "status", "row", "index", "unnamed_0", "item_weight",
    "kommentar", "bemerkung", "anmerkung", "commentaire", "remarque", "comentario", "comentarios", "remarks", "remark",
    "tweet", "post", "review", "paragraph", "message", "abstract", "snippet", "satz", "texte", "phrase", "texto",
    "frase", "testo", "titel", "datum", "fecha", "premise", "hypothesis", "sentence1", "sentence2",
    *ROLES["item_weight"].words,
})  # fmt: skip
# Some of these are answers where people differ about an item.
ABOUT_ITEMS = frozenset({"topic", "domain", "language", "lang", "group", "source", "subject"})
# Columns of texts that may name items where nothing else does.
TEXTS = frozenset({
    "text", "sentence", "headline", "title", "body", "tweet", "post", "comment", "document", "passage", "review",
    "paragraph", "message", "abstract", "snippet", "satz", "texte", "phrase", "texto", "frase", "testo",
})  # fmt: skip
# Columns with how many gave each label.
COUNTED_LABELS = ("label_counts", "label_counter", "votes", "vote_counts", "annotation_counts")
# Columns of a wide table that hold what was decided, not what an annotator said.
DECIDED = frozenset({
    "gold", "gold_label", "gold_standard", "majority", "majority_vote", "majority_label", "consensus",
    "consensus_label", "adjudicated", "adjudicated_label", "adjudication", "final", "final_label", "truth",
    "ground_truth", "true_label", "reference", "reference_label", "agreed", "agreed_label", "agreement", "agree",
    "disagreement", "disagree", "match", "same", "equal", "diff", "sum", "total", "mean", "average", "avg", "median",
    "std", "stdev", "variance", "difference", "resolved", "resolved_label", "resolution", "final_decision",
    "final_code", "final_answer", "final_annotation", "final_rating", "final_category", "consensus_code",
    "consensus_rating", "majority_class", "aggregated", "aggregated_label", "percent_agreement", "pct_agreement",
    "n_agree", "num_agree", "agreement_score", "kappa", "alpha", "label_dist", "label_count", "soft_label",
    "soft_labels", "hard_label", "label_distribution", "n_annotators", "num_annotators", "n_annotations",
    "num_annotations", "number_of_annotations",
})  # fmt: skip
NO_ANSWERS = PROSE | DECIDED
# The same with more said of it: "Gold label (expert)", "Consensus after discussion".
LONGER_DECIDED = re.compile(
    r"(gold|majority|consensus|adjudicated|adjudication|resolved|ground_truth|final|mean|avg|average|median|std|stdev|sum"
    r"|total|agree|agreed|agreement|disagree|disagreement|match|matches|same|equal|diff|difference|abs_diff)_\w+"
    r"|\w+_(mean|avg|average|median|std|stdev|agreement|consensus|majority|diff|difference)"
)
# Names of labels that say what was asked.
QUESTION_NAMES = frozenset({"sentiment", "stance", "grade"})
# Names of columns that name a variable, whoever answered what.
VARIABLES = ("task", "variable", "dimension", "criterion", "aspect")
NUMBERED = re.compile(
    r"^(rater|annotator|coder|judge|worker|labell?er|reviewer|expert|evaluator|assessor|user)[ _.-]?\w+$"
    r"|^(reader|observer|grader|scorer|examiner|radiologist|pathologist|turker|bewerter(in)?|kodierer(in)?|codierer(in)?"
    r"|annotateur|codeur|anotador|codificador|evaluador|annotatore|valutatore)[ _.-]?(\d+|[a-z])$"
)
# An annotator's id with more about it: anonymised_participant_id, amt_worker_id
LONGER_ANNOTATOR = re.compile(
    r"^(?:anon|anonymi[sz]ed|amt|mturk|hashed|pseudo|crowd|unique)_(?:annotator|rater|coder|worker|judge|participant|user)s?"
    r"(?:_ids?|_name|_code|_hash)?$"
    r"|^participant_(?:private_|public_)?(?:id|code|number)$|^prolific_p?id$"
    r"|^(?:created|coded|annotated|labell?ed|rated|submitted|reviewed)_by$"
)
# What stands beside an answer and is none: how sure somebody was, how long it took, what came to mind.
ASIDE = {
    **dict.fromkeys(("confidence", "conf", "certainty", "confidence_score"), "confidence"),
    **dict.fromkeys(("seconds", "secs", "duration", "time_spent", "response_time", "lead_time", "rt"), "seconds"),
    **dict.fromkeys(("time", "timestamp", "date", "datetime"), "time"),
    **dict.fromkeys(
        (
            "comment",
            "comments",
            "note",
            "notes",
            "remark",
            "remarks",
            "feedback",
            "kommentar",
            "bemerkung",
            "anmerkung",
            "commentaire",
            "remarque",
            "comentario",
            "comentarios",
        ),
        "comment",
    ),
}
LISTED_PEOPLE = ("annotator_ids", "annotators", "annotator_id", "worker_ids", "workers", "rater_ids", "raters",
                 "user_ids", "users", "coder_ids", "coders", "judges")  # fmt: skip
LISTED_LABELS = (
    "annotator_labels",
    "annotations",
    "labels",
    "answers",
    "ratings",
    "responses",
    "values",
    "codes",
    "judgments",
    "choices",
)
# Lists beside those who answered: labels_task1, ratings_tone are variables, and gender_annotators tells of people.
LONGER_LABELS = re.compile(r"(?:labels?|annotations?|answers?|ratings?|values?)_\w+|\w+_(?:labels?|answers?|ratings?)")
MOST_NAMED = 12  # people in a note
ABOUT_ANNOTATORS = re.compile(r"\w+_(?:annotators?|raters?|coders?|workers?)|(?:annotator|rater|coder|worker)s?_\w+")
KNOWN = frozenset({
    *ROLES, *(word for role in ROLES.values() for word in role.words), *WEAK_ITEM, *PROSE, *DECIDED, *COUNTED_LABELS,
    *VARIABLES, *ASIDE, *LISTED_PEOPLE, *LISTED_LABELS, "best", "worst", "count",
})  # fmt: skip


def lists_people(name: str) -> bool:
    """Is a column called as one that lists who answered?"""
    return plain(name) in LISTED_PEOPLE or LONGER_ANNOTATOR.match(plain(name)) is not None


def decided(name: str) -> bool:
    """Is a column of a wide table called as one that holds what was decided?

    >>> decided("Gold label (expert)"), decided("goldman")
    (True, False)
    """
    return plain(name) in DECIDED or LONGER_DECIDED.fullmatch(plain(name)) is not None


@lru_cache(maxsize=1 << 16)
def plain(name: str) -> str:
    """A column's name as one would say it: 'Item ID' and 'itemId' are 'item_id', and 'étiquette' is 'etiquette'."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    bare = "".join(letter for letter in normalize("NFKD", spaced) if not combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", bare.lower()).strip("_")


def candidates(role: str, columns: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The columns whose names say a role: accord's own word alone, else all that say it in other words."""
    used = set(taken)
    free = [name for name in columns if name not in used]
    own = [name for name in free if plain(name) == role]
    found = own or [name for name in free if plain(name) in ROLES[role].words]
    if found or role != "annotator":
        return found
    return [name for name in free if LONGER_ANNOTATOR.match(plain(name))]


def weak_item(columns: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Columns that could name the item where nothing better does, the likeliest first."""
    used = set(taken)
    free = [name for name in columns if name not in used]
    found = [name for word in WEAK_ITEM for name in free if plain(name) == word]
    named = {*ROLES["annotator"].words, "annotator"}
    ids = [name for name in free if AN_ID.fullmatch(plain(name)) and plain(name) not in named]
    ids = [name for name in ids if LONGER_ANNOTATOR.match(plain(name)) is None]
    return found or (ids if len(ids) == 1 else [])


# -- what a note tells of a column, which may be called after somebody -------------------------------------------------


def named_or_hidden(name: str) -> str:
    """A column where people are hidden: as it is called, if that is a word of ours; else it may be somebody's name.

    >>> [named_or_hidden(name) for name in ("Worker ID", "tone_Xanthippe", "étiquette", "label 李明")]
    ['Worker ID', '…', 'etiquette', 'label']
    """
    word = plain(name)
    known = word in KNOWN or LONGER_ANNOTATOR.match(word) is not None
    return ELLIPSIS if not known else name if name.isascii() else word


def column(name: str) -> MayBeNames:
    """A column in a note."""
    return columns([name])


def columns(names: Sequence[str], most: int = MOST_LISTED) -> MayBeNames:
    """Columns in a note.

    >>> print(columns(["text", "Quentin"]), "|", columns(["text", "Quentin"]).unnamed)
    'text', 'Quentin' | 'text', …
    """
    known = [repr(word) for word in map(named_or_hidden, names) if word != ELLIPSIS]
    rest = [ELLIPSIS] if len(known) < len(names) else []
    return MayBeNames(listing(names, most), ", ".join([*known[:most], *rest]))


def people(names: Sequence[str]) -> PeopleNames:
    """People who have a column each, in a note."""
    return PeopleNames(names, MOST_NAMED, quoted=False)


def as_value(name: str) -> MayBeNames:
    """A column as the value of a keyword in a note."""
    return MayBeNames(name, named_or_hidden(name))
