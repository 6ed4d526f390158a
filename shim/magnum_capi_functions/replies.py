"""What a function answers, and what may come instead of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cloudevents.core.base import BaseCloudEvent
from cloudevents.core.bindings.http import HTTPMessage, from_http_event

PREFIX = "org.openstack.magnum."


#: Characters; `status_reason` has 64 KiB in MySQL, of which one character takes up to four bytes.
_LONGEST_SENTENCE = 10_000


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SENTENCE else f"{text[: _LONGEST_SENTENCE - 1]}…"


@dataclass(frozen=True)
class Accepted:
    """The operation is recorded and will be carried out. `stack_id` may be '' where nothing of the cluster exists."""

    stack_id: str
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The notes together; '' = there are none."""
        return _shortened(" ".join(self.notes))


@dataclass(frozen=True)
class Rejected:
    """Nothing was written. `code` is one of the contract's (docs/events.md), `message` readable sentences."""

    code: str
    message: str
    hint: str | None = None

    @property
    def sentence(self) -> str:
        """The message and what to do about it."""
        return _shortened(f"{self.message} {self.hint}" if self.hint else self.message)


@dataclass(frozen=True)
class Report:
    """A `cluster.status.v1` or `cluster.health.v1`: `type` without PREFIX, when it was made, its data."""

    type: str
    time: datetime
    data: dict[str, Any]


@dataclass(frozen=True)
class Nothing:
    """Done, with nothing to say."""


Reply = Accepted | Rejected | Report | Nothing


class NoAnswer(Exception):
    """No function answered usably. `sentence` says why, and may be shown to a user."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotSent(NoAnswer):
    """No function got as far as writing anything."""


class OutcomeUnknown(NoAnswer):
    """A function may have carried out the request or not. Sent again with the same id it does no harm."""


class NoLongerWanted(NoAnswer):
    """Something newer counts, so the event was not sent again; what became of it so far does not matter."""


class NoReply(ValueError):
    """A message that is no reply of a function."""


def parse_event(headers: Mapping[str, str], body: bytes) -> BaseCloudEvent:
    """The CloudEvent of an HTTP message in binary or structured mode.

    :raises NoReply: it is none.
    """
    try:
        return from_http_event(HTTPMessage(headers=dict(headers), body=body))
    except Exception as error:  # noqa: BLE001 - the SDK lets through whatever its parsers raise
        raise NoReply(f"The message is no CloudEvent: {type(error).__name__}.") from None


def reply_of(event: BaseCloudEvent, cluster_uuid: str) -> Reply:
    """The reply that an event is.

    :raises NoReply: it is none, or about another cluster.
    """
    data = event.get_data()
    if not isinstance(data, dict):
        raise NoReply("The event carries no object.")
    kind = event.get_type().removeprefix(PREFIX)
    if kind == "operation.rejected.v1":
        return _rejected(data)
    if data.get("cluster_uuid") != cluster_uuid:
        raise NoReply("The event is about another cluster.")
    if kind == "operation.accepted.v1":
        return _accepted(data)
    time = event.get_time()
    if kind in ("cluster.status.v1", "cluster.health.v1") and time is not None and time.tzinfo is not None:
        return Report(kind, time, data)
    raise NoReply("The event is of another type.")


def _accepted(data: dict[str, Any]) -> Accepted:
    notes = data.get("notes") or []
    if not isinstance(data.get("stack_id"), str) or not isinstance(notes, list):
        raise NoReply("The acceptance names no stack id.")
    return Accepted(data["stack_id"], tuple(str(note) for note in notes))


def _rejected(data: dict[str, Any]) -> Rejected:
    code, message = data.get("code"), data.get("message")
    if not isinstance(code, str) or not isinstance(message, str) or not message:
        raise NoReply("The refusal gives no reason.")
    return Rejected(code, message, _hints(data))


def _hints(data: dict[str, Any]) -> str | None:
    """The hints of all faults, each once."""
    faults = [data, *(fault for fault in data.get("faults") or [] if isinstance(fault, dict))]
    hints = dict.fromkeys(fault["hint"] for fault in faults if isinstance(fault.get("hint"), str))
    return " ".join(hints) or None
