"""What an HTTP answer of a function means (docs/events.md, Answers)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from magnum_capi_functions.replies import NoReply, Nothing, Rejected, Reply, parse_event, reply_of

if TYPE_CHECKING:
    import requests

    from magnum_capi_functions.functions import Event

#: Seconds that a function can make a caller wait at most.
_LONGEST_RETRY_AFTER = 30.0


@dataclass(frozen=True)
class Failure:
    """Why there is no reply: a `sentence` for users, and a `detail` for the log."""

    sentence: str
    detail: str
    #: Whether the same event may succeed a moment later.
    is_passing: bool
    #: Whether a function may have carried it out all the same.
    may_be_written: bool = False
    status: int | None = None
    #: Seconds.
    retry_after: float | None = None


def answer_of(event: Event, response: requests.Response, body: bytes) -> Reply | Failure:
    """The reply that an answer carries, or why it is none."""
    status = response.status_code
    if status == 204 or (200 <= status < 300 and not body):
        return Nothing()
    if 200 <= status < 300:
        return _reply(event, response, body)
    return _refused(event.function, status, body) or Failure(
        _sentence(event.function, status),
        f"the {event.function} function answered {status}{_told(body)}",
        is_passing=status in (404, 429) or status >= 500,
        may_be_written=status >= 500,
        status=status,
        retry_after=_retry_after(response),
    )


def _reply(event: Event, response: requests.Response, body: bytes) -> Reply | Failure:
    try:
        return reply_of(parse_event(response.headers, body), event.cluster_uuid)
    except NoReply as error:
        sentence = f"What answers in place of the {event.function} function is none."
        return Failure(sentence, f"no reply: {error}", is_passing=False, may_be_written=True)


def _refused(function: str, status: int, body: bytes) -> Rejected | None:
    """An event that will never be taken is a refusal like any other; a 400 of something between only with a code."""
    if status == 413:
        return Rejected(
            "too_large", f"The request is larger than the {function} function takes: its labels are too long."
        )
    problem = _problem(body)
    if status != 400 or not isinstance(problem.get("code"), str) or not isinstance(problem.get("message"), str):
        return None
    return Rejected(problem["code"], problem["message"])


_SENTENCES = {
    401: "The {function} function does not know the token of the conductor.",
    403: "The conductor may not call the {function} function.",
    404: "There is no {function} function where the conductor looks for it.",
    429: "Another operation on this cluster is going on.",
}


def _sentence(function: str, status: int) -> str:
    if status >= 500:
        return f"The {function} function is unavailable ({status})."
    return _SENTENCES.get(status, "The {function} function does not answer as one ({status}).").format(
        function=function, status=status
    )


def _problem(body: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _told(body: bytes) -> str:
    """What a function says of its failure; it holds no secret (the functions redact it). Of others nothing is told."""
    message = _problem(body).get("message")
    return f": {message[:500]}" if isinstance(message, str) else ""


def _retry_after(response: requests.Response) -> float | None:
    """Seconds of Retry-After; the form with a date is not used by functions."""
    value = response.headers.get("retry-after", "").strip()
    return min(float(value), _LONGEST_RETRY_AFTER) if value.isascii() and value.isdigit() else None
