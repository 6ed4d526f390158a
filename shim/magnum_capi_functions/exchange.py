"""One HTTP exchange with a function, and what its outcome means."""

from __future__ import annotations

import os
import ssl
import time
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

import requests
import requests.adapters
from cloudevents.core.bindings.http import HTTPMessage
from urllib3 import exceptions as urllib3_exceptions

from magnum_capi_functions.answers import Failure, answer_of
from magnum_capi_functions.replies import Reply
from magnum_capi_functions.tokens import TokenUnavailableError, bearer_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnum_capi_functions.functions import Event

_CONNECT_TIMEOUT = 5.0
#: Seconds. A function answers within 110.
_ANSWER_TIMEOUT = 115.0
#: Bytes of an answer that are read.
_LARGEST_ANSWER = 2 * 1024 * 1024
_CONNECTIONS = 32


_BAD_ADDRESSES = (
    requests.exceptions.InvalidURL,
    requests.exceptions.InvalidSchema,
    requests.exceptions.MissingSchema,
)
_UNREACHABLE = (
    requests.exceptions.ConnectTimeout,
    urllib3_exceptions.NewConnectionError,
    urllib3_exceptions.ConnectTimeoutError,
)
#: OpenSSL's names of what goes wrong before anything is sent, and of a `ca_file` without certificates.
_HANDSHAKE_FAULTS = frozenset(
    {
        "CERTIFICATE_VERIFY_FAILED",
        "WRONG_VERSION_NUMBER",
        "RECORD_LAYER_FAILURE",
        "SSLV3_ALERT_HANDSHAKE_FAILURE",
        "TLSV1_ALERT_PROTOCOL_VERSION",
        "NO_CERTIFICATE_OR_CRL_FOUND",
    }
)


def _new_session() -> requests.Session:
    """Environment and .netrc stay out of it: proxies have no part in this, and a password would replace the token."""
    session = requests.Session()
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = requests.adapters.HTTPAdapter(pool_maxsize=_CONNECTIONS)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


_SESSION = _new_session()


@dataclass(frozen=True)
class _Call:
    options: Any
    event: Event
    message: HTTPMessage
    #: On the monotonic clock.
    deadline: float


def exchange(options: Any, event: Event, message: HTTPMessage, deadline: float) -> Reply | Failure:
    """Sends the event once. A token that is refused is read again, and the event sent once more with it."""
    call = _Call(options, event, message, deadline)
    if options.ca_file and not os.path.isfile(options.ca_file):
        sentence = "The file of the option [capi_functions] ca_file is not there."
        return Failure(sentence, f"{sentence} {options.ca_file}", is_passing=False)
    try:
        token = bearer_token(options)
        outcome = _send(call, token)
        if isinstance(outcome, Failure) and outcome.status == 401:
            outcome = _send(call, bearer_token(options, refused=token))
    except TokenUnavailableError as error:
        return Failure(error.sentence, error.sentence, is_passing=error.passing)
    return outcome


def _send(call: _Call, token: str) -> Reply | Failure:
    left = max(call.deadline - time.monotonic(), 0.1)
    url = call.options.functions_url.replace("{function}", call.event.function)
    try:
        with _SESSION.post(
            url,
            data=call.message.body,
            headers={**call.message.headers, **({"authorization": f"Bearer {token}"} if token else {})},
            timeout=(min(_CONNECT_TIMEOUT, left), min(_ANSWER_TIMEOUT, left)),
            verify=False if call.options.insecure else call.options.ca_file or True,
            allow_redirects=False,
            stream=True,
        ) as response:
            return answer_of(call.event, response, _body_of(response, call.deadline))
    except (requests.RequestException, urllib3_exceptions.HTTPError, OSError, ValueError) as error:
        return _failure_of(call.event.function, error)


def _body_of(response: requests.Response, deadline: float) -> bytes:
    """The whole body, unless it is too long or comes too slowly.

    :raises OSError: it does.
    """
    body = b""
    for chunk in response.iter_content(64 * 1024):
        body += chunk
        if len(body) > _LARGEST_ANSWER:
            raise OSError("the answer is too long")
        if time.monotonic() > deadline:
            raise TimeoutError("the answer comes too slowly")
    return body


def _failure_of(function: str, error: Exception) -> Failure:
    """What became of the event, by what ended the exchange. The text of such an error holds no header, so no token."""
    detail = f"{type(error).__name__}: {error}"
    causes = list(_causes_of(error))
    if any(_is_distrust(cause) for cause in causes):
        return Failure(f"The {function} function cannot be trusted: TLS with it fails.", detail, is_passing=False)
    if isinstance(error, _BAD_ADDRESSES):
        return Failure("The option [capi_functions] functions_url is no URL.", detail, is_passing=False)
    if any(isinstance(cause, _UNREACHABLE) for cause in causes):
        return Failure(f"The {function} function cannot be reached.", detail, is_passing=True)
    if any(isinstance(cause, (requests.exceptions.Timeout, TimeoutError)) for cause in causes):
        sentence = f"The {function} function did not answer in time."
        return Failure(sentence, detail, is_passing=True, may_be_written=True)
    sentence = f"The connection to the {function} function broke before it answered."
    return Failure(sentence, detail, is_passing=True, may_be_written=True)


def _causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what is behind it: requests and urllib3 keep that as first argument, or as `reason`."""
    while error is not None:
        yield error
        inner = getattr(error, "reason", None) or next(iter(error.args), None)
        error = inner if isinstance(inner, BaseException) else None


def _is_distrust(error: BaseException) -> bool:
    """Whether TLS has failed before anything was sent."""
    return isinstance(error, ssl.SSLError) and error.reason in _HANDSHAKE_FAULTS
