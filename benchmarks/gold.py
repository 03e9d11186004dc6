"""How long from answers to gold labels? Against crowd-kit, in an environment of its own.

Five answers per item, 500 annotators, 10 labels. Both get the same pandas frame, of integers or (majority-text) of text
ids, and everything counts from the frame on: coding, looking for repeated answers, iterating, deciding. crowd-kit's
Dawid–Skene is stopped by a quantity that is not the likelihood, so at a million answers it is run as it comes and
accord must reach at least the likelihood of its parameters, computed here for both.
With --full, a hundred million answers in memory, through a Study of integer columns.
With --engines, the same in engines that hold the table: seconds of an iteration and of one bare group-by of the items,
and the labels must be those of memory.
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
TIMES = 3  # of which the best counts
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
    run = {"crowdkit": _crowdkit, "accord": _accord, "huge": _huge, "engine": _engine}[who]
    labels, seconds, more = run(method, columns, iterations, folder)
    np.save(folder / f"{what}.npy", labels)
    truth = np.load(folder / "truth.npy")
    return {"seconds": seconds, "peak_mb": peak_mb(), "right": float((labels == truth).mean()), **more}


def frame_of(method: str, columns: dict[str, Array]) -> tuple[str, Any]:
    """The method's name, and the frame that both contestants are given."""
    import pandas as pd

    frame = pd.DataFrame(columns)
    if not method.endswith("-text"):
        return method, frame
    written = {name: name[0] + frame[name].astype(str) for name in columns}
    return method.removesuffix("-text"), pd.DataFrame(written)


def _accord(method: str, columns: dict[str, Array], iterations: int, _: Path) -> tuple[Array, float, dict[str, Any]]:
    import accord

    text = method.endswith("-text")
    method, frame = frame_of(method, columns)
    roles: Any = {"item": "task", "annotator": "worker", "label": "label"}
    accord.gold(accord.Study(frame.head(200_000), **roles), method="majority")  # imports
    start, busy = time.perf_counter(), time.process_time()
    study = accord.Study(frame, **roles)
    read, read_busy = time.perf_counter() - start, time.process_time() - busy
    options: dict[str, Any] = {"prior": "none"} if method == "dawid-skene" else {}  # as crowd-kit: maximum likelihood
    if options and iterations:
        options |= {"iterations": iterations, "tolerance": -1.0}
    found = accord.gold(study, method=method, **options)
    codes = found.codes
    seconds, processor = time.perf_counter() - start, time.process_time() - busy
    progress = found.progress
    more: dict[str, Any] = {"study_s": read, "processor_s": processor, "study_processor_s": read_busy}
    if progress is not None:
        more |= {"log_likelihood": found.log_likelihood, "iterations": progress.iterations, "trace": progress.trace}
    if text:  # in order of the items' numbers, as in the truth
        place = np.array([int(str(name)[1:]) for name in study.items])
        ordered = np.empty_like(codes)
        ordered[place] = codes
        codes = ordered
    labels = [int(str(label).removeprefix("l")) for label in study.labels]
    return np.append(np.asarray(labels), -1)[codes], seconds, more  # −1: undecided


def _huge(_: str, columns: dict[str, Array], iterations: int, __: Path) -> tuple[Array, float, dict[str, Any]]:
    """Dawid–Skene of a table as large as memory should bear: columns of integers, no frame."""
    import accord

    start = time.perf_counter()
    study = accord.Study(columns, item="task", annotator="worker", label="label")
    read = time.perf_counter() - start
    found = accord.gold(study, method="dawid-skene", prior="none", iterations=iterations, tolerance=-1.0)
    codes = found.codes
    seconds = time.perf_counter() - start
    return np.asarray(study.labels)[codes], seconds, {"log_likelihood": found.log_likelihood, "study_s": read}


