from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from contract import example
from magnum.common.context import RequestContext
from magnum_rows_factory import RowsFactory

from magnum_capi_functions.snapshot import cluster_snapshot, context_data, rfc3339, row_data

#: Columns that Magnum before 2026.2 does not have.
NEWER_COLUMNS = {"version", "node_labels", "node_taints"}


def test_rows_are_what_magnum_says_of_them(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    snapshot = cluster_snapshot(rows.context, cluster, cluster.cluster_template_id)
    known = example("cluster-create-plain")["data"]
    assert set(snapshot["cluster"]) == set(known["cluster"])
    assert set(snapshot["cluster_template"]) == set(known["cluster_template"])
    assert [one["name"] for one in snapshot["nodegroups"]] == ["default-master", "default-worker"]
    assert set(known["nodegroups"][0]) - NEWER_COLUMNS <= set(snapshot["nodegroups"][0]) <= set(known["nodegroups"][0])
    assert (snapshot["cluster"]["master_count"], snapshot["cluster"]["node_count"]) == (1, 2)


def test_a_cluster_whose_template_was_looked_up_does_not_carry_it_in_itself(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    assert cluster.cluster_template.name == "plain"
    assert "cluster_template" not in row_data(cluster)


def test_the_password_of_a_trustee_stays_here(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    if "trustee_password" not in cluster.fields:
        pytest.skip("this Magnum has no trustees")
    cluster.trustee_password, cluster.trustee_username = "s3cret", "trustee"
    assert not [key for key in row_data(cluster) if key.startswith("trust")]
    assert "s3cret" not in json.dumps(row_data(cluster))


@pytest.mark.parametrize("name", ["Zürich 日本 🌍", "with.dots_and-UPPER", "a" * 255, 'quote" \\ \x7f', None])
def test_names_of_any_kind_come_through(rows: RowsFactory, name: str | None) -> None:
    assert json.loads(json.dumps(row_data(rows.cluster(name=name))))["name"] == name


def test_large_labels_come_through(rows: RowsFactory) -> None:
    labels = {f"label-{number}": "ü" * 100 for number in range(90)}
    assert row_data(rows.cluster(labels=labels))["labels"] == labels


class Row:
    """Stands for a row with a field of each kind that Magnum may come to have."""

    def as_dict(self) -> dict[str, Any]:
        zone = timezone(timedelta(hours=2))
        return {
            "time": datetime(2026, 11, 29, 12, 0, 0, 500000, tzinfo=zone),
            "naive": datetime(2026, 11, 29, 10),
            "tuple": (1, object(), "a"),
            "object": object(),
            "bytes": b"a",
            "float": float("nan"),
            "nested": {"object": object(), 1: [None, True]},
        }


def test_what_is_no_json_is_left_out() -> None:
    data = row_data(Row())
    assert data == {
        "time": "2026-11-29T10:00:00.500000Z",
        "naive": "2026-11-29T10:00:00Z",
        "tuple": [1, "a"],
        "float": None,
        "nested": {"1": [None, True]},
    }
    json.dumps(data, allow_nan=False)


def test_times_are_in_utc() -> None:
    assert rfc3339(datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))) == "2026-01-01T00:00:00Z"


def test_a_periodic_call_asks_in_the_name_of_the_owner(rows: RowsFactory, admin_context: RequestContext) -> None:
    cluster = rows.cluster()
    data = context_data(admin_context, cluster)
    assert (data["user_id"], data["project_id"]) == (cluster.user_id, cluster.project_id)
    assert data["auth_url"] == "http://127.0.0.1:5000/v3"
    assert "token" not in data


def test_a_users_call_asks_in_the_name_of_the_user(rows: RowsFactory, user_context: RequestContext) -> None:
    user_context.user_id = "another-user"
    assert context_data(user_context, rows.cluster()) == {
        "user_id": "another-user",
        "project_id": user_context.project_id,
        "auth_url": "http://127.0.0.1:5000/v3",
        "request_id": "req-1",
    }
