"""Asks the status and the health function for a report."""

from __future__ import annotations

from typing import Any

from magnum.common import exception
from oslo_log import log

from magnum_capi_functions import functions
from magnum_capi_functions.options import event_options
from magnum_capi_functions.replies import NotSent, Rejected, Report
from magnum_capi_functions.snapshot import cluster_snapshot, context_data

LOG = log.getLogger(__name__)

#: Seconds. Whoever asks comes again soon.
_LIMIT = 20.0


def ask(context: Any, cluster: Any, kind: str) -> Report | None:
    """What a function says of a cluster now; `kind` is `cluster.status.requested` or `cluster.health.requested`.
    None = it has nothing to say. A file of an option that cannot be read stands in no way here.

    :raises magnum_capi_functions.replies.NoAnswer: no function answers usably.
    """
    data = {
        **cluster_snapshot(context, cluster, cluster.cluster_template_id),
        "context": context_data(context, cluster),
    }
    try:
        data["options"] = event_options()
    except exception.InvalidParameterValue as error:
        LOG.warning("%s", error)
    reply = functions.post(functions.Event(kind, cluster.uuid, data), _LIMIT)
    if isinstance(reply, Rejected):
        raise NotSent(reply.sentence)
    return reply if isinstance(reply, Report) else None
