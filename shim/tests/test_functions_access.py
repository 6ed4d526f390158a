"""Under which address and with which token functions are found."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from event_fixtures import event
from function_server import FunctionServer, plain, problem
from loopback import free_port
from stage_settings import SetOption

from magnum_capi_functions.functions import post
from magnum_capi_functions.replies import Accepted, NotSent


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


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://no-such-host.invalid/"])
def test_a_function_that_cannot_be_reached_has_written_nothing(
    functions: FunctionServer, set_option: SetOption, url: str
) -> None:
    set_option("functions_url", url.format(port=free_port()))
    with pytest.raises(NotSent, match=r"The resize function cannot be reached\."):
        post(event(), 1)


def test_an_address_that_is_none_is_told_at_once(functions: FunctionServer, set_option: SetOption) -> None:
    set_option("functions_url", "{function}.example.org")
    with pytest.raises(NotSent, match="functions_url is no URL"):
        post(event(), 30)


def test_a_function_that_comes_up_later_is_reached(functions: FunctionServer, set_option: SetOption) -> None:
    port = free_port()
    set_option("functions_url", f"http://127.0.0.1:{port}/{{function}}")
    late: list[FunctionServer] = []
    timer = threading.Timer(0.7, lambda: late.append(FunctionServer(port=port).__enter__()))
    timer.start()
    assert post(event(), 10) == Accepted("kube-21d56")
    assert len(late[0].received) == 1
    late[0].__exit__()


def test_proxies_cookies_and_passwords_of_the_environment_have_no_part_in_it(
    functions: FunctionServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    functions.answers(plain(503, b"", **{"set-cookie": "session=1; Path=/"}))
    assert post(event(), 3) == Accepted("kube-21d56")
    assert [request.token for request in functions.received] == ["conductor-token-1"] * 2
    assert not any("cookie" in request.headers for request in functions.received)
