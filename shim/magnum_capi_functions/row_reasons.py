"""What `status_reason` of a row says once its operation is begun."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from magnum.common import exception

from magnum_capi_functions.functions import now
from magnum_capi_functions.operations import Waiting
from magnum_capi_functions.options import settings
from magnum_capi_functions.replies import Accepted
from magnum_capi_functions.snapshot import rfc3339


def tell(row: Any, outcome: Accepted | Waiting | None) -> None:
    """Saves what the user should know of an accepted operation, or why there is no answer yet; on a row that is gone by
    now, nothing.
    """
    if outcome is None:
        return
    sentence = waiting_reason(outcome) if isinstance(outcome, Waiting) else outcome.sentence
    if sentence:
        row.status_reason = sentence
        with suppress(exception.ResourceNotFound):
            row.save()


def waiting_reason(waiting: Waiting) -> str:
    """Why nothing happens yet and for how long that is tried."""
    until = rfc3339(now().replace(microsecond=0) + timedelta(seconds=settings().give_up_after))
    return f"The functions cannot be reached yet: {waiting.reason} The operation is sent again until {until}."
