"""How long from answers to gold labels? Against crowd-kit, in an environment of its own.

Five answers an item, 500 annotators, 10 labels, as columns of integers. Everything counts from the columns on: coding,
iterating, deciding. crowd-kit's Dawid–Skene is stopped by a quantity that is not the likelihood, so at a million
answers it is run as it comes and accord must reach at least the likelihood of its parameters, computed here for both.
With --full, a hundred million answers in memory, from compact codes (no table of that size is read).
ACCORD_CROWDKIT names an environment that has crowd-kit; without it one is made under build/crowdkit, once.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
PINNED = ("crowd-kit==1.4.2", "scikit-learn==1.5.2")
ANNOTATORS, LABELS, ANSWERS = 500, 10, 5
Array = np.ndarray[Any, Any]


def make(folder: Path, answers: int) -> None:
    """Items with a true label; annotators right with an accuracy of their own, five different ones an item."""
    rng = np.random.default_rng(1)
    items = answers // ANSWERS
    truth = rng.integers(0, LABELS, items).astype(np.int8)
    accuracy = rng.uniform(0.4, 0.9, ANNOTATORS)
    first = rng.integers(0, ANNOTATORS, items)
    step = rng.integers(1, ANNOTATORS // ANSWERS, items)
    worker = ((first[:, None] + step[:, None] * np.arange(ANSWERS)) % ANNOTATORS).astype(np.int16).ravel()
    task = np.repeat(np.arange(items, dtype=np.int32), ANSWERS)
    right = rng.random(answers) < accuracy[worker]
    label = np.where(right, truth[task], rng.integers(0, LABELS, answers)).astype(np.int8)
    order = rng.permutation(answers)  # as answers come in, not sorted by item
    columns: dict[str, Array] = {"task": task[order], "worker": worker[order], "label": label[order], "truth": truth}
    for name, column in columns.items():
        np.save(folder / f"{name}.npy", column)


# -- one contestant in a process of its own -----------------------------------------------------------------------


def peak_mb() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def work(what: str, folder: Path, iterations: int) -> dict[str, Any]:
    """Seconds, peak memory and what came out."""
    columns = {name: np.load(folder / f"{name}.npy") for name in ("task", "worker", "label")}
    who, method = what.split("-", maxsplit=1)
    run = {"crowdkit": _crowdkit, "accord": _accord, "compact": _compact}[who]
    labels, seconds, more = run(method, columns, iterations, folder)
    np.save(folder / f"{what}.npy", labels)
    truth = np.load(folder / "truth.npy")
    return {"seconds": seconds, "peak_mb": peak_mb(), "right": float((labels == truth).mean()), **more}


def _accord(method: str, columns: dict[str, Array], iterations: int, _: Path) -> tuple[Array, float, dict[str, Any]]:
    import accord

    accord.gold(accord.Study({"item": [1, 1], "annotator": [1, 2], "label": [1, 1]}), method=method)  # imports
    start = time.perf_counter()
    study = accord.Study(columns, item="task", annotator="worker", label="label")
    read = time.perf_counter() - start
    options: dict[str, Any] = {}
    if method == "dawid-skene" and iterations:
        options = {"iterations": iterations, "tolerance": -1.0}
    found = accord.gold(study, method=method, **options)
    codes = found.codes
    seconds = time.perf_counter() - start
    progress = found.progress
    more: dict[str, Any] = {"study_s": read}
    if progress is not None:
        more |= {"log_likelihood": found.log_likelihood, "iterations": progress.iterations, "trace": progress.trace}
    return np.append(np.asarray(study.labels), -1)[codes], seconds, more  # −1: undecided


def _compact(_: str, columns: dict[str, Array], iterations: int, __: Path) -> tuple[Array, float, dict[str, Any]]:
    """Dawid–Skene from codes, without a study."""
    from accord.consensus.ballots import Ballots
    from accord.consensus.modelled import dawid_skene
    from accord.consensus.outcome import Ask

    start = time.perf_counter()
    items = int(columns["task"].max()) + 1
    ballots = Ballots.from_codes(
        columns.pop("task"), columns.pop("worker"), columns.pop("label"), items, ANNOTATORS, LABELS
    )
    coded = time.perf_counter() - start
    found = dawid_skene(ballots, Ask(iterations=iterations, tolerance=-1.0))
    seconds = time.perf_counter() - start
    assert found.progress is not None
    return found.choices.code, seconds, {"log_likelihood": found.progress.log_likelihood, "coding_s": coded}


def _crowdkit(
    method: str, columns: dict[str, Array], iterations: int, folder: Path
) -> tuple[Array, float, dict[str, Any]]:
    import pandas as pd
    from crowdkit.aggregation import DawidSkene, MajorityVote  # type: ignore[import-not-found]

    frame = pd.DataFrame(columns)
    start = time.perf_counter()
    if method == "majority":
        labels = MajorityVote().fit_predict(frame)
        return labels.sort_index().to_numpy(), time.perf_counter() - start, {}
    model = DawidSkene(n_iter=iterations) if iterations else DawidSkene()
    labels = model.fit_predict(frame)
    seconds = time.perf_counter() - start
    errors = model.errors_.reset_index()  # worker, label (the answer), then a column for each true label
    names = list(range(LABELS))
    errors.columns = ["worker", "answer", *names]
    table = errors.sort_values(["worker", "answer"])[names].to_numpy().reshape(ANNOTATORS, LABELS, LABELS)
    np.savez(folder / "peer.npz", table=table, shares=model.priors_.sort_index().to_numpy())
    return labels.sort_index().to_numpy(), seconds, {"iterations": len(model.loss_history_)}


def likelihood_of_peer(folder: Path) -> float:
    """The true log-likelihood of crowd-kit's parameters."""
    from accord.consensus import em
    from accord.consensus.ballots import Ballots
    from accord.consensus.evidence import Evidence

    columns = [np.load(folder / f"{name}.npy") for name in ("task", "worker", "label")]
    task, worker, label = columns
    ballots = Ballots.from_codes(task, worker, label, int(task.max()) + 1, ANNOTATORS, LABELS)
    peer = np.load(folder / "peer.npz")
    table = np.log(np.maximum(peer["table"], 1e-300)).reshape(-1, LABELS)
    return em.mass_of(ballots, Evidence("posterior", np.log(peer["shares"]), table))[2]


