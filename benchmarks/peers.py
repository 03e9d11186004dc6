"""Where do the peers live? Makes their environments, apart from accord's, and prints the versions in them.

The peers want older versions of NumPy and SciPy than accord does, and some want what others refuse, so there are two.
ACCORD_PEERS and ACCORD_MORE_PEERS name environments that have them already; without them they are made under build/,
once.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
PINNED = {
    "irrCAC": "0.4.4",
    "krippendorff": "0.9.0",
    "statsmodels": "0.15.0",
    "scikit-learn": "1.9.1",
    "nltk": "3.10.4",
}
MORE = {"crowd-kit": "1.4.2", "pingouin": "0.6.1", "pygamma-agreement": "0.5.9"}
HOMES = {"peers": ("ACCORD_PEERS", PINNED), "more-peers": ("ACCORD_MORE_PEERS", MORE)}
VERSIONS = "import json, importlib.metadata as m; print(json.dumps({n: m.version(n) for n in %r}))"


def python(home: str = "peers") -> Path:
    """The interpreter of an environment of peers, which is made if it is not there."""
    variable, pinned = HOMES[home]
    given = os.environ.get(variable)
    folder = Path(given) if given else ROOT / "build" / home
    program = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if program.exists():
        return program
    if given:
        raise SystemExit(f"{variable} names {given}, and there is no environment there. Unset it to have one made.")
    make(folder, program, pinned)
    return program


def make(home: Path, program: Path, pinned: dict[str, str]) -> None:
    """Install the pinned peers; nothing stays behind if that fails."""
    print(f"-- making the peers' environment in {home.relative_to(ROOT)}", file=sys.stderr)
    venv.create(home, with_pip=True)
    wanted = [f"{name}=={version}" for name, version in pinned.items()]
    done = subprocess.run([program, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *wanted], check=False)
    if done.returncode:
        shutil.rmtree(home)
        raise SystemExit(
            "The peers could not be installed. irrCAC wants Python 3.11 or 3.12; with another one, make an environment "
            f"of your own with {', '.join(wanted)} and name it in ACCORD_PEERS."
        )


def versions(home: str = "peers") -> dict[str, str]:
    """What is installed there, with the packages that decide on speed."""
    names = [*HOMES[home][1], "numpy", "scipy", "pandas"]
    told = subprocess.run([python(home), "-c", VERSIONS % names], capture_output=True, text=True, check=True).stdout
    found: dict[str, str] = json.loads(told)
    return found


if __name__ == "__main__":
    for home, (_, pinned) in HOMES.items():
        found = versions(home)
        for name, wanted in pinned.items():
            if found[name] != wanted:
                print(f"{name} is {found[name]}; the results in benchmarks/README.md are those of {wanted}.")
        print(json.dumps({home: found}))
