"""Magnum's rows as the JSON that events carry (shared/magnum/snapshot.ts)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any

from magnum import objects
from magnum.conf import CONF

#: Not of the row itself, or nobody's business: Magnum before 2026.1 keeps a trustee with its password on each cluster.
_LEFT_OUT = frozenset({"cluster_template", "trust_id", "trustee_username", "trustee_password", "trustee_user_id"})


def rfc3339(time: datetime) -> str:
    """A time in UTC with `Z`; one without a zone counts as UTC, as in Magnum's database."""
    aware = time if time.tzinfo else time.replace(tzinfo=timezone.utc)
    return aware.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def row_data(row: Any) -> dict[str, Any]:
    """A row as its `as_dict()` in JSON: dates as RFC 3339, what is no JSON left out."""
    return {key: value for key, value in _json(row.as_dict()).items() if key not in _LEFT_OUT}


def context_data(context: Any, cluster: Any) -> dict[str, Any]:
    """Who asks. Periodic calls come from nobody: they ask in the name of the cluster's owner."""
    return {
        "user_id": context.user_id or cluster.user_id,
        "project_id": context.project_id or cluster.project_id,
        "auth_url": context.auth_url or _identity_url(),
        "request_id": context.request_id,
    }


def _identity_url() -> str | None:
    """What Magnum's API gives the contexts of users; conductors since 2026.1 do not know the option by themselves."""
    CONF.import_group("keystone_authtoken", "keystonemiddleware.auth_token")
    return CONF.keystone_authtoken.www_authenticate_uri or getattr(CONF.keystone_auth, "auth_url", None)


def cluster_snapshot(context: Any, cluster: Any, template_uuid: str) -> dict[str, Any]:
    """`cluster`, `cluster_template` and `nodegroups` of an event: all that Magnum knows of a cluster.

    :raises magnum.common.exception.ClusterTemplateNotFound: the template is no longer Magnum's.
    """
    template = objects.ClusterTemplate.get_by_uuid(context, template_uuid)
    return {
        "cluster": row_data(cluster),
        "cluster_template": row_data(template),
        "nodegroups": [row_data(nodegroup) for nodegroup in objects.NodeGroup.list(context, cluster.uuid)],
    }


_ABSENT = object()


def _json(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, Mapping):
        return {
            str(key): item for key, item in ((key, _json(item)) for key, item in value.items()) if item is not _ABSENT
        }
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return [item for item in map(_json, value) if item is not _ABSENT]
    return _ABSENT
