"""Does the workbench lose or double a decision when it is killed? Three people decide while it dies again and again.

    python -m benchmarks.workbench_kills [--decisions 1000] [--kills 20] [--seed 0]

`accord serve` runs as a process of its own. Three clients decide contested items at once; a request that gets no answer
is sent again, with its key, until it gets one, and now and then one that was answered is sent again all the same. The
server is killed (SIGKILL) at random moments and started again. In the end every decision that was acknowledged must
stand in the file once, nothing may stand there twice, and no item may have been decided by two people.
Printed besides: how long a restart took until it answered, by the clock and by the processor.
"""

from __future__ import annotations

import argparse
import html
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from accord.workbench.decision_log import DecisionLog

CLIENTS = ("ana", "ben", "cyd")
LABELS = ("yes", "no", "maybe")
HIDDEN = re.compile(r'<input type="hidden" name="(form_token|item|key|seen|since)" value="([^"]*)"')
LINK = re.compile(r'value="(http[^"]+/enter\?token=[^"]+)"')
RIGHT = 0.5  # of answers; the others are drawn, and right as often as chance has it
AGAIN = 0.1  # of answered requests, those that are sent once more
PATIENCE = 600.0  # seconds without any answer after which something is wrong, on however busy a machine
BETWEEN = 0.05  # seconds between two tries to reach a server that is down


def write_study(path: Path, items: int, seed: int) -> None:
    """Three annotators who often differ: each is right of two items in three."""
    chance = random.Random(seed)
    rows = []
    for item in range(items):
        true = chance.choice(LABELS)
        rows += [
            f"{item},{who},{true if chance.random() < RIGHT else chance.choice(LABELS)}" for who in ("x", "y", "z")
        ]
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n")


@dataclass
class Server:
    """`accord serve`, to be killed and started again on the same file, at whatever port is free then."""

    study: Path
    decisions: Path
    process: subprocess.Popen[str] | None = None
    url: str = ""

    def start(self) -> tuple[float, float]:
        """Until it answers: seconds by the clock, and of the processor."""
        command = [sys.executable, "-m", "accord.cli", "serve", str(self.study), "--no-browser"]
        command += ["--port", "0", "--decisions", str(self.decisions), "--second-look", "0"]
        begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1]
        return time.perf_counter() - begun, cpu_seconds(self.process.pid)

    @property
    def address(self) -> str:
        """Where it is to be found now: host and port."""
        return urlsplit(self.url).netloc

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def cpu_seconds(process: int) -> float:
    """What a process has taken of the processor."""
    cells = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(cells[11]) + int(cells[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Client:
    """Somebody who decides; asks again until there is an answer."""

    server: Server
    cookie: str = ""

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """The status and the text of an answer, however often that takes."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._once(method, path, fields)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
                time.sleep(BETWEEN)

    def _once(self, method: str, path: str, fields: dict[str, str] | None) -> tuple[int, str]:
        address = self.server.address
        connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        head = {"Origin": f"http://{address}", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            body = urlencode(fields) if fields else None
            connection.request(method, path, body, {**head, "Cookie": self.cookie})
            answer = connection.getresponse()
            text = answer.read().decode()
            cookie = answer.getheader("set-cookie")
            self.cookie = cookie.partition(";")[0] if cookie else self.cookie
            return answer.status, text
        finally:
            connection.close()

    def enter(self, url: str) -> None:
        """Open a link, and keep the cookie."""
        parts = urlsplit(url)
        self.ask("GET", f"{parts.path}?{parts.query}")

    def page(self, path: str) -> dict[str, str]:
        """The hidden fields of a page."""
        return {name: html.unescape(value) for name, value in HIDDEN.findall(self.ask("GET", path)[1])}

    def invited(self, name: str) -> Client:
        """Somebody else, by a link of theirs."""
        token = self.page("/people")["form_token"]
        _, page = self.ask("POST", "/people/invite", {"form_token": token, "name": name, "role": "adjudicator"})
        guest = Client(self.server)
        guest.enter(html.unescape(LINK.findall(page)[0]))
        return guest


@dataclass
class Outcome:
    """What was told to clients, and what lies in the file."""

    acknowledged: list[str] = field(default_factory=list)  # keys
    refused: Counter[int] = field(default_factory=Counter)  # other answers, by status
    restarts: list[tuple[float, float]] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    decided_twice: int = 0
    rows: int = 0

    @property
    def clean(self) -> bool:
        """Is every decision there, once?"""
        return not (self.lost or self.doubled or self.decided_twice)


def decide(client: Client, enough: threading.Event, wanted: int, outcome: Outcome, chance: random.Random) -> None:
    """Decide items until all together have decided as many as are wanted."""
    while not enough.is_set():
        fields = client.page("/queue")
        if "item" not in fields:
            return
        form = {**fields, "answer": json.dumps(chance.choice(LABELS))}
        for _ in range(2 if chance.random() < AGAIN else 1):
            status, _ = client.ask("POST", "/decide", form)
            if status == 303:
                outcome.acknowledged.append(form["key"])
            else:
                outcome.refused[status] += 1
        if len(set(outcome.acknowledged)) >= wanted:
            enough.set()


def killed(folder: Path, decisions: int, kills: int, seed: int = 0) -> Outcome:
    """Three people decide while the server is killed; what came of it."""
    study = folder / "study.csv"
    write_study(study, 2 * decisions, seed)
    server = Server(study, folder / "decisions.sqlite")
    outcome, chance, enough = Outcome(restarts=[server.start()]), random.Random(seed), threading.Event()
    try:
        lead = Client(server)
        lead.enter(server.url)
        people = [lead.invited(name) for name in CLIENTS]
        threads = [
            threading.Thread(
                target=decide, args=[one, enough, decisions, outcome, random.Random(seed + place)], daemon=True
            )
            for place, one in enumerate(people, start=1)
        ]
        for thread in threads:
            thread.start()
        for number in range(1, kills + 1):  # each after its part of the decisions, at a moment of its own
            while len(set(outcome.acknowledged)) < decisions * number // (kills + 1) and not enough.is_set():
                time.sleep(chance.uniform(0.001, 0.02))
            server.kill()
            outcome.restarts.append(server.start())
        for thread in threads:
            thread.join()
    finally:
        enough.set()
        server.kill()
    return looked_up(outcome, folder / "decisions.sqlite")


def looked_up(outcome: Outcome, path: Path) -> Outcome:
    """What the file holds of what was acknowledged."""
    log = DecisionLog.read(path)
    rows = list(log.standing("decide"))
    log.close()
    keys, items = Counter(row.key for row in rows), Counter(row.item for row in rows)
    outcome.rows = len(rows)
    outcome.lost = len(set(outcome.acknowledged) - set(keys))
    outcome.doubled = sum(number > 1 for number in keys.values())
    outcome.decided_twice = sum(number > 1 for number in items.values())
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed(Path(folder), given.decisions, given.kills, given.seed)
    told = len(set(found.acknowledged))
    print(f"{told:,} decisions acknowledged by three clients, {given.kills} kills; {found.rows:,} rows in the file")
    print(f"lost {found.lost}, doubled {found.doubled}, items decided twice {found.decided_twice}")
    print(f"answered otherwise, by status: {dict(found.refused)}")
    clock, cpu = (sorted(one[place] for one in found.restarts[1:]) for place in (0, 1))
    if clock:
        middle = len(clock) // 2
        print(f"restart: median {clock[middle]:.2f} s by the clock, {cpu[middle]:.2f} s of the processor")
    if not found.clean:
        sys.exit("Decisions were lost or doubled.")


if __name__ == "__main__":
    main()
