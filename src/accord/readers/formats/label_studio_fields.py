"""What is read of Label Studio's tasks: their fields, and what each may hold."""

from __future__ import annotations

from accord.readers.typed_records import Anything, Fields, Flag, Listed, Named, Needed, Number, Scalar, Text


class LabelStudioUser(Fields):
    """Who annotated, by number and address."""

    id: Scalar
    pk: Scalar  # the number, as it was called before version 1
    email: Scalar
    username: Scalar


class Review(Fields):
    """What a reviewer made of an annotation."""

    accepted: Anything


class LabelStudioResult(Fields):
    """A choice, a rating, a span, a box, or a relation between two of them."""

    id: Scalar
    type: Text
    value: Named
    from_name: Needed
    to_name: Scalar
    score: Number
    from_id: Scalar
    to_id: Scalar
    labels: Anything


class Annotation(Fields):
    """What somebody, or a model, said of a task; or a draft of it."""

    id: Scalar
    completed_by: LabelStudioUser | Scalar
    user: LabelStudioUser | Scalar  # whose a draft is
    created_at: Scalar
    updated_at: Scalar
    lead_time: Number
    was_cancelled: Flag
    skipped: Flag
    ground_truth: Flag
    parent_prediction: Anything
    parent_annotation: Anything
    reviews: list[Review] | None
    result: list[LabelStudioResult] | None
    model_version: Scalar
    score: Number


class LabelStudioTask(Fields):
    """A task and all that was said of it."""

    id: Scalar
    data: Named
    annotations: list[Annotation] | None
    completions: list[Annotation] | None  # as they were called before version 1
    predictions: Listed
    drafts: Listed
    task: Scalar  # an object in an annotation with its task in it
