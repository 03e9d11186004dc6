"""Builds wheel and sdist and tries them where nothing else is: `python tests/packaging/clean_room.py FOLDER`.

The wheel is made from the sdist, so that the sdist is whole; the README must render; the wheel must hold the types, the
licence and the data, and nothing of the tests. Then it is installed twice into empty environments: alone, and with what
the command needs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
IN_WHEEL = ("accord/py.typed", "accord/schema.json", "accord/references.bib", "accord/reporting/templates/page.html.j2")
IN_SDIST = ("LICENSE", "README.md", "CHANGELOG.md", "Makefile", "tests/conftest.py", "docs/index.md", "pyproject.toml")
KAPPA = "import accord; print(f'{accord.cohen_kappa([1, 2, 2, 1], [1, 2, 1, 1]).value:.2f}')"


def environment(folder: Path) -> Path:
    """The interpreter of an empty environment."""
    venv.create(folder, with_pip=True, clear=True)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def told(*command: str | Path, folder: Path, code: int = 0) -> str:
    """What a command prints; it must end with `code`."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def install(python: Path, *what: str) -> None:
    """Install into an environment, quietly."""
    told(python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *what, folder=ROOT)


def built(folder: Path) -> tuple[Path, Path]:
    """Sdist and wheel, checked as an index would."""
    python = environment(folder / "tools")
    install(python, "build", "twine")
    told(python, "-m", "build", "--outdir", folder / "dist", ROOT, folder=folder)
    sdist, wheel = next((folder / "dist").glob("*.tar.gz")), next((folder / "dist").glob("*.whl"))
    told(python, "-m", "twine", "check", "--strict", sdist, wheel, folder=folder)
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> None:
    """What must be in each, and what must not."""
    held = set(zipfile.ZipFile(wheel).namelist())
    metadata = next(name.partition("/")[0] for name in held if ".dist-info/" in name)
    beside = metadata.replace(".dist-info", ".data")
    wanted = (*IN_WHEEL, f"{metadata}/licenses/LICENSE", f"{beside}/data/share/man/man1/accord.1")
    missing = [name for name in wanted if name not in held]
    strange = [name for name in held if name.partition("/")[0] not in ("accord", metadata, beside)]
    with tarfile.open(sdist) as file:
        packed = {name.partition("/")[2] for name in file.getnames()}
    missing += [f"{name} (sdist)" for name in IN_SDIST if name not in packed]
    if missing or strange:
        raise SystemExit(f"Missing: {missing or 'nothing'}; not ours: {strange or 'nothing'}.")


def try_alone(folder: Path, wheel: Path) -> None:
    """The library without any extra: a coefficient, types for others, and a command that says what it needs."""
    python = environment(folder / "alone")
    install(python, str(wheel))
    if told(python, "-c", KAPPA, folder=folder) != "0.50\n":
        raise SystemExit("The installed library has another kappa.")
    if "accord[report]" not in told(python, "-m", "accord.cli", "--version", folder=folder, code=2):
        raise SystemExit("The command without its packages does not say how to get them.")


def try_command(folder: Path, wheel: Path) -> None:
    """The command prints the table of the tutorial, and writes a report and a Word document."""
    python = environment(folder / "report")
    install(python, f"{wheel}[report]")
    shutil.copy(ROOT / "examples" / "five-annotators.csv", folder)
    said = told(python, "-m", "accord.cli", "measure", "five-annotators.csv", folder=folder)
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    table = [line for line in said.splitlines() if line.startswith(("Krippendorff's alpha  ", "Fleiss' kappa  "))]
    if len(table) != 2 or any(line not in tutorial for line in table):
        raise SystemExit(f"The tutorial shows another table than the command prints:\n{said}")
    for command, name in (("report", "report.html"), ("paper", "paper.docx")):
        told(python, "-m", "accord.cli", command, "five-annotators.csv", "-o", name, "--force", folder=folder)


def main(folder: Path) -> None:
    """Build, look inside, install, try."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sdist, wheel = built(folder)
    check_contents(sdist, wheel)
    try_alone(folder, wheel)
    try_command(folder, wheel)
    print(f"{sdist.name} and {wheel.name} are whole: they are in {folder / 'dist'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
