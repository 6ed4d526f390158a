"""What conductor and listener know of operations and reports, in Magnum's database, which is all that they share."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from oslo_db import api as db_api
from oslo_db import exception as db_exc

from magnum_capi_functions.journal_tables import OPERATIONS, REPORTS, engine_with_tables, reading, writing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy.orm import Session

_LOCKS_GUARD = threading.Lock()
_LOCKS: dict[str, threading.RLock] = {}

#: Beside the arguments in their column: a column of its own would be one more step of each installation's.
_TRACE = "_trace"


@dataclass(frozen=True)
class Operation:
    """An operation that the functions are asked for. Its arguments hold no secret."""

    cluster_uuid: str
    target: str  # name of the nodegroup; '' = the cluster
    event_id: str
    kind: str  # as `cluster.resize`
    arguments: dict[str, Any]
    started: datetime  # the event's `time`, aware
    answered: datetime | None = None  # when the functions had accepted it
    trace: Mapping[str, str] = field(default_factory=dict)  # that it is part of, however often it is sent


@dataclass(frozen=True)
class StoredReport:
    """The newest reports of a cluster that were applied."""

    status_time: datetime | None  # when the observation of `status` began
    status: dict[str, Any] | None  # data of `cluster.status.v1`
    applied_at: datetime | None  # when a status report was applied or asked for last
    health_time: datetime | None  # `time` of the last health report that was pushed


def utc_now() -> datetime:
    return datetime.now(timezone.utc)


@db_api.retry_on_deadlock
def open_operation(operation: Operation) -> None:
    """Takes the place of an earlier operation on the target. Waits while a report of the cluster is applied."""
    values = {
        "event_id": operation.event_id,
        "kind": operation.kind,
        "arguments": json.dumps({**operation.arguments, _TRACE: dict(operation.trace)}),
        "started": _text(operation.started),
        "answered": _text(operation.answered),
        "closed": None,
        "refused": None,
    }
    key = {"cluster_uuid": operation.cluster_uuid, "target": operation.target}
    with report_lock(operation.cluster_uuid), writing() as session:
        # An UPDATE of a row that is not there would lock its gap against the inserts of other clusters.
        if session.execute(sa.select(OPERATIONS.c.event_id).filter_by(**key)).first() is None:
            session.execute(sa.insert(OPERATIONS).values(**key, **values))
        else:
            session.execute(sa.update(OPERATIONS).filter_by(**key).values(**values))


@db_api.retry_on_deadlock
def mark_answered(operation: Operation) -> None:
    """The functions have accepted it. A report may have named it before."""
    _change(operation, answered=_text(utc_now()))


@db_api.retry_on_deadlock
def close_operation(operation: Operation, refused: str | None = None) -> None:
    """
    It is known to the functions, or refused, by a sentence that says why. Does nothing where another one has taken its
    place.
    """
    _change(operation, closed=_text(utc_now()), refused=refused)


def refusal_of(operation: Operation) -> str | None:
    """Why somebody else was refused it; None where nobody was."""
    key = {"cluster_uuid": operation.cluster_uuid, "target": operation.target, "event_id": operation.event_id}
    with reading() as session:
        return session.execute(sa.select(OPERATIONS.c.refused).filter_by(**key)).scalar()


def open_operations(cluster_uuid: str) -> list[Operation]:
    """Those of which no report has told yet, oldest first."""
    query = sa.select(OPERATIONS).filter_by(cluster_uuid=cluster_uuid, closed=None).order_by(OPERATIONS.c.started)
    with reading() as session:
        return [_operation(row) for row in session.execute(query)]


def clusters_with_open_operations() -> list[str]:
    query = sa.select(OPERATIONS.c.cluster_uuid).filter_by(closed=None).distinct()
    with reading() as session:
        return list(session.execute(query).scalars())


def has_fresh_answer(cluster_uuid: str, seconds: float) -> bool:
    """Whether a conductor may still be about to save what it does after the answer to one of its operations."""
    query = sa.select(OPERATIONS.c.answered, OPERATIONS.c.started).filter_by(cluster_uuid=cluster_uuid)
    since = _text(utc_now() - timedelta(seconds=seconds))
    with reading() as session:
        return any((answered or started) >= since for answered, started in session.execute(query))


def known_clusters() -> list[str]:
    """All clusters of which anything is kept."""
    both = sa.union(sa.select(OPERATIONS.c.cluster_uuid), sa.select(REPORTS.c.cluster_uuid))
    with reading() as session:
        return list(session.execute(both).scalars())


def last_report(cluster_uuid: str) -> StoredReport | None:
    with reading() as session:
        row = session.execute(sa.select(REPORTS).filter_by(cluster_uuid=cluster_uuid)).first()
    if row is None:
        return None
    status = None if row.status is None else json.loads(row.status)
    return StoredReport(_time(row.status_time), status, _time(row.applied_at), _time(row.health_time))


def store_report(cluster_uuid: str, time: datetime, status: dict[str, Any]) -> None:
    """`status` was applied. Belongs inside of `report_lock`."""
    applied = {"status_time": _text(time), "status": json.dumps(status), "applied_at": _text(utc_now())}
    with writing() as session:
        session.execute(sa.update(REPORTS).filter_by(cluster_uuid=cluster_uuid).values(**applied))


def mark_asked(cluster_uuid: str) -> None:
    """The status function was asked, and had nothing to tell."""
    with report_lock(cluster_uuid), writing() as session:
        applied_at = _text(utc_now())
        session.execute(sa.update(REPORTS).filter_by(cluster_uuid=cluster_uuid).values(applied_at=applied_at))


def store_health(cluster_uuid: str, time: datetime) -> None:
    """A health report of that time was applied. Belongs inside of `report_lock`."""
    with writing() as session:
        session.execute(sa.update(REPORTS).filter_by(cluster_uuid=cluster_uuid).values(health_time=_text(time)))


@db_api.retry_on_deadlock
def forget(cluster_uuid: str) -> None:
    """The cluster is no longer Magnum's."""
    with writing() as session:
        for table in (OPERATIONS, REPORTS):
            session.execute(sa.delete(table).filter_by(cluster_uuid=cluster_uuid))
    with _LOCKS_GUARD:
        _LOCKS.pop(cluster_uuid, None)


