"""What packages answer to the calls of docs/moving-from.md: writes `moving_values.json` beside this file.

    python tests/reference/make_moving_values.py

The packages live in environments apart, which `benchmarks/peers.py` makes; this script starts itself there. The calls
stand in `docs/moving_page.py`, which needs nothing but Python. The same versions write the same bytes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # called as a script, only its folder is found

from docs.moving_page import PACKAGES, VALUES, asked_there

WITH_VERSIONS = (
    "scikit-learn",
    "krippendorff",
    "irrCAC",
    "statsmodels",
    "nltk",
    "crowd-kit",
    "pygamma-agreement",
    "pingouin",
)


def asked(home: str) -> dict[str, list[Any]]:
    """What the packages of this environment answer."""
    warnings.simplefilter("ignore")
    return {name: list(asked_there(package)) for name, package in PACKAGES.items() if package.home == home}


def main() -> None:
    """Ask in every environment, and write."""
    from benchmarks import peers

    answers: dict[str, Any] = {}
    versions: dict[str, str] = {}
    for home in peers.HOMES:
        command = [str(peers.python(home)), __file__, home]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        answers |= json.loads(told.splitlines()[-1])
        versions |= peers.versions(home)
    found = {"versions": {name: versions[name] for name in WITH_VERSIONS}, "answers": answers}
    VALUES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(asked(sys.argv[1])))
    else:
        main()