# -- asking -----------------------------------------------------------------------------------------------------------


def peer_python() -> Path:
    """The interpreter of crowd-kit's environment, which is made if it is not there."""
    given = os.environ.get("ACCORD_CROWDKIT")
    home = Path(given) if given else ROOT / "build" / "crowdkit"
    program = home / "bin" / "python"
    if not program.exists():
        if given:
            raise SystemExit(f"ACCORD_CROWDKIT names {given}, and there is no environment there.")
        import venv

        venv.create(home, with_pip=True)
        subprocess.run([program, "-m", "pip", "install", "-qq", *PINNED], check=True)
    return program


def ask(what: str, folder: Path, iterations: int = 0) -> dict[str, Any]:
    """One contestant, alone."""
    program = peer_python() if what.startswith("crowdkit") else Path(sys.executable)
    command = [str(program), __file__, "--work", what, "--folder", str(folder), "--iterations", str(iterations)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{what} failed:\n{done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps({"contestant": what, **{name: told[name] for name in told if name != "trace"}}), flush=True)
    return told


def in_turns(one: tuple[Any, ...], other: tuple[Any, ...], times: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The best of several runs of both, taking turns, so that a busy machine troubles both."""
    runs = [(ask(*one), ask(*other)) for _ in range(times)]
    best = [min((run[place] for run in runs), key=lambda told: float(told["seconds"])) for place in (0, 1)]
    return best[0], best[1]


def compare(question: str, ours: dict[str, Any], theirs: dict[str, Any], faster: float, memory: float | None) -> None:
    """One line: how many times faster, and what share of the memory."""
    times, share = theirs["seconds"] / ours["seconds"], ours["peak_mb"] / theirs["peak_mb"]
    reached = times >= faster and (memory is None or share <= memory)
    print(
        f"{question}: accord {ours['seconds']:.2f} s, {ours['peak_mb']:,.0f} MB; crowd-kit {theirs['seconds']:.2f} s, "
        f"{theirs['peak_mb']:,.0f} MB: {times:.1f} × faster, {share:.2f} of the memory; must {faster:g} ×"
        + ("" if memory is None else f" and {memory:.2f}")
        + f": {'reached' if reached else 'MISSED'}"
    )


def at(answers: int) -> None:
    """Majority, Dawid–Skene for a few iterations, and at a million to the same likelihood."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        folder = Path(name)
        make(folder, answers)
        title = f"{answers:,} answers"
        times = 3 if answers <= 1_000_000 else 1
        ours, theirs = in_turns(("accord-majority", folder), ("crowdkit-majority", folder), times)
        mine, peers = (np.load(folder / f"{who}-majority.npy") for who in ("accord", "crowdkit"))
        if (mine != peers)[mine >= 0].any():  # crowd-kit gives a level label without saying so
            raise SystemExit("majority: labels that are not level differ.")
        compare(f"{title}, majority", ours, theirs, 10, None)
        alone = {**ours, "seconds": ours["seconds"] - ours["study_s"]}
        compare(f"{title}, majority of a study that is already read", alone, theirs, 10, None)
        if answers <= 1_000_000:
            whole = ask("accord-dawid-skene", folder)
            ask("crowdkit-dawid-skene", folder)
            reached = likelihood_of_peer(folder)
            print(f"log-likelihood: accord {whole['log_likelihood']:,.3f}, crowd-kit's parameters {reached:,.3f}")
            enough = [step for step, value in enumerate(whole["trace"], start=1) if value >= reached]
            if not enough:
                raise SystemExit("accord did not reach crowd-kit's likelihood.")
            ours, theirs = in_turns(("accord-dawid-skene", folder, enough[0]), ("crowdkit-dawid-skene", folder), times)
            compare(f"{title}, Dawid–Skene to the same likelihood ({enough[0]} iterations)", ours, theirs, 10, None)
            compare(f"{title}, Dawid–Skene to where it stands still", whole, theirs, 0, None)
        else:
            theirs, ours = ask("crowdkit-dawid-skene", folder, 2), ask("accord-dawid-skene", folder, 10)
            if abs(ours["right"] - theirs["right"]) > 0.01:
                raise SystemExit("Dawid–Skene: the labels differ.")
            compare(f"{title}, ten iterations against two", ours, theirs, 10, 1 / 3)


def full() -> None:
    """A hundred million answers, ten iterations, within 4 GB."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        make(Path(name), 100_000_000)
        told = ask("compact-dawid-skene", Path(name), 10)
        print(f"100,000,000 answers: {told['seconds']:.1f} s, {told['peak_mb']:,.0f} MB; must be within 4,096 MB")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--answers", type=int, nargs="*", default=[1_000_000, 10_000_000])
    arguments.add_argument("--full", action="store_true")
    arguments.add_argument("--work")
    arguments.add_argument("--folder", type=Path)
    arguments.add_argument("--iterations", type=int, default=0)
    given = arguments.parse_args()
    if given.work:
        print(json.dumps(work(given.work, given.folder, given.iterations)))
        return
    for answers in given.answers:
        at(answers)
    if given.full:
        full()


if __name__ == "__main__":
    main()
