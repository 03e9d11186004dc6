"""Where do the peers live? Makes their environment, apart from accord's, and prints the versions in it.

The peers want older versions of NumPy and SciPy than accord does. ACCORD_PEERS names an environment that has them
already; without it one is made under build/peers, once.
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
VERSIONS = "import json, importlib.metadata as m; print(json.dumps({n: m.version(n) for n in %r}))"


def python() -> Path:
    """The interpreter of the peers' environment, which is made if it is not there."""
    given = os.environ.get("ACCORD_PEERS")
    home = Path(given) if given else ROOT / "build" / "peers"
    program = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if program.exists():
        return program
    if given:
        raise SystemExit(f"ACCORD_PEERS names {given}, and there is no environment there. Unset it to have one made.")
    make(home, program)
    return program


def make(home: Path, program: Path) -> None:
    """Install the pinned peers; nothing stays behind if that fails."""
    print(f"-- making the peers' environment in {home.relative_to(ROOT)}", file=sys.stderr)
    venv.create(home, with_pip=True)
    wanted = [f"{name}=={version}" for name, version in PINNED.items()]
    done = subprocess.run([program, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *wanted], check=False)
    if done.returncode:
        shutil.rmtree(home)
        raise SystemExit(
            "The peers could not be installed. irrCAC wants Python 3.11 or 3.12; with another one, make an environment "
            f"of your own with {', '.join(wanted)} and name it in ACCORD_PEERS."
        )


def versions() -> dict[str, str]:
    """What is installed there, with the packages that decide on speed."""
    names = [*PINNED, "numpy", "scipy", "pandas"]
    told = subprocess.run([python(), "-c", VERSIONS % names], capture_output=True, text=True, check=True).stdout
    found: dict[str, str] = json.loads(told)
    return found


if __name__ == "__main__":
    found = versions()
    for name, wanted in PINNED.items():
        if found[name] != wanted:
            print(f"{name} is {found[name]}; the results in benchmarks/README.md are those of {wanted}.")
    print(json.dumps({"peers": found}))
