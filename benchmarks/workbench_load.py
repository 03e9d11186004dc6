"""How long do fifty people wait at the workbench of a million items, and what does it take of the machine?

    python -m benchmarks.workbench_load [--items 1000000] [--clients 50] [--seconds 20] [--pause 1.0]

`accord serve` runs as a process of its own; people come by links of theirs, each with a connection, look at an item,
decide it, and go on after a pause (of `--pause` seconds on average; 0 never waits). Then each page is asked for by one
client after another. Printed: the 95th percentile of decisions and of pages, the processor time of the server for each,
and the most memory that it held.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import numpy as np

LABELS = ("yes", "no", "maybe", "unclear")
PAGES = (
    "/",
    "/live",
    "/queue",
    "/after",
    "/open-points",
    "/rules?answers=3&share=100",
    "/annotators",
    "/report",
    "/report?label=no",
    "/report?agree=no",
    "/report?annotator=annotator+2&label=yes",
    "/report?confidence=0-0.5",
    "/report?state=open",
    "/items",
    "/items?label=no&label=maybe",
    "/items?search=777",
)
HIDDEN = re.compile(r'<input type="hidden" name="(form_token|item|key|seen|since)" value="([^"]*)"')


def write_study(path: Path, items: int, annotators: int, seed: int) -> None:
    """A study in a file: a true label for each item, and annotators who often find it."""
    import polars as pl

    draw = np.random.default_rng(seed)
    truth = draw.integers(len(LABELS), size=items)
    hard = draw.random(items) < 0.3
    columns = []
    for _ in range(annotators):
        wrong = draw.random(items) < np.where(hard, 0.45, 0.05)
        columns.append(np.where(wrong, draw.integers(len(LABELS), size=items), truth))
    answer = np.stack(columns, axis=1).ravel()
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(items), annotators),
            "annotator": [f"person {place}" for place in range(annotators)] * items,
            "label": np.array(LABELS)[answer],
        }
    )
    frame.write_parquet(path)


@dataclass
class Person:
    """Somebody with a connection that stays open, and a cookie."""

    host: str
    port: int
    cookie: str = ""
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    async def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None, called: str = ""
    ) -> tuple[int, str]:
        """One request; how long it took is kept under a name."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        assert self.reader is not None
        body = urlencode(fields or {}).encode() if method == "POST" else b""
        head = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(body)}"]
        head += [f"Origin: http://{self.host}:{self.port}", "Content-Type: application/x-www-form-urlencoded"]
        head += [f"Cookie: {self.cookie}"] if self.cookie else []
        begun = time.perf_counter()
        self.writer.write("\r\n".join([*head, "", ""]).encode() + body)
        try:
            answered = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        except (asyncio.IncompleteReadError, ConnectionError):  # closed after a long silence: a browser asks again
            self.writer = None
            return await self.ask(method, path, fields, called)
        length = re.search(r"content-length: (\d+)", answered)
        text = (await self.reader.readexactly(int(length[1]) if length else 0)).decode()
        self.taken[called or f"{method} {path}"].append(time.perf_counter() - begun)
        found = re.search(r"set-cookie: ([^;]+);", answered)
        self.cookie = found[1] if found else self.cookie
        place = re.search(r"location: (\S+)", answered)
        return int(answered.split()[1]), place[1] if place else text


async def decide(person: Person, until: float, pause: float, chance: random.Random) -> int:
    """Look at items and decide them, until the time is up."""
    done = 0
    _, page = await person.ask("GET", "/queue", called="page")
    while time.perf_counter() < until:
        await asyncio.sleep(chance.expovariate(1 / pause) if pause else 0)
        fields = {name: html.unescape(value) for name, value in HIDDEN.findall(page)}
        if chance.random() < 0.3:
            _, page = await person.ask("GET", f"/queue?item={quote(fields['item'])}&show=answers", called="page")
        answer = {"answer": f'"{chance.choice(LABELS)}"'}
        status, following = await person.ask("POST", "/decide", {**fields, **answer}, called="decision")
        assert status == 303, following
        done += 1
        _, page = await person.ask("GET", following, called="page")
    return done


