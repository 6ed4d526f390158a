"""Exceptions of Magnum for what a function refuses.

Only classes of `magnum.common.exception` reach a client with their own code and text: Magnum's RPC turns others into a
traceback. On a cast the text ends in `status_reason`.
"""

from __future__ import annotations

from magnum.common import exception

from magnum_capi_functions.replies import Rejected

_CLASSES: dict[str, type[exception.MagnumException]] = {
    "unsupported": exception.NotSupported,
    "not_found": exception.ResourceNotFound,
    "permission_denied": exception.NotAuthorized,
    "quota_exceeded": exception.ResourceLimitExceeded,
    "in_progress": exception.Conflict,
    "superseded": exception.Conflict,
}


def literal(text: str) -> str:
    """The text as a message for Magnum's exceptions, which format theirs."""
    return text.replace("%", "%%")


def refusal(rejected: Rejected) -> exception.MagnumException:
    """The exception for a refused operation; 400 unless the code says something else."""
    kind = _CLASSES.get(rejected.code, exception.InvalidParameterValue)
    return kind(message=literal(rejected.sentence))


def unsupported(sentence: str) -> exception.NotSupported:
    """The one exception that leaves rows alone where Magnum upgrades a cluster: nothing was changed, and why."""
    return exception.NotSupported(message=literal(sentence))


def failure(sentence: str) -> exception.MagnumException:
    """Nobody refused anything, it just did not work: 500 for a client that waits."""
    return exception.MagnumException(message=literal(sentence))