def _engine(
    method: str, columns: dict[str, Array], iterations: int, folder: Path
) -> tuple[Array, float, dict[str, Any]]:
    """Dawid–Skene in an engine, its labels written there."""
    import accord

    table = opened(method, columns, folder)
    study = accord.Study(table, item="task", annotator="worker", label="label")
    bare = min(_bare_count(method, table) for _ in range(TIMES))
    marks: list[float] = []
    start = time.perf_counter()

    def tell(_done: int, _total: int) -> None:
        marks.append(time.perf_counter())

    options: Any = {"prior": "none", "iterations": iterations, "tolerance": -1.0}
    found = accord.gold(study, method="dawid-skene", progress=tell, **options)
    seconds = time.perf_counter() - start
    written = found.write(folder / f"gold-{method}.parquet")
    labels = _read_back(written)
    each = float(np.min(np.diff(marks))) if len(marks) > 1 else float("nan")
    return labels, seconds, {"log_likelihood": found.log_likelihood, "iteration_s": each, "bare_s": bare}


def _bare_count(engine: str, table: Any) -> float:
    """Seconds that the engine takes to count the answers of each item, and nothing else."""
    start = time.perf_counter()
    if engine == "polars":
        import polars as pl

        table.group_by("task").agg(pl.len()).select(pl.col("len").max()).collect(engine="streaming")
    elif engine == "duckdb":
        table.aggregate("task, count(*) AS number", "task").max("number").fetchall()
    else:
        table.groupBy("task").count().agg({"count": "max"}).collect()
    return time.perf_counter() - start


def opened(engine: str, columns: dict[str, Array], folder: Path) -> Any:
    """The table as a lazy frame of an engine, from a file."""
    import polars as pl

    path = folder / "annotations.parquet"
    if not path.exists():
        pl.DataFrame({name: column.astype(np.int64) for name, column in columns.items()}).write_parquet(path)
    if engine == "polars":
        return pl.scan_parquet(path)
    if engine == "duckdb":
        import duckdb

        return duckdb.connect().read_parquet(str(path))
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "8",
        "spark.driver.memory": "4g", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate().read.parquet(str(path))


def _read_back(path: Path) -> Array:
    import polars as pl

    frame = pl.read_parquet(str(path / "*.parquet") if path.is_dir() else path).sort("item")
    return frame["label"].fill_null(-1).to_numpy()


def _crowdkit(
    method: str, columns: dict[str, Array], iterations: int, folder: Path
) -> tuple[Array, float, dict[str, Any]]:
    from crowdkit.aggregation import DawidSkene, MajorityVote

    text = method.endswith("-text")
    method, frame = frame_of(method, columns)
    MajorityVote().fit_predict(frame.head(200_000))  # imports
    start, busy = time.perf_counter(), time.process_time()
    if method == "majority":
        labels = MajorityVote().fit_predict(frame)
        seconds, more = time.perf_counter() - start, {"processor_s": time.process_time() - busy}
        if text:
            place = labels.index.str[1:].astype(int).to_numpy()
            return labels.str[1:].astype(int).to_numpy()[np.argsort(place)], seconds, more
        return labels.sort_index().to_numpy(), seconds, more
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
    from accord.consensus.evidence import LabelEvidence

    columns = [np.load(folder / f"{name}.npy") for name in ("task", "worker", "label")]
    task, worker, label = columns
    ballots = Ballots.from_codes(task, worker, label, int(task.max()) + 1, ANNOTATORS, LABELS)
    peer = np.load(folder / "peer.npz")
    table = np.log(np.maximum(peer["table"], 1e-300)).reshape(-1, LABELS)
    return em.mass_of(ballots, LabelEvidence("posterior", np.log(peer["shares"]), table))[2]


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
    best = [
        min((run[place] for run in runs), key=lambda told: float(told.get("processor_s", told["seconds"])))
        for place in (0, 1)
    ]
    return best[0], best[1]


def compare(
    question: str,
    ours: dict[str, Any],
    theirs: dict[str, Any],
    faster: float | None = None,
    memory: float | None = None,
) -> None:
    """One line: how many times faster, and what share of the memory; and whether that is what it must be.

    By the time of the processor where both tell it: on a busy machine that of the clock says little.
    """
    time_in = "processor_s" if "processor_s" in ours and "processor_s" in theirs else "seconds"
    times, share = theirs[time_in] / ours[time_in], ours["peak_mb"] / theirs["peak_mb"]
    told = (
        f"{question}: accord {ours[time_in]:.3f} s, {ours['peak_mb']:,.0f} MB; crowd-kit {theirs[time_in]:.3f} s, "
        f"{theirs['peak_mb']:,.0f} MB: {times:.1f} × faster, {share:.2f} of the memory"
    )
    if faster is not None:
        reached = times >= faster and (memory is None or share <= memory)
        told += f"; must {faster:g} ×" + ("" if memory is None else f" and {memory:.2f}")
        told += f": {'reached' if reached else 'MISSED'}"
    print(told, flush=True)


