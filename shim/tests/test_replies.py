"""What an answer of a function means."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any
from uuid import uuid4

import pytest
from event_fixtures import UUID, event
from function_server import FunctionServer, accepted, event_answer, plain, problem, rejected, report

from magnum_capi_functions.functions import post
from magnum_capi_functions.replies import Accepted, Nothing, NotSent, OutcomeUnknown, Rejected, Reply, Report

HINTED = rejected("invalid_label", "Label kube_tag is 100% wrong.", "Use one like v1.34.1.")
STATUS = report("cluster.status", {"state": "COMPLETE"})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (accepted("kube-abcde", ("A note.", "Another.")), Accepted("kube-abcde", ("A note.", "Another."))),
        (accepted(""), Accepted("")),
        (HINTED, Rejected("invalid_label", "Label kube_tag is 100% wrong.", "Use one like v1.34.1.")),
        (plain(204), Nothing()),
        (plain(202), Nothing()),
        (problem(400, "invalid_event", "data.context: required"), Rejected("invalid_event", "data.context: required")),
    ],
)
def test_an_answer_becomes_a_reply(functions: FunctionServer, answer: Any, expected: Reply) -> None:
    functions.answers(answer)
    assert post(event(), 3) == expected
    assert len(functions.received) == 1


def test_an_endless_sentence_is_cut_to_what_a_row_can_hold() -> None:
    assert len(Rejected("invalid_label", "a" * 100_000).sentence) == 10_000
    assert len(Accepted("", ("note.",) * 30_000).sentence) == 10_000
    assert Rejected("invalid_label", "a" * 10_000).sentence == "a" * 10_000


def test_a_report_keeps_its_time(functions: FunctionServer) -> None:
    functions.answers(STATUS)
    reply = post(event("cluster.status.requested"), 3)
    assert isinstance(reply, Report)
    assert (reply.type, reply.data["state"]) == ("cluster.status.v1", "COMPLETE")
    assert abs((datetime.now(timezone.utc) - reply.time).total_seconds()) < 5


def test_a_body_that_is_too_large_is_refused_whoever_says_so(functions: FunctionServer) -> None:
    functions.answers(plain(413, b"<html>"))
    reply = post(event(labels={"a": "ü" * 200_000}), 3)
    assert isinstance(reply, Rejected)
    assert (reply.code, functions.received[0].size > 1024 * 1024) == ("too_large", True)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (plain(403), NotSent),
        (plain(302, b"", location="http://127.0.0.1:1/"), NotSent),
        (plain(405), NotSent),
        (plain(400, b"<html>"), NotSent),
        (plain(200, b"<html>", **{"content-type": "text/html"}), OutcomeUnknown),
        (plain(200, b"{}", **{"content-type": "application/json"}), OutcomeUnknown),
        (plain(200, b'{"specversion": "1.0"}', **{"content-type": "application/cloudevents+json"}), OutcomeUnknown),
        (plain(200, b"\xff\xfe", **{"ce-id": "1", "ce-specversion": "9.9"}), OutcomeUnknown),
        (lambda request: event_answer(request, "operation.accepted", {"cluster_uuid": UUID}), OutcomeUnknown),
        (lambda request: event_answer(request, "operation.rejected", {"code": "a", "message": ""}), OutcomeUnknown),
        (lambda request: event_answer(request, "something.else", {"cluster_uuid": UUID}), OutcomeUnknown),
        (lambda request: event_answer(request, "operation.accepted", {"cluster_uuid": str(uuid4())}), OutcomeUnknown),
        (lambda request: event_answer(request, "operation.accepted", [1]), OutcomeUnknown),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_reply_is_not_asked_for_again(functions: FunctionServer, answer: Any, kind: type[Exception]) -> None:
    functions.answers(answer)
    with pytest.raises(kind):
        post(event(), 3)
    assert len(functions.received) == 1
