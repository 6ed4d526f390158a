from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from event_fixtures import event
from function_server import FunctionServer
from stage_settings import BOUNDED, SetOption
from tls_files import write_certificate

from magnum_capi_functions.functions import post
from magnum_capi_functions.replies import Accepted, NotSent


@pytest.fixture
def tls_functions(functions: FunctionServer, set_option: SetOption, tmp_path: Path) -> Iterator[Path]:
    """The functions over TLS; gives their authority's file."""
    certificate, key = write_certificate(tmp_path, "127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with FunctionServer(tls=context) as server:
        set_option("functions_url", f"{server.url}/{{function}}")
        yield certificate


def test_functions_over_tls_are_trusted_by_their_authority(tls_functions: Path, set_option: SetOption) -> None:
    set_option("ca_file", str(tls_functions))
    assert post(event(), 3) == Accepted("kube-21d56")


def test_functions_over_tls_are_trusted_blindly_only_when_told_so(tls_functions: Path, set_option: SetOption) -> None:
    with pytest.raises(NotSent, match="The resize function cannot be trusted: TLS with it fails"):
        post(event(), 30)
    set_option("insecure", True)
    assert post(event(), 3) == Accepted("kube-21d56")


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_an_authority_that_cannot_be_read_is_told_at_once(
    tls_functions: Path, set_option: SetOption, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_bytes(content)
    set_option("ca_file", str(file))
    before = time.monotonic()
    with pytest.raises(NotSent):
        post(event(), 30)
    assert time.monotonic() - before < BOUNDED


def test_tls_where_there_is_none_has_written_nothing(functions: FunctionServer, set_option: SetOption) -> None:
    set_option("functions_url", functions.url.replace("http://", "https://") + "/{function}")
    with pytest.raises(NotSent, match="TLS with it fails"):
        post(event(), 30)
