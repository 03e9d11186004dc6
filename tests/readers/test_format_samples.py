"""A second sample of every format, of our own making too, checked against the tools' own code and documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

FORMATS = Path(__file__).parent / "format_samples"

SAID: dict[str, dict[str, Any]] = {
    "counts.csv": {"shape": "counts"},
    "pygamma.csv": {"format": "pygamma"},
}
NO_STUDIES = ("labelstudio_config.xml", "doccano_textclass")  # a configuration; and a folder with one member twice


@pytest.mark.parametrize("name", sorted(path.name for path in FORMATS.iterdir()))
def test_every_sample_of_the_formats_is_read(name: str) -> None:
    if name in NO_STUDIES:
        with pytest.raises(accord.AccordError):
            accord.read(FORMATS / name)
        return
    study = accord.read(FORMATS / name, **SAID.get(name, {}))
    assert str(study.describe())


def test_a_folder_with_one_member_twice_is_read_file_by_file() -> None:
    for name in ("ana.csv", "ana.jsonl"):
        assert accord.read(FORMATS / "doccano_textclass" / name).labels == ("complaint", "hardware")


def test_the_configuration_of_the_team_sample_lies_beside_it() -> None:
    study = accord.read(FORMATS / "labelstudio.json")
    assert study.tasks["topic"].labels == ("travel", "news", "complaint")
    assert (study.tasks["tags"].kind, study.tasks["tags"].labels) == ("set", ("city", "person"))
