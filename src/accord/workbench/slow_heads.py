"""Connections that say nothing, or a letter a minute: uvicorn waits for the head of a request for ever, we do not."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from h11 import LocalProtocolError
from uvicorn.protocols.http.auto import AutoHTTPProtocol

SLOWEST_HEAD = 20.0  # seconds from a connection, or from the first letter of a request, to the end of its head
MOST_WAITING = 300  # connections of one address whose request is not whole yet


class InTime(asyncio.Protocol):
    """Closes a connection whose next request does not begin in time, beside uvicorn's own class.

    What a browser says after a long pause is a new request; a body has a time of its own.
    """

    seconds: ClassVar[float] = SLOWEST_HEAD
    most_waiting: ClassVar[int] = MOST_WAITING
    waiting: ClassVar[Counter[str]]  # of this server, by address
    cycle: Any  # uvicorn's: the request that is being answered
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _patience: asyncio.TimerHandle | None = None
    _waiting_from = ""  # the address, until its request is whole

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there; whoever has many waiting connections gets no more."""
        super().connection_made(transport)
        address = str((transport.get_extra_info("peername") or ("nowhere",))[0])
        if self.waiting[address] >= self.most_waiting:
            transport.close()
            return
        self.waiting[address] += 1
        self._waiting_from = address
        self._wait()

    def data_received(self, data: bytes) -> None:
        """They say something: a head that is whole, or a part of one."""
        try:
            super().data_received(data)
        except LocalProtocolError:  # no request, in the middle of an answer: it cannot even be told so
            self.transport.close()
            return
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._stop_waiting()
            self._has_spoken()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop_waiting()
        self._has_spoken()
        super().connection_lost(exc)

    def _has_spoken(self) -> None:
        if self._waiting_from:
            self.waiting[self._waiting_from] -= 1
            self._waiting_from = ""

    def _wait(self) -> None:
        if self._patience is None and not self.transport.is_closing():
            self._patience = self.loop.call_later(self.seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


def protocol_in_time() -> type[asyncio.Protocol]:
    """The protocol that uvicorn would take, with an end to its patience."""
    return type("ProtocolInTime", (InTime, AutoHTTPProtocol), {"waiting": Counter()})
