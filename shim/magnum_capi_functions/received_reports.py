"""What the listener does with the reports that are pushed to it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from magnum.common import context as magnum_context
from magnum.common import exception
from oslo_log import log

from magnum_capi_functions import applying, journal, metrics, status, tracing
from magnum_capi_functions.health_report import apply_health, parse_health

if TYPE_CHECKING:
    from cloudevents.core.base import BaseCloudEvent

LOG = log.getLogger(__name__)

STATUS = "org.openstack.magnum.cluster.status.v1"
HEALTH = "org.openstack.magnum.cluster.health.v1"
_KINDS = {STATUS: "status", HEALTH: "health"}

# A conductor saves what it does after the answer to its operation within seconds of it.
_FRESH = 10.0
_LOOK_AGAIN_AFTER = 2.0


def kind_of(event: BaseCloudEvent) -> str:
    """`status`, `health` or `other`: senders make up what types they like, and metrics must not grow with them."""
    return _KINDS.get(event.get_type(), "other")


class UnreadableReport(ValueError):
    """An event that is no report, in one sentence."""


class ReceivedReports:
    """Applies reports to Magnum's rows. Safe for use by many threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._timers: dict[str, threading.Timer] = {}

    def take(self, event: BaseCloudEvent) -> str:
        """
        Returns once the report is dealt with, and what became of it: `applied`, `old` where a newer one was, `unknown`
        for one of a cluster that is not Magnum's.

        :raises UnreadableReport: it never can be.
        :raises oslo_db.exception.DBError: the database cannot be used now.
        """
        time, uuid, data = event.get_time(), event.get_subject(), event.get_data()
        if event.get_type() not in (STATUS, HEALTH):
            raise UnreadableReport(f"Events of type {event.get_type()} are not taken here.")
        if time is None or time.tzinfo is None:
            raise UnreadableReport("The event says no time with its zone.")
        if not isinstance(data, dict) or data.get("cluster_uuid") != uuid or not uuid:
            raise UnreadableReport("The event's subject is not the cluster_uuid of its data.")
        context = magnum_context.make_admin_context(all_tenants=True)
        trace = tracing.trace_of({name: event.get_extension(name) for name in ("traceparent", "tracestate")})
        with tracing.processing(event.get_type(), trace):
            try:
                is_news = self._apply(context, event)
            except ValueError as error:
                raise UnreadableReport(str(error)) from error
            except exception.ClusterNotFound:
                LOG.debug("There is no cluster %s.", uuid)
                return "unknown"
        if not is_news:
            return "old"
        lag = (journal.utc_now() - time).total_seconds()
        metrics.observe("magnum_capi_listener_report_lag_seconds", max(lag, 0), type=kind_of(event))
        return "applied"

    def _apply(self, context: magnum_context.RequestContext, event: BaseCloudEvent) -> bool:
        time, uuid, data = event.get_time(), event.get_subject(), event.get_data()
        if event.get_type() == HEALTH:
            return apply_health(context, time, parse_health(data))
        applied = applying.apply_report(context, uuid, time, data)
        self._go_on(context, uuid, applied)
        return applied is not None

    def stop(self) -> None:
        """What was to be looked at again is left to the conductor's periodic call."""
        with self._guard:
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()

    def _go_on(
        self, context: magnum_context.RequestContext, cluster_uuid: str, applied: applying.Applied | None
    ) -> None:
        if applied is None:
            return
        if applied.has_ended:
            status.follow_up(context, applied)
        if applied.cluster.status != "DELETE_COMPLETE" and journal.has_fresh_answer(cluster_uuid, _FRESH):
            self._look_again_later(cluster_uuid)

    def _look_again_later(self, cluster_uuid: str) -> None:
        timer = threading.Timer(_LOOK_AGAIN_AFTER, self._look_again, [cluster_uuid])
        timer.daemon = True
        with self._guard:
            earlier = self._timers.pop(cluster_uuid, None)
            self._timers[cluster_uuid] = timer
        if earlier is not None:
            earlier.cancel()
        timer.start()

    def _look_again(self, cluster_uuid: str) -> None:
        with self._guard:
            self._timers.pop(cluster_uuid, None)
        context = magnum_context.make_admin_context(all_tenants=True)
        try:
            applied = applying.apply_last_report(context, cluster_uuid)
            if applied is not None and applied.has_ended:
                status.follow_up(context, applied)
        except exception.ClusterNotFound:
            return
        except Exception:  # the conductor's periodic call does the same
            LOG.warning("Cluster %s could not be looked at again.", cluster_uuid, exc_info=True)
