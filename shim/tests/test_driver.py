from __future__ import annotations

import inspect
from importlib.metadata import entry_points

import pytest
from function_server import FunctionServer
from magnum.common import exception
from magnum.drivers.common import driver as magnum_driver
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import driver, health, status

DRIVERS = {
    "k8s_cluster_api_debian": "debian",
    "k8s_cluster_api_flatcar": "flatcar",
    "k8s_cluster_api_rockylinux": "rockylinux",
    "k8s_cluster_api_ubuntu": "ubuntu",
    "k8s_cluster_api_ubuntu_focal": "ubuntu-focal",
}


@pytest.fixture
def ubuntu() -> driver.FunctionsDriver:
    return driver.UbuntuDriver()


def test_magnum_finds_a_driver_for_each_operating_system(functions: FunctionServer) -> None:
    found = {entry.name: entry.load()() for entry in entry_points(group="magnum.drivers") if entry.name in DRIVERS}
    assert {name: one.provides for name, one in found.items()} == {
        name: [{"server_type": "vm", "os": system, "coe": "kubernetes"}] for name, system in DRIVERS.items()
    }
    for name, system in DRIVERS.items():
        by_kind = magnum_driver.Driver.get_driver("vm", system, "kubernetes")
        by_name = magnum_driver.Driver.get_driver("vm", system, "kubernetes", name)
        assert type(by_kind) is type(by_name) is type(found[name])
    assert not any(one.needs_trust for one in found.values())
    assert functions.received == []


def test_a_driver_object_holds_nothing(ubuntu: driver.FunctionsDriver) -> None:
    assert "__init__" not in vars(driver.FunctionsDriver)
    assert vars(ubuntu) == {}


def test_methods_take_what_magnum_gives_them() -> None:
    for name, method in inspect.getmembers(magnum_driver.Driver, inspect.isfunction):
        ours = getattr(driver.FunctionsDriver, name)
        expected = list(inspect.signature(method).parameters)
        assert list(inspect.signature(ours).parameters) == expected, name
    assert not inspect.isabstract(driver.UbuntuDriver)


@pytest.mark.parametrize("check", ["validate_master_size", "validate_master_resize"])
def test_masters_come_in_odd_numbers(ubuntu: driver.FunctionsDriver, check: str) -> None:
    for count in (1, 3, 5, 7):
        getattr(ubuntu, check)(count)
    for count in (-1, 0, 2, 4):
        with pytest.raises(exception.MasterNGSizeInvalid) as raised:
            getattr(ubuntu, check)(count)
        assert raised.value.code == 400


def test_federations_are_not_supported(ubuntu: driver.FunctionsDriver, rows: RowsFactory) -> None:
    for method in (ubuntu.create_federation, ubuntu.update_federation, ubuntu.delete_federation):
        with pytest.raises(NotImplementedError):
            method(rows.context, None)


def test_magnum_gets_no_scale_manager_and_a_monitor(ubuntu: driver.FunctionsDriver, rows: RowsFactory) -> None:
    cluster = rows.cluster()
    assert ubuntu.get_scale_manager(rows.context, None, cluster) is None
    assert isinstance(ubuntu.get_monitor(rows.context, cluster), health.Monitor)


def test_magnums_sync_comes_to_the_status_module(
    ubuntu: driver.FunctionsDriver, rows: RowsFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[tuple[object, ...]] = []
    monkeypatch.setattr(status, "update_cluster_status", lambda *arguments: called.append(arguments))
    cluster = rows.cluster()
    ubuntu.update_cluster_status(rows.context, cluster, use_admin_ctx=True)
    assert called == [(rows.context, cluster)]