@contextmanager
def report_lock(cluster_uuid: str) -> Iterator[None]:
    """
    One holder at a time in all processes; the same thread may take it again. What the journal writes inside is one
    transaction. On sqlite, which locks whole files, it holds for this process alone.
    """
    _make_report_row(cluster_uuid)
    if engine_with_tables().dialect.name == "sqlite":
        with _process_lock(cluster_uuid):
            yield
        return
    with writing() as session:
        _lock_row(session, cluster_uuid)
        yield


def _lock_row(session: Session, cluster_uuid: str) -> None:
    session.execute(sa.select(REPORTS.c.cluster_uuid).filter_by(cluster_uuid=cluster_uuid).with_for_update()).first()


@db_api.retry_on_deadlock
def _make_report_row(cluster_uuid: str) -> None:
    if last_report(cluster_uuid) is not None:
        return
    try:
        with writing() as session:
            session.execute(sa.insert(REPORTS).values(cluster_uuid=cluster_uuid))
    except db_exc.DBDuplicateEntry:
        return


def _process_lock(cluster_uuid: str) -> threading.RLock:
    with _LOCKS_GUARD:
        return _LOCKS.setdefault(cluster_uuid, threading.RLock())


def _change(operation: Operation, **values: str | None) -> None:
    """Leaves nothing behind of a cluster that is forgotten."""
    if last_report(operation.cluster_uuid) is None:
        return
    key = {"cluster_uuid": operation.cluster_uuid, "target": operation.target, "event_id": operation.event_id}
    with report_lock(operation.cluster_uuid), writing() as session:
        session.execute(sa.update(OPERATIONS).filter_by(**key).values(**values))


def _operation(row: sa.Row) -> Operation:
    arguments = json.loads(row.arguments)
    trace = arguments.pop(_TRACE, {})
    return Operation(
        cluster_uuid=row.cluster_uuid,
        target=row.target,
        event_id=row.event_id,
        kind=row.kind,
        arguments=arguments,
        started=_known_time(row.started),
        answered=_time(row.answered),
        trace=trace,
    )


def _text(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _time(text: str | None) -> datetime | None:
    return None if text is None else _known_time(text)


def _known_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
