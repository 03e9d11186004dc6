"""Content that would break a page, a table, a chart or a terminal that takes it for anything but text."""

from __future__ import annotations

from accord import Study

HOSTILE = {
    "script": "</script><script>window.hacked = true</script>",
    "image": '<img src="https://example.invalid/x.png" onerror="window.hacked = true">',
    "attribute": '" onmouseover="window.hacked = true" x=\'',
    "comment": "<!-- <style>body { display: none }",
    "entity": "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "template": "{{ 7 * 7 }} {% raw %} ${alert(1)}",
    "turned": "abc\u202edcba\u2066\u2069",
    "long": "w" * 10_000,
    "words": "many words " * 900,
    "chinese": "同意注释者之间的一致性" * 3,
    "devanagari": "हिन्दी में टिप्पणी",
    "arabic": "اتفاق بين المعلقين",
    "emoji": "👩‍👩‍👧 ❤️ 🇩🇪",
    "lines": "one\ntwo\r\nthree\ttabbed",
    "control": "bell\x07 escape\x1b[31mred\x00",
    "markdown": "| **bold** | [link](javascript:alert(1)) `code` # head",
    "latex": r"\input{/etc/passwd} $x^2$ %comment & {brace} ~ # _",
    "quotes": "'\"`´“”",
    "blank-looking": "\u200b\u200d",
    "vega": "datum.value'] + toString() + ['",
}


def hostile_study() -> Study:
    """Labels, texts, ids, annotators and a column, all hostile."""
    words = list(HOSTILE.values())
    people = [words[place] for place in (0, 1, 6, 7, 10)]
    rows = [(item, who) for item in range(len(words)) for who in range(len(people))]
    column = '<b>group</b>"'
    return Study(
        {
            "item": [words[item] for item, _ in rows],
            "annotator": [people[who] for _, who in rows],
            "label": [words[(item + (item * who) % 4) % 12] for item, who in rows],
            "text": [words[-1 - item] for item, _ in rows],
            column: [words[item % 3] for item, _ in rows],
        },
        text="text",
    )


GROUP = '<b>group</b>"'
