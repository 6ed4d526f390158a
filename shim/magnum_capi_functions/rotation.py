"""Rotation of a cluster's credential. It changes no row and needs the user's token, so it is not journalled."""

from __future__ import annotations

from typing import Any

from oslo_log import log

from magnum_capi_functions import functions
from magnum_capi_functions.refusals import failure, refusal
from magnum_capi_functions.replies import Accepted, NotSent, OutcomeUnknown, Rejected
from magnum_capi_functions.requested_operation import RequestedOperation, event_of, new_operation

LOG = log.getLogger(__name__)


def rotate_credential(context: Any, cluster: Any, limit: float) -> None:
    """Gives the cluster an application credential of the requesting user, within `limit` seconds.

    :raises magnum.common.exception.MagnumException: it is refused, or no function answers usably; the text says which.
    """
    requested = RequestedOperation("cluster.credential.rotate", context, cluster)
    event = event_of(requested, new_operation(requested))
    try:
        reply = functions.post(event, limit)
    except NotSent as error:
        raise failure(f"{error.sentence} Nothing was changed.") from None
    except OutcomeUnknown as error:
        raise failure(_unknown(error.sentence)) from None
    if isinstance(reply, Rejected):
        raise refusal(reply)
    if not isinstance(reply, Accepted):
        raise failure(_unknown("The upgrade function has not said what became of the request."))
    LOG.info("The credential of cluster %s is replaced. %s", cluster.uuid, reply.sentence)


def _unknown(sentence: str) -> str:
    return f"{sentence} The credential may have been replaced or not; to rotate it again does no harm."
