"""Posts one event to a function, and again until it is answered usably or the time is up.

Repetition does no harm: a function takes the same event id as the same request.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from cloudevents.core.bindings.http import HTTPMessage, to_binary_event
from cloudevents.core.v1.event import CloudEvent
from magnum.conf import CONF
from oslo_log import log

from magnum_capi_functions import metrics, tracing
from magnum_capi_functions.answers import Failure
from magnum_capi_functions.exchange import exchange
from magnum_capi_functions.options import settings
from magnum_capi_functions.replies import (
    PREFIX,
    Accepted,
    NoAnswer,
    NoLongerWanted,
    Nothing,
    NotSent,
    OutcomeUnknown,
    Rejected,
    Reply,
    Report,
)

LOG = log.getLogger(__name__)

#: Seconds before the second attempt; doubled for each further one, up to the longest. A cold start takes ten seconds.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
#: Seconds that are too few for another attempt.
_TOO_LITTLE = 0.5

_FUNCTIONS = {
    "cluster.create": "create",
    "nodegroup.create": "create",
    "cluster.resize": "resize",
    "nodegroup.update": "resize",
    "cluster.upgrade": "upgrade",
    "cluster.credential.rotate": "upgrade",
    "cluster.delete": "delete",
    "nodegroup.delete": "delete",
    "cluster.status.requested": "status",
    "cluster.health.requested": "health",
}


def now() -> datetime:
    """The present time in UTC, to the millisecond: functions and journal keep no more."""
    time_of_day = datetime.now(timezone.utc)
    return time_of_day.replace(microsecond=time_of_day.microsecond // 1000 * 1000)


def new_event_id() -> str:
    """An id for a new request."""
    return str(uuid4())


@dataclass(frozen=True)
class Event:
    """One request. `kind` is its type without prefix and version, `id` the idempotency key; `time` orders it."""

    kind: str
    cluster_uuid: str
    data: dict[str, Any]
    id: str = field(default_factory=new_event_id)
    time: datetime = field(default_factory=now)
    #: The trace that it belongs to; empty = a new one each time that it is posted.
    trace: tracing.Trace = field(default_factory=dict)

    @property
    def function(self) -> str:
        """Name of the function that takes it."""
        return _FUNCTIONS[self.kind]

    @property
    def type(self) -> str:
        """The CloudEvents type."""
        return f"{PREFIX}{self.kind}.v1"

    def message(self) -> HTTPMessage:
        """The event in binary mode."""
        attributes = {
            "id": self.id,
            "type": self.type,
            "source": f"/magnum/conductor/{quote(str(CONF.host), safe='')}",
            "subject": self.cluster_uuid,
            "partitionkey": self.cluster_uuid,
            "time": self.time,
            "datacontenttype": "application/json",
            "dataschema": f"urn:magnum-capi-functions:schema:{self.type}",
            **self.trace,
        }
        message = to_binary_event(CloudEvent(attributes, self.data))
        # For those on the way who look at no event.
        return HTTPMessage({**message.headers, **self.trace}, message.body)


def _always() -> bool:
    return True


def post(event: Event, limit: float, still_wanted: Callable[[], bool] = _always) -> Reply:
    """The function's reply. `limit` is the time for all attempts in seconds; before each but the first it is asked
    whether the event is `still_wanted`.

    :raises NotSent: no function has written anything.
    :raises OutcomeUnknown: one may have.
    :raises NoLongerWanted: nobody wants it any more.
    """
    outcome = "failed"
    try:
        with tracing.publishing(event.type, event.trace or tracing.new_trace(event.id)) as trace:
            reply = _post(replace(event, trace=trace), limit, still_wanted)
        outcome = _OUTCOMES[type(reply)]
        return reply
    except NoAnswer as error:
        outcome = _OUTCOMES[type(error)]
        raise
    finally:
        metrics.count("magnum_capi_shim_events_total", type=event.kind, outcome=outcome)


_OUTCOMES: dict[type, str] = {
    Accepted: "accepted",
    Rejected: "rejected",
    Report: "reported",
    Nothing: "nothing",
    NotSent: "not sent",
    OutcomeUnknown: "unknown",
    NoLongerWanted: "superseded",
}


def _post(event: Event, limit: float, still_wanted: Callable[[], bool]) -> Reply:
    options, message = settings(), event.message()
    deadline = time.monotonic() + limit
    may_be_written = False
    for pause in _pauses():
        outcome = exchange(options, event, message, deadline)
        if not isinstance(outcome, Failure):
            return outcome
        may_be_written = may_be_written or outcome.may_be_written
        LOG.warning("Event %s (%s) of cluster %s: %s", event.id, event.kind, event.cluster_uuid, outcome.detail)
        wait = max(pause, outcome.retry_after or 0)
        if not outcome.is_passing or time.monotonic() + wait + _TOO_LITTLE > deadline:
            break
        time.sleep(wait)
        if not still_wanted():
            raise NoLongerWanted(outcome.sentence)
        metrics.count("magnum_capi_shim_resends_total", type=event.kind, reason="attempt")
    raise (OutcomeUnknown if may_be_written else NotSent)(outcome.sentence)


def _pauses() -> Iterator[float]:
    """Seconds between attempts, up to a quarter less, so that many clusters do not come back at once."""
    pause = _FIRST_PAUSE
    while True:
        yield pause * (1 - random.random() / 4)
        pause = min(pause * 2, _LONGEST_PAUSE)
