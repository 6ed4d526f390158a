from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kubernetes_server import KubernetesServer
from stage_settings import SetOption

from magnum_capi_functions import tokens
from magnum_capi_functions.options import settings
from magnum_capi_functions.tokens import TokenUnavailableError, bearer_token


def test_a_token_file_is_read_at_each_call(set_option: SetOption, tmp_path: Path) -> None:
    file = tmp_path / "token"
    set_option("token_file", str(file))
    for token in ("first", "second"):
        file.write_text(f"{token}\n")
        assert bearer_token(settings()) == token


@pytest.mark.parametrize(
    ("content", "sentence", "passing"),
    [
        (None, r"The file '.*token' of the option \[capi_functions\] token_file cannot be read: No such file", False),
        (b"\xff\xfe", "cannot be read: it is no text", False),
        (b" \n", "is empty", True),
    ],
)
def test_a_token_file_without_a_token_is_told(
    set_option: SetOption, tmp_path: Path, content: bytes | None, sentence: str, passing: bool
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    set_option("token_file", str(file))
    with pytest.raises(TokenUnavailableError, match=sentence) as raised:
        bearer_token(settings())
    assert raised.value.passing is passing


@pytest.fixture
def kubernetes(set_option: SetOption, tmp_path: Path) -> Iterator[KubernetesServer]:
    pytest.importorskip("kubernetes")
    with KubernetesServer() as server:
        file = tmp_path / "kubeconfig"
        file.write_text(server.kubeconfig())
        set_option("kubeconfig", str(file))
        yield server


def test_a_token_is_asked_for_by_the_kubeconfig_and_kept(kubernetes: KubernetesServer) -> None:
    assert [bearer_token(settings()) for _ in range(3)] == ["token-1"] * 3
    ((path, body),) = kubernetes.asked
    assert path == "/api/v1/namespaces/magnum-system/serviceaccounts/magnum-conductor/token"
    assert body["spec"]["audiences"] == ["magnum-functions"]


def test_a_token_that_was_refused_is_not_given_again(kubernetes: KubernetesServer) -> None:
    first = bearer_token(settings())
    assert bearer_token(settings(), refused=first) == "token-2"
    assert bearer_token(settings(), refused=first) == "token-2"


def test_a_token_is_asked_for_anew_after_four_fifths_of_its_life(
    kubernetes: KubernetesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(tokens.time, "monotonic", lambda: clock[0])
    assert bearer_token(settings()) == "token-1"
    clock[0] += 2879
    assert bearer_token(settings()) == "token-1"
    clock[0] += 2
    assert bearer_token(settings()) == "token-2"


@pytest.mark.parametrize(("status", "passing"), [(403, False), (404, False), (429, True), (500, True)])
def test_a_management_cluster_that_gives_no_token_is_told_without_credentials(
    kubernetes: KubernetesServer, caplog: pytest.LogCaptureFixture, status: int, passing: bool
) -> None:
    kubernetes.status = status
    with caplog.at_level(logging.INFO), pytest.raises(TokenUnavailableError) as raised:
        bearer_token(settings())
    assert raised.value.passing is passing
    assert "secret" not in caplog.text + str(raised.value)


def test_a_kubeconfig_that_cannot_be_read_is_told(set_option: SetOption, tmp_path: Path) -> None:
    pytest.importorskip("kubernetes")
    set_option("kubeconfig", str(tmp_path / "nothing"))
    with pytest.raises(TokenUnavailableError, match="cannot be asked for a token"):
        bearer_token(settings())


def test_a_kubeconfig_without_the_client_library_says_what_to_install(
    set_option: SetOption, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_option("kubeconfig", "/nowhere")
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    with pytest.raises(TokenUnavailableError, match=r"pip install 'magnum-capi-functions\[kubeconfig\]'"):
        bearer_token(settings())
