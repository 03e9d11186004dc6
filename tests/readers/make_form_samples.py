"""Writes samples of forms that are filled in once for an annotation, and of surveys beside Qualtrics and Google's."""

from __future__ import annotations

from tests.readers.make_samples import put

KIND = ("Kind", "Neutral", "Unkind")
PEOPLE = ("ana", "ben")


def line(*cells: object, mark: str = ",") -> str:
    """A line of CSV; cells with a mark or a blank line in them are in quotation marks."""
    return mark.join(f'"{cell}"' if mark in str(cell) else str(cell) for cell in cells) + "\n"


def surveymonkey() -> None:
    """Two lines of names: questions, and below them rows of a grid, choices, or nothing much."""
    own = ("Respondent ID", "Collector ID", "Date Created", "Date Modified", "IP Address", "Email Address")
    text = line(*own, "Is text 1 kind?", "Is text 2 kind?", "Which apply?", "", "", "How old are you?")
    text += line(*[""] * 6, "Response", "Response", "news", "travel", "Other (please specify)", "Open-Ended Response")
    for number in range(1, 5):
        said = (KIND[number % 3], KIND[(number + 1) % 3], "news" if number % 2 else "", "travel", "", 30 + number)
        text += line(9000 + number, 44, "03/01/2026", f"03/0{number}/2026", "192.0.2.1", "", *said)
    put("surveymonkey/kind.csv", text)
    rows = line(*own[:4], "How kind are the texts?", "", "")
    rows += line(*[""] * 4, "text 1", "text 2", "text 3")
    for number in range(1, 4):
        rows += line(9000 + number, 44, "03/01/2026", "03/01/2026", *(KIND[(number + at) % 3] for at in range(3)))
    put("surveymonkey/grid.csv", rows)


def limesurvey() -> None:
    """The header in codes, and in words of English and German."""
    said = [(number, [f"A{(number + at) % 3 + 1}" for at in range(3)]) for number in range(1, 5)]
    text = line("id", "submitdate", "lastpage", "startlanguage", "seed", "kind[T1]", "kind[T2]", "kind[T3]", "age")
    for number, answers in said:
        done = "" if number == 4 else f"2026-03-0{number} 10:00:00"
        text += line(number, done, 3, "en", 100 + number, *answers, 30 + number)
    put("limesurvey/codes.csv", text)
    grid = [f"How kind is it? [Text {at}]" for at in (1, 2, 3)]
    for name, own in {
        "english": ("Response ID", "Date submitted", "Last page", "Start language"),
        "german": ("Antwort ID", "Datum Abgeschickt", "Letzte Seite", "Start-Sprache"),
    }.items():
        text = line(*own, *grid, "Total time")
        for number, answers in said[:3]:
            text += line(number, "2026-03-01 10:00:00", 2, "en", *answers, 61.5)
        put(f"limesurvey/{name}.csv", text)


def redcap() -> None:
    """A form that raters fill in of a case, a repeated form, and records that two people entered."""
    text = line(
        "record_id", "redcap_event_name", "case_id", "rater", "mood", "signs___1", "signs___2", "rating_complete"
    )
    number = 0
    for case in ("c1", "c2", "c3"):
        for at, who in enumerate(PEOPLE):
            number += 1
            first, second = number % 2, number % 3 == 0
            text += line(
                number, "round_1", case, who, 1 + (number + at) % 3, first, int(second), 0 if number == 6 else 2
            )
    put("redcap/rated.csv", text)
    twice = line("record_id", "mood", "sleep", "diary_complete")
    for record in (1, 2, 3):
        for entry in (1, 2):
            twice += line(f"{record}--{entry}", (record + entry) % 3, record % 2, 2)
    put("redcap/entered-twice.csv", twice + line("3--3", 1, 1, 2))
    again = line("record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "rater", "Signs (choice=Fever)",
                 "Signs (choice=Cough)", "mood", "Complete?")  # fmt: skip
    for record in (1, 2):
        for at, who in enumerate(PEOPLE, start=1):
            fever = "Checked" if record == at else "Unchecked"
            again += line(record, "rating", at, who, fever, "Checked", ("low", "high")[(record + at) % 2], "Complete")
    put("redcap/repeated.csv", again)


def kobo() -> None:
    """Submissions, with several choices in a cell and in a column each; one was not approved."""
    names = ("start", "end", "coder", "doc_id", "grp/tone", "themes", "themes/news", "themes/travel", "_id", "_uuid")
    text = line(*names, "_submission_time", "_validation_status", "_submitted_by", "_index", mark=";")
    number = 0
    for item in ("d1", "d2", "d3"):
        for who in PEOPLE:
            number += 1
            themes = [theme for theme, every in (("news", 2), ("travel", 3)) if number % every == 0]
            ticks = [int(theme in themes) for theme in ("news", "travel")]
            tone = ("warm", "cold")[number // 2 % 2]
            state = "Not Approved" if number == 5 else "Approved"
            text += line(
                "2026-03-01T10:00:00", "2026-03-01T10:05:00", who, item, tone, " ".join(themes),
                *ticks, 70 + number, f"u-{number}", f"2026-03-0{number}T11:00:00", state, "team", number, mark=";",
            )  # fmt: skip
    put("kobo/submissions.csv", text)


def qda() -> None:
    """Coded segments of MAXQDA, Dedoose and ATLAS.ti."""
    segments = [("Talk 1", 3, 4, "hope", "ana"), ("Talk 1", 3, 3, "hope", "ben"), ("Talk 2", 1, 1, "fear", "ana"),
                ("Talk 2", 1, 2, "fear", "ben"), ("Talk 2", 5, 5, "hope", "ben")]  # fmt: skip
    text = line("Color", "Document group", "Document name", "Code", "Beginning", "End", "Segment", "Created by")
    text += "".join(line("●", "Spring", talk, code, at, to, "We hoped.", who) for talk, at, to, code, who in segments)
    put("qda/maxqda.csv", text)
    text = line("Document", "Quotation Content", "Codes", "Start", "End", "Created by", mark=";")
    for talk, at, to, code, who in segments:
        codes = '"hope\nfear"' if at == 5 else code
        text += line(talk, "We hoped.", codes, at, to, who, mark=";")
    put("qda/atlasti.csv", text)
    names = (
        "Media Title",
        "Excerpt Copy",
        "Excerpt Creator",
        "Excerpt Range",
        "Code: hope Applied",
        "Code: fear Applied",
    )
    text = line(*names)
    for talk, at, to, code, who in segments:
        text += line(talk, "We hoped.", who, f"{10 * at}-{10 * to + 9}", code == "hope", code == "fear")
    put("qda/dedoose.csv", text)


if __name__ == "__main__":
    for make in (surveymonkey, limesurvey, redcap, kobo, qda):
        make()
