from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from function_server import (
    FunctionServer,
    accepted,
    busy,
    event_answer,
    hang_up,
    plain,
    problem,
    rejected,
    report,
    silence,
    unavailable,
)

from magnum_capi_functions import functions as posting
from magnum_capi_functions.functions import Event, post
from magnum_capi_functions.replies import (
    Accepted,
    NoLongerWanted,
    Nothing,
    NotSent,
    OutcomeUnknown,
    Rejected,
    Reply,
    Report,
)

SetOption = Callable[..., None]
UUID = "3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01"


def event(kind: str = "cluster.resize", **data: Any) -> Event:
    return Event(kind, UUID, {"cluster": {"uuid": UUID}, **data})


def test_an_event_goes_out_with_all_attributes_of_the_contract(functions: FunctionServer) -> None:
    started = datetime(2026, 11, 30, 19, 0, 0, 250000, tzinfo=timezone.utc)
    post(Event("cluster.upgrade", UUID, {"name": "Zürich 🌍"}, "id-1", started), 3)
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


#: Seconds on a busy machine for what ends after one or two; what is not bounded takes thirty or never ends.
BOUNDED = 15
UNREACHED = "The resize function cannot be reached."


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


def test_a_token_that_is_refused_is_read_again_once(functions: FunctionServer, tmp_path: Path) -> None:
    def expired(request: Any) -> Any:
        (tmp_path / "token").write_text("conductor-token-2")
        return problem(401, "unauthenticated", "The token has expired.")(request)

    functions.answers(expired)
    assert post(event(), 3) == Accepted("kube-21d56")
    assert [request.token for request in functions.received] == ["conductor-token-1", "conductor-token-2"]


def test_a_token_that_is_refused_for_good_is_told_at_once(functions: FunctionServer) -> None:
    functions.otherwise = problem(401, "unauthenticated", "The token is not meant for this function.")
    with pytest.raises(NotSent, match="does not know the token of the conductor"):
        post(event(), 30)
    assert len(functions.received) == 2


def test_functions_that_ask_for_no_token_get_none(functions: FunctionServer, set_option: SetOption) -> None:
    set_option("token_file", "")
    assert post(event(), 3) == Accepted("kube-21d56")
    assert "authorization" not in functions.received[0].headers


def test_a_missing_token_file_is_told_at_once(functions: FunctionServer, set_option: SetOption) -> None:
    set_option("token_file", "/nowhere/token")
    with pytest.raises(NotSent, match=r"'/nowhere/token' of the option \[capi_functions\] token_file"):
        post(event(), 30)
    assert functions.received == []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://no-such-host.invalid/"])
def test_a_function_that_cannot_be_reached_has_written_nothing(
    functions: FunctionServer, set_option: SetOption, url: str
) -> None:
    set_option("functions_url", url.format(port=_free_port()))
    with pytest.raises(NotSent, match=UNREACHED):
        post(event(), 1)


def test_an_address_that_is_none_is_told_at_once(functions: FunctionServer, set_option: SetOption) -> None:
    set_option("functions_url", "{function}.example.org")
    with pytest.raises(NotSent, match="functions_url is no URL"):
        post(event(), 30)


def test_a_function_that_comes_up_later_is_reached(functions: FunctionServer, set_option: SetOption) -> None:
    port = _free_port()
    set_option("functions_url", f"http://127.0.0.1:{port}/{{function}}")
    late: list[FunctionServer] = []
    timer = threading.Timer(0.7, lambda: late.append(FunctionServer(port=port).__enter__()))
    timer.start()
    assert post(event(), 10) == Accepted("kube-21d56")
    assert len(late[0].received) == 1
    late[0].__exit__()


def test_nothing_is_sent_any_more_once_nobody_wants_it(functions: FunctionServer) -> None:
    functions.otherwise = busy(1)
    asked: list[int] = []
    with pytest.raises(NoLongerWanted):
        post(event(), 30, lambda: bool(asked.append(1)))
    assert (len(functions.received), asked) == (1, [1])


def test_proxies_cookies_and_passwords_of_the_environment_have_no_part_in_it(
    functions: FunctionServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{_free_port()}")
    functions.answers(plain(503, b"", **{"set-cookie": "session=1; Path=/"}))
    assert post(event(), 3) == Accepted("kube-21d56")
    assert [request.token for request in functions.received] == ["conductor-token-1"] * 2
    assert not any("cookie" in request.headers for request in functions.received)