async def load(url: str, clients: int, seconds: float, pause: float) -> tuple[list[Person], int, Person]:
    """Everybody at once."""
    parts = urlsplit(url)
    lead = Person(str(parts.hostname), int(parts.port or 0))
    await lead.ask("GET", f"{parts.path}?{parts.query}")
    people = []
    for number in range(clients):
        _, page = await lead.ask("GET", "/people")
        token = dict(HIDDEN.findall(page))["form_token"]
        fields = {"form_token": token, "name": f"adjudicator {number}", "role": "adjudicator"}
        _, page = await lead.ask("POST", "/people/invite", fields)
        link = urlsplit(html.unescape(re.findall(r'value="(http[^"]+)"', page)[0]))
        person = Person(lead.host, lead.port)
        await person.ask("GET", f"{link.path}?{link.query}")
        people.append(person)
    await lead.ask("GET", "/queue?show=answers", called="the first item")
    print(f"the first item of all was shown after {1000 * lead.taken['the first item'][0]:.0f} ms")
    until = time.perf_counter() + seconds
    done = await asyncio.gather(*(decide(one, until, pause, random.Random(place)) for place, one in enumerate(people)))
    return people, sum(done), lead


def cpu_seconds(process: int) -> float:
    """What a process has taken of the processor."""
    cells = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(cells[11]) + int(cells[12])) / os.sysconf("SC_CLK_TCK")


def most_memory(process: int) -> float:
    """The most memory that a process held, in GB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) * 1024 / 1e9 if found else float("nan")


def percentile(times: list[float]) -> float:
    """The 95th, in milliseconds."""
    return 1000 * (statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0])


async def whole_report(lead: Person, path: str) -> str:
    """Seconds until nothing of a report is missing; empty for other pages."""
    if not path.startswith("/report"):
        return ""
    begun = time.perf_counter()
    while ' data-more="' in (await lead.ask("GET", path, called=f"drawn {path}"))[1]:
        pass
    return f"{time.perf_counter() - begun:8.1f}"


async def each_page(lead: Person, process: int, times: int) -> None:
    """Every page by itself: the first look, and those after it."""
    print(f"{'page':40} first ms   then ms (p95)   server's CPU ms   whole after s")
    for path in PAGES:
        status, _ = await lead.ask("GET", path, called=f"first {path}")
        if status != 200:
            print(f"{path:40} answered {status}")
            continue
        whole = await whole_report(lead, path)
        before = cpu_seconds(process)
        for _ in range(times):
            await lead.ask("GET", path, called=path)
        cpu = 1000 * (cpu_seconds(process) - before) / times
        first = 1000 * lead.taken[f"first {path}"][0]
        drawn = lead.taken[f"drawn {path}"]
        slowest = f"{percentile(drawn):8.1f} while drawn" if drawn else ""
        print(f"{path:40} {first:8.1f} {percentile(lead.taken[path]):12.1f} {cpu:16.1f} {whole} {slowest}")


async def measured(url: str, process: int, given: argparse.Namespace) -> None:
    """The load, then each page."""
    before = cpu_seconds(process)
    people, done, lead = await load(url, given.clients, given.seconds, given.pause)
    cpu = cpu_seconds(process) - before
    for called in ("decision", "page"):
        times = [one for person in people for one in person.taken[called]]
        middle = 1000 * statistics.median(times)
        print(f"{called}s: {len(times):,}, median {middle:.1f} ms, p95 {percentile(times):.1f} ms")
    each = 1000 * cpu / max(done, 1)
    print(f"{done / given.seconds:.0f} decisions a second; {each:.2f} ms of server CPU for each with its pages")
    await each_page(lead, process, given.times)
    print(f"memory: {most_memory(process):.2f} GB at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--annotators", type=int, default=5)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.parquet"
        write_study(file, given.items, given.annotators, given.seed)
        command = [sys.executable, "-m", "accord.cli", "serve", str(file), "--no-browser", "--port", "0"]
        begun = time.perf_counter()
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        print(f"opened after {time.perf_counter() - begun:.1f} s, {cpu_seconds(server.pid):.1f} s of CPU")
        try:
            asyncio.run(measured(url, server.pid, given))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
