"""The life of a cluster in which every report can come late, never or several times."""

from __future__ import annotations

from cluster_life import BIRTH, LIFE, REPORTS, Begin, World, begun, delivered, late_save, ordered
from contract import check_data
from hypothesis import given, settings
from hypothesis import strategies as st
from report_fixtures import MASTER, WORKER


@st.composite
def deliveries(draw: st.DrawFn) -> dict[int, list[int | None]]:
    """After each step of the life, which of the reports made so far come (by index); None = a conductor saves late."""
    plan: dict[int, list[int | None]] = {}
    for index in range(len(LIFE)):
        made = [one for one in REPORTS if one <= index]
        plan[index] = draw(st.lists(st.sampled_from([None, *made]), max_size=3)) if made else []
    return plan


RESTS = [index for index, step in enumerate(LIFE) if isinstance(step, Begin) and step.needs_rest]


@settings(max_examples=200, deadline=None)
@given(plan=deliveries(), end=st.sampled_from([*RESTS, len(LIFE)]))
def test_any_order_and_number_of_reports_ends_in_the_same_rows(plan: dict[int, list[int | None]], end: int) -> None:
    world = BIRTH
    came: set[int] = set()
    for index in range(end):
        step = LIFE[index]
        if isinstance(step, Begin):
            if step.needs_rest:
                world = settled(world, index, came)
            world = begun(world, step)
        for one in plan[index]:
            world = late_save(world) if one is None else delivered(world, REPORTS[one])
            came.add(-1 if one is None else one)
            assert not ends_early(world)
    assert settled(world, end, came) == ordered(end)


def ends_early(world: World) -> bool:
    """Whether a row is complete while an operation on it is known to nobody but the journal."""
    if world.row is None:
        return False
    statuses = {one.name: one.status for one in world.row.nodegroups} | {"": world.row.status}
    targets = {"", *(one.target for one in world.operations)} if world.operations else set()
    return any((statuses.get(target) or "").endswith("_COMPLETE") for target in targets)


def settled(world: World, end: int, came: set[int]) -> World:
    """The newest report comes at last, if it has not come, and the next periodic call applies the last once more."""
    newest = max(index for index in REPORTS if index < end)
    world = world if newest in came else delivered(world, REPORTS[newest])
    came.add(newest)
    return world if world.last is None else delivered(world, world.last)


def test_the_reports_of_the_life_are_of_the_contract() -> None:
    for index in REPORTS:
        check_data("org.openstack.magnum.cluster.status.v1", LIFE[index])


def test_the_ordered_life_ends_as_it_should() -> None:
    row = ordered(18).row
    assert row is not None
    assert (row.status, row.coe_version) == ("UPDATE_COMPLETE", "v1.34.1")
    assert {one.name: (one.status, one.node_count) for one in row.nodegroups} == {
        MASTER: ("UPDATE_COMPLETE", 1),
        WORKER: ("UPDATE_COMPLETE", 3),
        "b": ("UPDATE_COMPLETE", 1),
    }
    assert ordered(18).operations == ()
    assert ordered(len(LIFE)).row is None