def at(answers: int) -> None:
    """Majority, Dawid–Skene for a few iterations, and at a million to the same likelihood."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        folder = Path(name)
        make(folder, answers)
        title = f"{answers:,} answers"
        for ids in ("", "-text"):
            ours, theirs = in_turns((f"accord-majority{ids}", folder), (f"crowdkit-majority{ids}", folder), TIMES)
            mine, peers = (np.load(folder / f"{who}-majority{ids}.npy") for who in ("accord", "crowdkit"))
            if (mine != peers)[mine >= 0].any():  # crowd-kit gives a level label without saying so
                raise SystemExit("majority: labels that are not level differ.")
            what, must = ("text ids", 8) if ids else ("integer ids", 10)  # of text, telling ids apart is most of it
            compare(f"{title}, {what}, majority", ours, theirs, must)
            alone = {**ours, "processor_s": ours["processor_s"] - ours["study_processor_s"]}
            compare(f"{title}, {what}, majority of a study that is already read", alone, theirs, 10)
        if answers <= 1_000_000:
            whole = ask("accord-dawid-skene", folder)
            ask("crowdkit-dawid-skene", folder)
            reached = likelihood_of_peer(folder)
            print(f"log-likelihood: accord {whole['log_likelihood']:,.3f}, crowd-kit's parameters {reached:,.3f}")
            enough = [step for step, value in enumerate(whole["trace"], start=1) if value >= reached]
            if not enough:
                raise SystemExit("accord did not reach crowd-kit's likelihood.")
            ours, theirs = in_turns(("accord-dawid-skene", folder, enough[0]), ("crowdkit-dawid-skene", folder), TIMES)
            compare(f"{title}, Dawid–Skene to the same likelihood ({enough[0]} iterations)", ours, theirs, 10)
            compare(f"{title}, Dawid–Skene to where it stands still", whole, theirs)
        else:
            theirs, ours = ask("crowdkit-dawid-skene", folder, 2), ask("accord-dawid-skene", folder, 10)
            if abs(ours["right"] - theirs["right"]) > 0.01:
                raise SystemExit("Dawid–Skene: the labels differ.")
            compare(f"{title}, ten iterations against two", ours, theirs, 10, 1 / 3)


def full() -> None:
    """A hundred million answers, ten iterations, within 4 GB."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        make(Path(name), 100_000_000)
        told = ask("huge-dawid-skene", Path(name), 10)
        reached = "reached" if told["peak_mb"] <= 4096 else "MISSED"
        print(f"100,000,000 answers: {told['seconds']:.1f} s, {told['peak_mb']:,.0f} MB; must 4,096 MB: {reached}")


def engines(answers: int) -> None:
    """The same labels from engines as from memory, and how long an iteration takes."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        folder = Path(name)
        make(folder, answers)
        ask("accord-dawid-skene", folder, 4)
        expected = np.load(folder / "accord-dawid-skene.npy")
        for engine in ("polars", "duckdb", "spark"):
            told = ask(f"engine-{engine}", folder, 4)
            if (np.load(folder / f"engine-{engine}.npy") != expected).any():
                raise SystemExit(f"{engine}: the labels differ from those of memory.")
            print(
                f"{answers:,} answers in {engine}: {told['iteration_s']:.2f} s an iteration, the labels of memory; "
                f"{told['iteration_s'] / told['bare_s']:.1f} bare group-bys of {told['bare_s']:.2f} s"
            )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--answers", type=int, nargs="*", default=[1_000_000, 10_000_000])
    arguments.add_argument("--full", action="store_true")
    arguments.add_argument("--engines", type=int, metavar="ANSWERS")
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
    if given.engines:
        engines(given.engines)


if __name__ == "__main__":
    main()
