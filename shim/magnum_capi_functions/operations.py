"""Begins operations: journals them, tells the function, and judges what becomes of that.

A conductor can die at any moment and its answer can get lost, so nothing is posted that is not in the journal, and what
stays open there is sent again with the same event id until a report names it or it is refused.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from magnum.common import exception
from oslo_log import log

from magnum_capi_functions import functions, journal, metrics
from magnum_capi_functions.functions import Event
from magnum_capi_functions.refusals import failure, refusal
from magnum_capi_functions.replies import (
    Accepted,
    NoAnswer,
    NoLongerWanted,
    NotSent,
    OutcomeUnknown,
    Rejected,
    Reply,
)
from magnum_capi_functions.requested_operation import RequestedOperation, event_of, new_operation, requested_again

LOG = log.getLogger(__name__)

#: Seconds for sending an operation again: whoever does so does it again soon.
_AGAIN_LIMIT = 20.0

#: Are given up when no function can be told of them: the one needs the user's token, for the other a client waits.
_NOT_HELD = frozenset({"cluster.create", "cluster.upgrade"})
_RESENDABLE = frozenset(
    {"cluster.resize", "cluster.upgrade", "cluster.delete", "nodegroup.create", "nodegroup.update", "nodegroup.delete"}
)
#: Refusals after which the operation waits for its turn, or something newer counts.
_NOT_FINAL = frozenset({"in_progress", "superseded"})


@dataclass(frozen=True)
class Waiting:
    """The operation counts as accepted, stays open in the journal and is sent again. `reason` is a sentence."""

    reason: str


def _nothing() -> None:
    return None


def _nothing_of(_sentence: str) -> None:
    return None


@dataclass(frozen=True)
class RowChanges:
    """What is saved in Magnum's rows before anything is posted, and what is done to them when it comes to nothing."""

    begin: Callable[[], None] = _nothing
    #: Takes the sentence that says why.
    undo: Callable[[str], None] = _nothing_of


def start(requested: RequestedOperation, limit: float, changes: RowChanges | None = None) -> Accepted | Waiting | None:
    """Carries an operation to its function within `limit` seconds. None = something newer counts: another operation has
    taken its place, or a report has told of it already.

    :raises magnum.common.exception.MagnumException: it is refused; the class goes by the code of the refusal, where it
        was this attempt that was refused.
    :raises NotSent: no function could be told of a create or an upgrade.
    """
    changes = changes or RowChanges()
    operation = _journalled(requested)
    event = _begun(requested, operation, changes)
    try:
        reply = _post(event, limit, operation)
    except NoLongerWanted:
        _check_not_refused(operation, changes)
        return None
    except OutcomeUnknown as error:
        return Waiting(error.sentence)
    except NotSent as error:
        if requested.kind not in _NOT_HELD:
            return Waiting(error.sentence)
        _abandon(operation, changes, error.sentence)
        raise
    return _settled(operation, reply, changes)


def _begun(requested: RequestedOperation, operation: journal.Operation, changes: RowChanges) -> Event:
    """Nobody has heard of the operation yet, so that it comes to nothing when this fails."""
    try:
        changes.begin()
        return event_of(requested, operation)
    except exception.MagnumException as error:
        _abandon(operation, changes, str(error))
        raise
    except Exception as error:  # noqa: BLE001 - nothing of it may reach the row as it is
        # The text of a database error holds the values of the row, and Magnum would show it to the user.
        LOG.error("%s of cluster %s:\n%s", requested.kind, operation.cluster_uuid, _where(error))
        sentence = f"The operation could not be begun: {type(error).__name__}."
        _abandon(operation, changes, sentence)
        raise failure(sentence) from None


def _where(error: Exception) -> str:
    return "".join([*traceback.format_tb(error.__traceback__), type(error).__name__])


def _journalled(requested: RequestedOperation) -> journal.Operation:
    operation = new_operation(requested)
    journal.open_operation(operation)
    if requested.kind == "cluster.delete":
        _close_others(operation)
    return operation


def _close_others(deletion: journal.Operation) -> None:
    """Nothing else is sent again for a cluster that is to go."""
    for other in journal.open_operations(deletion.cluster_uuid):
        if other.event_id != deletion.event_id:
            journal.close_operation(other)


def _post(event: Event, limit: float, operation: journal.Operation) -> Reply:
    return functions.post(event, limit, lambda: _is_open(operation))


def _is_open(operation: journal.Operation) -> bool:
    """Not when a newer operation has taken its place, or a report has told of it."""
    return any(other.event_id == operation.event_id for other in journal.open_operations(operation.cluster_uuid))


def _check_not_refused(operation: journal.Operation, changes: RowChanges) -> None:
    """Whoever has sent it again may have been refused it."""
    sentence = journal.refusal_of(operation)
    if sentence is not None:
        changes.undo(sentence)
        raise failure(sentence)


def _abandon(operation: journal.Operation, changes: RowChanges, sentence: str) -> None:
    journal.close_operation(operation)
    changes.undo(sentence)


def _settled(operation: journal.Operation, reply: Reply, changes: RowChanges) -> Accepted | Waiting:
    if isinstance(reply, Accepted):
        journal.mark_answered(operation)
        _log(operation, "accepted", reply.sentence)
        return reply
    if isinstance(reply, Rejected):
        _log(operation, f"rejected ({reply.code})", reply.sentence)
        _abandon(operation, changes, reply.sentence)
        raise refusal(reply)
    return Waiting("The function has not said what became of the operation.")


def _log(operation: journal.Operation, outcome: str, sentence: str) -> None:
    of = f" of nodegroup {operation.target}" if operation.target else ""
    LOG.info("%s%s of cluster %s %s: %s", operation.kind, of, operation.cluster_uuid, outcome, sentence or "no notes")


def resend(context: Any, cluster: Any, operation: journal.Operation) -> Accepted | Rejected | None:
    """Sends an open operation again. None = it stays open: no answer, or a kind that cannot be sent again."""
    if operation.kind not in _RESENDABLE:
        return None
    try:
        event = event_of(requested_again(context, cluster, operation), operation)
        metrics.count("magnum_capi_shim_resends_total", type=operation.kind, reason="journal")
        reply = _post(event, _AGAIN_LIMIT, operation)
    except exception.NodeGroupNotFound:
        reply = Rejected("not_found", f"Nodegroup {operation.target} is not there any more.")
    except (NoAnswer, exception.MagnumException) as error:
        LOG.warning("%s of cluster %s is not accepted yet: %s", operation.kind, cluster.uuid, error)
        return None
    if isinstance(reply, Accepted):
        journal.mark_answered(operation)
        _save_template(cluster, operation, "new_cluster_template")
    elif isinstance(reply, Rejected):
        journal.close_operation(operation, None if reply.code in _NOT_FINAL else reply.sentence)
        _save_template(cluster, operation, "previous_cluster_template")
    else:
        return None
    _log(operation, type(reply).__name__.lower(), reply.sentence)
    return reply


def _save_template(cluster: Any, operation: journal.Operation, argument: str) -> None:
    """The conductor that began the upgrade may have died before or after it saved the template."""
    if operation.kind == "cluster.upgrade" and cluster.cluster_template_id != operation.arguments[argument]:
        cluster.cluster_template_id = operation.arguments[argument]
        cluster.save()
