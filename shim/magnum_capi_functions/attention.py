"""Looks after a cluster of which no report comes: asks for one, sends again what is not known, gives up in the end."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from magnum import objects
from magnum.common import exception
from oslo_log import log

from magnum_capi_functions import applying, journal, operations, questions
from magnum_capi_functions.lost_operations import Patience, end_lost_operations
from magnum_capi_functions.options import settings
from magnum_capi_functions.replies import NoAnswer, Rejected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnum.common.context import RequestContext

LOG = log.getLogger(__name__)

# Whoever has begun an operation is left alone with it for that long.
_OWN_ATTEMPT = timedelta(seconds=20)
# What was deleted and has never been tells nothing of itself.
_SILENT_DELETION = timedelta(seconds=5)
# A conductor saves what it does after the driver's return within that time.
_CONDUCTOR_SAVE = timedelta(seconds=2)

# Clusters that this process looks after now, and when it last did: `time.monotonic()`.
_GUARD = threading.Lock()
_IN_HAND: set[str] = set()
_LAST: dict[str, float] = {}


def attend(context: RequestContext, cluster_uuid: str) -> applying.Applied | None:
    """
    The last change of the rows, where there was one. Costs no call while reports come.

    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    with _in_hand(cluster_uuid) as is_ours:
        if not is_ours:
            return None
        return _restored(context, cluster_uuid) or (_asked(context, cluster_uuid) if _is_due(cluster_uuid) else None)


def _restored(context: RequestContext, cluster_uuid: str) -> applying.Applied | None:
    """What a conductor's late save has undone. A row that was saved just now may belong to an operation that begins."""
    cluster = objects.Cluster.get_by_uuid(context, cluster_uuid)
    rows = [cluster, *objects.NodeGroup.list(context, cluster_uuid)]
    saved = [row.updated_at or row.created_at for row in rows]
    if any(at is not None and journal.utc_now() - at < _CONDUCTOR_SAVE for at in saved):
        return None
    return applying.apply_last_report(context, cluster_uuid)


def _asked(context: RequestContext, cluster_uuid: str) -> applying.Applied | None:
    with _GUARD:
        _LAST[cluster_uuid] = time.monotonic()
    has_answer, applied = _report(context, cluster_uuid)
    if applied is not None and applied.cluster.status == "DELETE_COMPLETE":
        return applied
    refused = _send_again(context, cluster_uuid)
    conf = settings()
    patience = Patience(
        create=timedelta(seconds=conf.operation_timeout + 60),
        operation=timedelta(seconds=conf.give_up_after),
    )
    return end_lost_operations(context, cluster_uuid, patience, has_answer=has_answer) or refused or applied


def _report(context: RequestContext, cluster_uuid: str) -> tuple[bool, applying.Applied | None]:
    """Whether the status function has answered, and what of its report was applied."""
    cluster = objects.Cluster.get_by_uuid(context, cluster_uuid)
    try:
        report = questions.ask(context, cluster, "cluster.status.requested")
        if report is None:
            journal.mark_asked(cluster_uuid)
            return True, None
        return True, applying.apply_report(context, cluster_uuid, report.time, report.data)
    except (NoAnswer, ValueError, exception.ClusterTemplateNotFound) as error:
        LOG.warning("There is no status report of cluster %s: %s", cluster_uuid, error)
        applying.explain(context, cluster_uuid, f"How far it is cannot be told now: {error}")
        return False, None


def _send_again(context: RequestContext, cluster_uuid: str) -> applying.Applied | None:
    applied = None
    for operation in journal.open_operations(cluster_uuid):
        if journal.utc_now() - operation.started < _own_attempt(operation):
            continue
        cluster = objects.Cluster.get_by_uuid(context, cluster_uuid)
        reply = operations.resend(context, cluster, operation)
        if isinstance(reply, Rejected):
            applied = _settled(context, operation, reply) or applied
    return applied


def _own_attempt(operation: journal.Operation) -> timedelta:
    """An upgrade whose own attempt ends in vain is refused to the client, and must not have been accepted meanwhile."""
    own = settings().call_timeout if operation.kind == "cluster.upgrade" else 0
    return _OWN_ATTEMPT + timedelta(seconds=own)


def _settled(context: RequestContext, operation: journal.Operation, rejected: Rejected) -> applying.Applied | None:
    """`resend` has closed it."""
    if rejected.code == "superseded":
        # What has taken its place is reported.
        return None
    if rejected.code == "in_progress":
        # It has to wait for something else, and stays to be sent.
        journal.open_operation(operation)
        return None
    return applying.fail_operation(context, operation, rejected.sentence)


def _is_due(cluster_uuid: str) -> bool:
    """Whether reports stay away, or help an operation no more that has been open for too long."""
    patience = timedelta(seconds=settings().push_timeout)
    stored = journal.last_report(cluster_uuid)
    opened = journal.open_operations(cluster_uuid)
    now = journal.utc_now()
    if any(_is_overdue(operation, now, patience) for operation in opened):
        with _GUARD:
            last = _LAST.get(cluster_uuid)
        if last is None or time.monotonic() - last > patience.total_seconds():
            return True
    told = [] if stored is None or stored.applied_at is None else [stored.applied_at]
    times = [*told, *(operation.started for operation in opened)]
    return not times or now - max(times) > patience


def _is_overdue(operation: journal.Operation, now: datetime, patience: timedelta) -> bool:
    if operation.kind == "cluster.delete" and operation.answered is not None:
        return now - operation.answered > _SILENT_DELETION
    return now - operation.started > patience


@contextmanager
def _in_hand(cluster_uuid: str) -> Iterator[bool]:
    """Magnum's ticks overlap, and one look at a cluster at a time is enough."""
    with _GUARD:
        is_ours = cluster_uuid not in _IN_HAND
        _IN_HAND.add(cluster_uuid)
    try:
        yield is_ours
    finally:
        if is_ours:
            with _GUARD:
                _IN_HAND.discard(cluster_uuid)
