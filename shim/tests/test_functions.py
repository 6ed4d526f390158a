"""How events are posted: what goes out, what is waited for, and for how long."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any

import pytest
from event_fixtures import UUID, event
from function_server import FunctionServer, busy, hang_up, plain, silence, unavailable
from stage_settings import BOUNDED

from magnum_capi_functions import functions as posting
from magnum_capi_functions.functions import Event, post
from magnum_capi_functions.replies import Accepted, NoLongerWanted, NotSent, OutcomeUnknown


def test_an_event_goes_out_with_all_attributes_of_the_contract(functions: FunctionServer) -> None:
    started = datetime(2026, 11, 30, 19, 0, 0, 250000, tzinfo=timezone.utc)
    trace = {"traceparent": "00-a3ce929d0e0e47364bf92f3577b34da6-b7ad6b7169203331-01"}
    post(Event("cluster.upgrade", UUID, {"name": "Zürich 🌍"}, "id-1", started, trace), 3)
    (request,) = functions.received
    attributes = {name: value for name, value in request.headers.items() if name.startswith("ce-")}
    assert attributes == {
        "ce-specversion": "1.0",
        "ce-id": "id-1",
        "ce-type": "org.openstack.magnum.cluster.upgrade.v1",
        "ce-source": "/magnum/conductor/conductor-1",
        "ce-subject": UUID,
        "ce-partitionkey": UUID,
        "ce-time": "2026-11-30T19:00:00.250000Z",
        "ce-traceparent": "00-a3ce929d0e0e47364bf92f3577b34da6-b7ad6b7169203331-01",
        "ce-dataschema": "urn:magnum-capi-functions:schema:org.openstack.magnum.cluster.upgrade.v1",
    }
    assert (request.function, request.headers["content-type"]) == ("upgrade", "application/json")
    assert (request.data, request.token) == ({"name": "Zürich 🌍"}, "conductor-token-1")


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("cluster.create", "create"),
        ("nodegroup.create", "create"),
        ("cluster.resize", "resize"),
        ("nodegroup.update", "resize"),
        ("cluster.upgrade", "upgrade"),
        ("cluster.credential.rotate", "upgrade"),
        ("cluster.delete", "delete"),
        ("nodegroup.delete", "delete"),
        ("cluster.status.requested", "status"),
        ("cluster.health.requested", "health"),
    ],
)
def test_each_event_goes_to_its_function(functions: FunctionServer, kind: str, function: str) -> None:
    post(event(kind), 3)
    assert [request.function for request in functions.received] == [function]


def test_a_time_has_no_more_than_milliseconds() -> None:
    assert posting.now().microsecond % 1000 == 0
    assert posting.now().utcoffset() is not None


@pytest.mark.parametrize("answer", [busy(1), unavailable(), hang_up(), plain(404), plain(502, b"<html>")])
def test_what_passes_is_waited_for_with_the_same_event(functions: FunctionServer, answer: Any) -> None:
    functions.answers(answer)
    before = time.monotonic()
    assert post(event(), 5) == Accepted("kube-21d56")
    first, second = functions.received
    assert (first.id, first.headers["ce-time"], first.data) == (second.id, second.headers["ce-time"], second.data)
    assert time.monotonic() - before > 0.3


def test_a_wait_that_a_function_asks_for_is_kept(functions: FunctionServer) -> None:
    functions.answers(busy(2))
    before = time.monotonic()
    post(event(), 5)
    assert time.monotonic() - before >= 2


def test_pauses_grow_up_to_a_limit() -> None:
    pauses = [pause for pause, _ in zip(posting._pauses(), range(12), strict=False)]
    bounds = [min(0.5 * 2**number, 8) for number in range(12)]
    assert all(0.75 * bound <= pause <= bound for pause, bound in zip(pauses, bounds, strict=True))


@pytest.mark.parametrize(
    ("answers", "kind", "sentence"),
    [
        (busy(1), NotSent, "Another operation on this cluster is going on."),
        (plain(404), NotSent, "There is no resize function where the conductor looks for it."),
        (unavailable(), OutcomeUnknown, "The resize function is unavailable (503)."),
        (hang_up(), OutcomeUnknown, "The connection to the resize function broke before it answered."),
    ],
)
def test_what_does_not_pass_ends_within_the_limit(
    functions: FunctionServer, answers: Any, kind: type[Exception], sentence: str
) -> None:
    functions.otherwise = answers
    before = time.monotonic()
    with pytest.raises(kind) as raised:
        post(event(), 2)
    assert str(raised.value) == sentence
    assert time.monotonic() - before < BOUNDED
    assert len(functions.received) > 1


def test_an_answer_that_does_not_come_leaves_the_outcome_open(functions: FunctionServer) -> None:
    functions.otherwise = silence(30)
    before = time.monotonic()
    with pytest.raises(OutcomeUnknown, match="did not answer in time"):
        post(event(), 1)
    assert time.monotonic() - before < BOUNDED


def test_an_outcome_stays_open_when_the_function_cannot_be_reached_later(functions: FunctionServer) -> None:
    functions.answers(hang_up())
    functions.otherwise = plain(404)
    with pytest.raises(OutcomeUnknown):
        post(event(), 2)


def test_nothing_is_sent_any_more_once_nobody_wants_it(functions: FunctionServer) -> None:
    functions.otherwise = busy(1)
    asked: list[int] = []
    with pytest.raises(NoLongerWanted):
        post(event(), 30, lambda: bool(asked.append(1)))
    assert (len(functions.received), asked) == (1, [1])
