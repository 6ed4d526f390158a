"""Operations and reports in Magnum's database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from report_fixtures import CLUSTER_UUID, at, operation

from magnum_capi_functions import journal
from magnum_capi_functions.journal_tables import engine_with_tables

RESIZE = operation("r1", "cluster.resize", "gpu", arguments={"node_count": 3, "nodes_to_remove": ["é"]})


def test_an_open_operation_comes_back_as_it_was() -> None:
    journal.open_operation(RESIZE)
    assert journal.open_operations(CLUSTER_UUID) == [RESIZE]
    assert journal.clusters_with_open_operations() == [CLUSTER_UUID]


def test_operations_of_different_targets_are_open_side_by_side_oldest_first() -> None:
    later = operation("c", "cluster.upgrade", started=at(5))
    for one in (later, RESIZE):
        journal.open_operation(one)
    assert journal.open_operations(CLUSTER_UUID) == [RESIZE, later]


def test_a_new_operation_takes_the_place_of_the_one_on_its_target() -> None:
    journal.open_operation(replace(RESIZE, answered=at(1)))
    newer = replace(RESIZE, event_id="r2", started=at(2))
    journal.open_operation(newer)
    journal.close_operation(RESIZE)
    journal.mark_answered(RESIZE)
    assert journal.open_operations(CLUSTER_UUID) == [newer]


def test_a_closed_operation_is_open_no_more() -> None:
    journal.open_operation(RESIZE)
    journal.close_operation(RESIZE)
    assert journal.open_operations(CLUSTER_UUID) == []
    assert journal.clusters_with_open_operations() == []


def test_an_answer_is_remembered_even_when_a_report_came_before_it() -> None:
    journal.open_operation(RESIZE)
    journal.mark_answered(RESIZE)
    [answered] = journal.open_operations(CLUSTER_UUID)
    assert answered.answered is not None
    assert journal.utc_now() - answered.answered < timedelta(seconds=5)
    journal.close_operation(RESIZE)
    assert journal.has_fresh_answer(CLUSTER_UUID, 10)
    assert not journal.has_fresh_answer(CLUSTER_UUID, 0)


def test_an_operation_that_nobody_answered_has_a_fresh_answer_while_it_is_young() -> None:
    journal.open_operation(RESIZE)
    assert not journal.has_fresh_answer(CLUSTER_UUID, 10)
    journal.open_operation(replace(RESIZE, started=journal.utc_now()))
    assert journal.has_fresh_answer(CLUSTER_UUID, 10)


def test_a_report_comes_back_with_its_times() -> None:
    assert journal.last_report(CLUSTER_UUID) is None
    status = {"state": "COMPLETE", "reason": "ünï"}
    with journal.report_lock(CLUSTER_UUID):
        journal.store_report(CLUSTER_UUID, at(1.25), status)
        journal.store_health(CLUSTER_UUID, at(2))
    stored = journal.last_report(CLUSTER_UUID)
    assert stored is not None
    assert (stored.status_time, stored.status, stored.health_time) == (at(1.25), status, at(2))
    assert stored.applied_at is not None
    assert journal.utc_now() - stored.applied_at < timedelta(seconds=5)


def test_a_long_report_is_kept_whole() -> None:
    status = {"nodegroups": ["192.0.2.1"] * 10_000}
    with journal.report_lock(CLUSTER_UUID):
        journal.store_report(CLUSTER_UUID, at(1), status)
    stored = journal.last_report(CLUSTER_UUID)
    assert stored is not None
    assert stored.status == status


def test_a_forgotten_cluster_leaves_nothing() -> None:
    journal.open_operation(RESIZE)
    assert journal.known_clusters() == [CLUSTER_UUID]
    journal.forget(CLUSTER_UUID)
    # An answer that came late.
    journal.mark_answered(RESIZE)
    journal.close_operation(RESIZE)
    assert journal.known_clusters() == []


def test_the_tables_are_made_by_whoever_comes_first(database: sa.Engine) -> None:
    engine_with_tables()
    names = set(sa.inspect(database).get_table_names())
    assert {"capi_functions_operations", "capi_functions_reports", "cluster"} <= names


def in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_one_at_a_time_holds_the_lock_of_a_cluster() -> None:
    order: list[str] = []

    def other() -> None:
        with journal.report_lock(CLUSTER_UUID):
            order.append("other")

    with journal.report_lock(CLUSTER_UUID):
        thread = in_thread(other)
        thread.join(0.3)
        with journal.report_lock(CLUSTER_UUID):
            order.append("first")
    thread.join(10)
    assert order == ["first", "other"]


def test_an_operation_is_not_opened_while_a_report_is_applied() -> None:
    with journal.report_lock(CLUSTER_UUID):
        thread = in_thread(lambda: journal.open_operation(RESIZE))
        thread.join(0.3)
        assert journal.open_operations(CLUSTER_UUID) == []
    thread.join(10)
    assert journal.open_operations(CLUSTER_UUID) == [RESIZE]


def test_the_locks_of_different_clusters_do_not_meet() -> None:
    with journal.report_lock(CLUSTER_UUID):
        thread = in_thread(lambda: journal.open_operation(replace(RESIZE, cluster_uuid="other")))
        thread.join(10)
        assert not thread.is_alive()


def test_an_error_inside_of_the_lock_frees_it() -> None:
    with pytest.raises(RuntimeError), journal.report_lock(CLUSTER_UUID):
        raise RuntimeError
    in_thread(lambda: journal.open_operation(RESIZE)).join(10)
    assert journal.open_operations(CLUSTER_UUID) == [RESIZE]
