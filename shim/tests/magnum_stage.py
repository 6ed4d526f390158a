"""Magnum's conductor, periodic call and rows of one cluster, with the functions' server and pushed reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from cloudevents.core.v1.event import CloudEvent
from conductor import Conductor
from function_server import Answer, FunctionServer, Received, accepted, event_answer
from magnum import objects
from magnum.common import context as magnum_context
from magnum.common import exception
from magnum.db.sqlalchemy import models
from magnum.service.periodic import ClusterUpdateJob
from magnum_rows_factory import RowsFactory
from oslo_db.sqlalchemy import enginefacade
from oslo_service.loopingcall import LoopingCallDone
from report_fixtures import Said, of_cluster, status_data

from magnum_capi_functions import attention, journal
from magnum_capi_functions.journal_tables import OPERATIONS, REPORTS, engine_with_tables
from magnum_capi_functions.received_reports import HEALTH, STATUS, ReceivedReports


def report_event(kind: str, data: Mapping[str, Any], time: datetime | None = None) -> CloudEvent:
    """As a function sends it."""
    attributes = {
        "id": str(uuid4()),
        "source": "/functions/status",
        "type": kind,
        "subject": data["cluster_uuid"],
        "time": time or datetime.now(timezone.utc),
        "datacontenttype": "application/json",
    }
    return CloudEvent(attributes, dict(data))


class MagnumStage:
    """`cluster` is the object that the conductor works with; `rows` reads what is saved."""

    def __init__(self, rows: RowsFactory, functions: FunctionServer) -> None:
        self.rows = rows
        self.functions = functions
        self.conductor = Conductor()
        self.reports = ReceivedReports()
        self.admin = magnum_context.make_admin_context(all_tenants=True)
        self.reported: dict[str, Any] | None = None
        self.refusals: dict[str, Callable[[Received], Answer]] = {}
        functions.otherwise = self._answer

    def _answer(self, request: Received) -> Answer:
        """The status function knows what was set to be `reported`; everything else is accepted unless refused."""
        if request.kind in self.refusals:
            return self.refusals[request.kind](request)
        if request.kind != "cluster.status.requested":
            return accepted()(request)
        if self.reported is None:
            return Answer(204)
        return event_answer(request, "cluster.status", {**self.reported, "cluster_uuid": request.headers["ce-subject"]})

    def create(self) -> Any:
        """A cluster that the conductor has begun to create."""
        cluster = self.rows.new_cluster()
        return self.conductor.clusters.cluster_create(self.rows.context, cluster, 1, 2, 60)

    def last_id(self, kind: str) -> str:
        """Id of the last event of the kind that the functions got."""
        return self.functions.events(kind)[-1].id

    def push(self, cluster: Any, said: Said, nodegroups: dict[str, Said], **changes: Any) -> None:
        """A report comes to the listener now."""
        self.push_data(cluster, status_data(said, nodegroups, **changes))

    def push_data(self, cluster: Any, data: dict[str, Any], time: datetime | None = None) -> None:
        self.reports.take(report_event(STATUS, of_cluster(data, cluster), time))

    def push_health(self, cluster: Any, status: str, reason: dict[str, str], time: datetime | None = None) -> None:
        data = {"cluster_uuid": cluster.uuid, "health_status": status, "health_status_reason": reason}
        self.reports.take(report_event(HEALTH, data, time))

    def poll(self, cluster: Any) -> Any:
        """What Magnum's periodic task does for a cluster in progress, with the row that its tick has read."""
        polled = objects.Cluster.get_by_uuid(self.admin, cluster.uuid)
        self.run_job(polled)
        return polled

    def run_job(self, cluster: Any) -> None:
        try:
            ClusterUpdateJob(self.admin, cluster).update_status()
        except LoopingCallDone:
            return

    def saved(self, cluster: Any) -> dict[str, str | None]:
        """Statuses by nodegroup, '' = the cluster; nothing where it is removed."""
        try:
            row = objects.Cluster.get_by_uuid(self.admin, cluster.uuid)
        except exception.ClusterNotFound:
            return {}
        return {"": row.status} | {one.name: one.status for one in objects.NodeGroup.list(self.admin, cluster.uuid)}

    def row(self, cluster: Any) -> Any:
        return objects.Cluster.get_by_uuid(self.admin, cluster.uuid)

    def nodegroup(self, cluster: Any, name: str) -> Any:
        return objects.NodeGroup.get_by_name(self.admin, cluster.uuid, name)

    def open_kinds(self, cluster: Any) -> list[str]:
        return [one.kind for one in journal.open_operations(cluster.uuid)]

    def age(self, cluster: Any, seconds: float) -> None:
        """Everything that is kept of the cluster becomes so much older, and nobody has looked after it since."""
        past = timedelta(seconds=seconds)
        attention._LAST.pop(cluster.uuid, None)
        with engine_with_tables().begin() as connection:
            for operation in journal.open_operations(cluster.uuid):
                values = _older(started=operation.started, answered=operation.answered, past=past)
                key = {"cluster_uuid": cluster.uuid, "target": operation.target}
                connection.execute(sa.update(OPERATIONS).filter_by(**key).values(**values))
            stored = journal.last_report(cluster.uuid)
            if stored is not None:
                values = _older(status_time=stored.status_time, applied_at=stored.applied_at, past=past)
                connection.execute(sa.update(REPORTS).filter_by(cluster_uuid=cluster.uuid).values(**values))
        self._age_rows(cluster, past)

    def _age_rows(self, cluster: Any, past: timedelta) -> None:
        saved = datetime.now(timezone.utc).replace(tzinfo=None) - past
        with enginefacade.writer.get_engine().begin() as connection:
            for table, column in ((models.Cluster, "uuid"), (models.NodeGroup, "cluster_id")):
                these = sa.update(table.__table__).where(table.__table__.c[column] == cluster.uuid)
                connection.execute(these.values(created_at=saved, updated_at=saved))

    def reopened(self, cluster: Any, kind: str, target: str = "", **changes: Any) -> journal.Operation:
        """An operation as a conductor leaves it that dies before it posts."""
        operation = journal.Operation(cluster.uuid, target, str(uuid4()), kind, {}, journal.utc_now())
        operation = replace(operation, **changes)
        journal.open_operation(operation)
        return operation


def _older(*, past: timedelta, **times: datetime | None) -> dict[str, str | None]:
    return {name: journal._text(None if time is None else time - past) for name, time in times.items()}
