from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from magnum.common import exception
from oslo_config import cfg
from stage_settings import SetOption

from magnum_capi_functions.option_files import LARGEST_FILE
from magnum_capi_functions.options import event_options, register_options, settings


def test_options_that_name_a_file_travel_with_its_content(set_option: SetOption, tmp_path: Path) -> None:
    authority = tmp_path / "ca.pem"
    authority.write_text("-----BEGIN CERTIFICATE-----\nZürich\n", encoding="utf-8")
    for group, name in (("capi_client", "ca_file"), ("drivers", "openstack_ca_file"), ("manila_client", "ca_file")):
        set_option(name, str(authority), group)
    set_option("region_name", "RegionOne", "cinder_client")
    set_option("image_rules", "quay.io/*=mirror/*")

    options = event_options()

    content = authority.read_text(encoding="utf-8")
    assert [options[group]["ca_file"] for group in ("capi_client", "manila_client")] == [content, content]
    assert options["drivers"] == {"verify_ca": True, "openstack_ca_file": content}
    assert options["cinder_client"] == {"region_name": "RegionOne"}
    assert options["capi_functions"] == {"image_rules": "quay.io/*=mirror/*"}


def test_options_that_nobody_has_set_have_magnums_defaults() -> None:
    assert event_options() == {
        "auto_scaling": {"image_repository": "registry.k8s.io/autoscaling", "node_selector": ""},
        "capi_functions": {"image_rules": ""},
        "capi_client": {"endpoint_type": "publicURL", "ca_file": None, "insecure": False},
        "cinder": {"default_boot_volume_size": 0, "default_boot_volume_type": ""},
        "cinder_client": {"region_name": None},
        "cluster": {"pre_delete_lb_timeout": 60},
        "drivers": {"verify_ca": True, "openstack_ca_file": ""},
        "kubernetes": {"keystone_auth_default_policy": ""},
        "manila_client": {
            "region_name": None,
            "endpoint_type": "publicURL",
            "api_version": "3",
            "ca_file": None,
            "insecure": False,
        },
        "nova_client": {"region_name": None, "endpoint_type": "publicURL"},
    }


def _missing(path: Path) -> None:
    path.with_suffix(".other").touch()


UNREADABLE = {
    "is not there": _missing,
    "is a folder": Path.mkdir,
    "is a pipe": os.mkfifo,
    "is a device": lambda path: path.symlink_to("/dev/zero"),
    "is no text": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "is too large": lambda path: path.write_bytes(b"a" * (LARGEST_FILE + 1)),
    "leads nowhere": lambda path: path.symlink_to(path / "nothing"),
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize(
    ("group", "name"), [("capi_client", "ca_file"), ("kubernetes", "keystone_auth_default_policy")]
)
def test_a_file_that_cannot_be_read_is_told_with_its_option(
    set_option: SetOption, tmp_path: Path, make: Callable[[Path], object], group: str, name: str
) -> None:
    path = tmp_path / "100% wrong"
    make(path)
    set_option(name, str(path), group)
    with pytest.raises(exception.InvalidParameterValue) as raised:
        event_options()
    assert f"[{group}] {name}" in str(raised.value)
    assert repr(str(path)) in str(raised.value)
    assert raised.value.code == 400


def _configured(tmp_path: Path, text: str) -> cfg.ConfigOpts:
    """Options as a process reads them from a file; Magnum's own as its modules register them."""
    from magnum.conf import cinder, cluster, drivers, kubernetes, nova  # noqa: PLC0415 - of no other test's interest

    conf = cfg.ConfigOpts()
    for module in (cinder, cluster, drivers, kubernetes, nova):
        module.register_opts(conf)
    file = tmp_path / "magnum.conf"
    file.write_text(text)
    conf(["--config-file", str(file)])
    return register_options(conf)


def test_magnums_default_policy_file_need_not_be_there_but_one_that_is_named_must(tmp_path: Path) -> None:
    conf = _configured(tmp_path, "")
    assert not os.path.exists(conf.kubernetes.keystone_auth_default_policy)
    assert event_options(conf)["kubernetes"] == {"keystone_auth_default_policy": ""}

    named = _configured(tmp_path, f"[kubernetes]\nkeystone_auth_default_policy = {tmp_path}/policy.json\n")
    with pytest.raises(exception.InvalidParameterValue, match=r"\[kubernetes\] keystone_auth_default_policy"):
        event_options(named)


def test_options_that_another_driver_has_registered_stay_as_they_are(tmp_path: Path) -> None:
    conf = cfg.ConfigOpts()
    conf.register_opt(cfg.StrOpt("endpoint_type", default="internalURL", help="Another text."), group="capi_client")
    register_options(register_options(conf))
    conf([], default_config_files=[])
    assert conf.capi_client.endpoint_type == "internalURL"
    assert conf.capi_client.insecure is False
    assert conf.proxy.haproxy_pid_path == "/var/run/haproxy.pid"


def test_a_configuration_file_sets_the_options_of_driver_and_listener(tmp_path: Path) -> None:
    url = "https://{function}.example.org"
    conf = _configured(tmp_path, f"[capi_functions]\nfunctions_url = {url}\nlistener_port = 9000\n")
    assert settings(conf).functions_url == url
    assert (settings(conf).listener_port, settings(conf).call_timeout) == (9000, 45)


def test_the_options_are_exported_for_the_sample_configuration() -> None:
    (entry,) = [one for one in entry_points(group="oslo.config.opts") if one.name == "magnum_capi_functions"]
    groups = dict(entry.load()())
    assert {"capi_functions", "auto_scaling", "capi_client", "manila_client", "proxy"} == set(groups)
    assert all(option.help for options in groups.values() for option in options)
