"""The health of clusters, as Magnum's health poll takes it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from magnum.conductor.monitors import MonitorBase
from oslo_log import log

from magnum_capi_functions import journal, questions
from magnum_capi_functions.health_report import parse_health
from magnum_capi_functions.replies import NoAnswer

if TYPE_CHECKING:
    from magnum import objects
    from magnum.common.context import RequestContext

LOG = log.getLogger(__name__)

# The health function reports every cluster at each of its ticks, by default every five minutes: two may get lost.
_PUSHED = timedelta(minutes=15)


class Monitor(MonitorBase):
    """Asks for the health of a cluster only where none is pushed. Without data Magnum leaves the row as it is."""

    def __init__(self, context: RequestContext, cluster: objects.Cluster) -> None:
        super().__init__(context, cluster)
        self.data: dict[str, Any] = {}

    @property
    def metrics_spec(self) -> dict[str, Any]:
        """There are no metrics."""
        return {}

    def pull_data(self) -> None:
        """Magnum polls the health alone."""

    def poll_health_status(self) -> None:
        """Where no function answers the row stays as it is.

        :raises ValueError: the answer is of another form; Magnum logs it and goes on.
        """
        stored = journal.last_report(self.cluster.uuid)
        pushed = None if stored is None else stored.health_time
        if pushed is not None and journal.utc_now() - pushed < _PUSHED:
            return
        try:
            answer = questions.ask(self.context, self.cluster, "cluster.health.requested")
        except NoAnswer as error:
            LOG.warning("There is no health report of cluster %s: %s", self.cluster.uuid, error.sentence)
            return
        if answer is None:
            return
        report = parse_health(answer.data)
        self.data = {"health_status": report.health_status, "health_status_reason": report.health_status_reason}
