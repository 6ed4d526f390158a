"""The bearer token with which the functions are called: from a file, or asked for by a kubeconfig (TokenRequest)."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oslo_log import log

LOG = log.getLogger(__name__)

#: Seconds of a token that is asked for; Kubernetes gives none for less than 600.
_LIFETIME = 3600
#: Part of its life after which another one is asked for.
_WORN = 0.8
#: Seconds that the management cluster may take.
_REQUEST_TIMEOUT = 10


class TokenUnavailableError(Exception):
    """There is no token. `passing`: it may be there a moment later."""

    def __init__(self, sentence: str, *, passing: bool) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.passing = passing


@dataclass(frozen=True)
class _Cached:
    token: str
    #: On the monotonic clock.
    worn_at: float


_CACHE: dict[tuple[str, ...], _Cached] = {}
#: Guards the dictionary alone; nobody waits for the network under it.
_CACHE_LOCK = threading.Lock()


def bearer_token(settings: Any, *, refused: str | None = None) -> str:
    """The token by the options `[capi_functions]`; '' where they name no file and no kubeconfig. One that was `refused`
    is not given again from the cache.

    :raises TokenUnavailableError:
    """
    if settings.kubeconfig:
        return _requested_token(settings, refused)
    return _token_of_file(settings.token_file) if settings.token_file else ""


def _token_of_file(path: str) -> str:
    try:
        token = Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise TokenUnavailableError(
            f"The file {path!r} of the option [capi_functions] token_file cannot be read: {reason}.", passing=False
        ) from None
    if not token:
        raise TokenUnavailableError(f"The token file {path!r} is empty.", passing=True)
    return token


def _requested_token(settings: Any, refused: str | None) -> str:
    key = (settings.kubeconfig, settings.namespace, settings.service_account, settings.audience)
    with _CACHE_LOCK:
        cached = _CACHE.get(key)
    if cached and time.monotonic() < cached.worn_at and cached.token != refused:
        return cached.token
    asked_at = time.monotonic()
    token, lifetime = _request_token(settings)
    with _CACHE_LOCK:
        _CACHE[key] = _Cached(token, asked_at + lifetime * _WORN)
    return token


def _request_token(settings: Any) -> tuple[str, float]:
    """A new token and the seconds that it lives."""
    try:
        from kubernetes import client, config  # noqa: PLC0415 - a second to import, and only needed here
    except ImportError:
        raise TokenUnavailableError(
            "The option [capi_functions] kubeconfig needs the Python package kubernetes:"
            " pip install 'magnum-capi-functions[kubeconfig]'.",
            passing=False,
        ) from None
    spec = client.V1TokenRequestSpec(audiences=[settings.audience], expiration_seconds=_LIFETIME)
    try:
        api = client.CoreV1Api(config.new_client_from_config(settings.kubeconfig))
        answer = api.create_namespaced_service_account_token(
            settings.service_account,
            settings.namespace,
            client.AuthenticationV1TokenRequest(spec=spec),
            _request_timeout=_REQUEST_TIMEOUT,
        )
    except Exception as error:  # noqa: BLE001 - the client lets through what its transport and its plugins raise
        raise _refused_request(error) from None
    return answer.status.token, float(answer.spec.expiration_seconds or _LIFETIME)


def _refused_request(error: Exception) -> TokenUnavailableError:
    """Only the kind of error is told: a kubeconfig's own credentials may stand in its text."""
    status = getattr(error, "status", None)
    if isinstance(status, int) and 400 <= status < 500 and status != 429:
        return TokenUnavailableError(
            f"The management cluster refuses a token for the functions ({status}).", passing=False
        )
    LOG.warning("No token could be asked for by the kubeconfig: %s", type(error).__name__)
    return TokenUnavailableError("The management cluster cannot be asked for a token.", passing=True)
