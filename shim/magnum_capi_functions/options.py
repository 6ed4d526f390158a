"""Options of the driver and the listener, and the options of Magnum that travel with each event."""

from __future__ import annotations

from typing import Any

from magnum.common import exception
from oslo_config import cfg

from magnum_capi_functions.option_files import read_option_file
from magnum_capi_functions.refusals import literal

_FUNCTIONS = [
    cfg.StrOpt(
        "functions_url",
        default="http://magnum-{function}.magnum-system.svc.cluster.local",
        help="Where a function takes its events; {function} stands for its name.",
    ),
    cfg.StrOpt(
        "ca_file", help="Authorities (PEM) of the functions' certificates; without it those that requests trusts."
    ),
    cfg.BoolOpt("insecure", default=False, help="Do not verify the functions' certificates."),
    cfg.StrOpt(
        "token_file",
        default="/var/run/secrets/magnum-capi-functions/token",
        help="Bearer token for the functions, read at each call; empty = none. Not used where kubeconfig is set.",
    ),
    cfg.StrOpt("kubeconfig", help="Kubeconfig for the management cluster, to ask it for bearer tokens (TokenRequest)."),
    cfg.StrOpt("service_account", default="magnum-conductor", help="ServiceAccount that tokens are asked for."),
    cfg.StrOpt("namespace", default="magnum-system", help="Namespace of that ServiceAccount."),
    cfg.StrOpt("audience", default="magnum-functions", help="Audience of the tokens that are asked for."),
    cfg.IntOpt(
        "operation_timeout", default=180, min=1, help="Seconds for which an operation tries to reach its function."
    ),
    cfg.IntOpt(
        "call_timeout",
        default=45,
        min=1,
        help="The same for upgrades and rotations, which a client waits for. Less than [DEFAULT] rpc_response_timeout.",
    ),
    cfg.IntOpt(
        "push_timeout", default=30, min=1, help="Seconds without a report after which the functions are asked for one."
    ),
    cfg.IntOpt(
        "give_up_after",
        default=900,
        min=1,
        help="Seconds after which an operation that no function could be told of counts as failed.",
    ),
    cfg.StrOpt("image_rules", default="", help="Where a registry mirror has the images: from=to, separated by commas."),
]

_LISTENER = [
    cfg.StrOpt("listener_host", default="127.0.0.1", help="Address that magnum-capi-listener takes reports on."),
    cfg.PortOpt("listener_port", default=8790, help="Its port."),
    cfg.StrOpt("listener_secret_file", help="Secret that ends the path of the listener's address: /reports/<secret>."),
    cfg.StrOpt("listener_certificate_file", help="Certificate chain (PEM) with which the listener serves TLS."),
    cfg.StrOpt("listener_key_file", help="Its private key (PEM)."),
    cfg.StrOpt(
        "listener_client_ca_file", help="Authorities (PEM) of the certificates that senders of reports must show."
    ),
    cfg.IntOpt(
        "sweep_interval", default=60, min=1, help="Seconds between the listener's looks for operations that are open."
    ),
]

_CLIENT = [
    cfg.StrOpt("endpoint_type", default="publicURL", help="Interface of the service catalogue."),
    cfg.StrOpt("ca_file", help="Authorities (PEM) of the cloud's certificates."),
    cfg.StrOpt("cert_file", help="Accepted and not used."),
    cfg.StrOpt("key_file", help="Accepted and not used."),
    cfg.BoolOpt("insecure", default=False, help="Do not verify the cloud's certificates."),
]

_GROUPS: dict[str, list[cfg.Opt]] = {
    "capi_functions": _FUNCTIONS + _LISTENER,
    "auto_scaling": [
        cfg.StrOpt(
            "image_repository",
            default="registry.k8s.io/autoscaling",
            help="Registry path of the cluster autoscaler's image.",
        ),
        cfg.StrOpt("node_selector", default="", help="Labels of its nodes: key=value, separated by commas."),
    ],
    "capi_client": _CLIENT,
    "manila_client": [
        cfg.StrOpt("region_name", help="Region of the Shared File System service."),
        cfg.StrOpt("api_version", default="3", help="Its API version."),
        *_CLIENT,
    ],
    "proxy": [cfg.StrOpt("haproxy_pid_path", default="/var/run/haproxy.pid", help="Accepted and not used.")],
}

#: What travels in `data.options` (shared/magnum/snapshot.ts, `magnumOptions`).
_TRAVELLING: dict[str, tuple[str, ...]] = {
    "auto_scaling": ("image_repository", "node_selector"),
    "capi_functions": ("image_rules",),
    "capi_client": ("endpoint_type", "ca_file", "insecure"),
    "cinder": ("default_boot_volume_size", "default_boot_volume_type"),
    "cinder_client": ("region_name",),
    "cluster": ("pre_delete_lb_timeout",),
    "drivers": ("verify_ca", "openstack_ca_file"),
    "kubernetes": ("keystone_auth_default_policy",),
    "manila_client": ("region_name", "endpoint_type", "api_version", "ca_file", "insecure"),
    "nova_client": ("region_name", "endpoint_type"),
}

#: Options among them that name a file; its content travels.
_FILES = frozenset(
    {
        ("capi_client", "ca_file"),
        ("drivers", "openstack_ca_file"),
        ("kubernetes", "keystone_auth_default_policy"),
        ("manila_client", "ca_file"),
    }
)

#: Magnum's default of `[kubernetes] keystone_auth_default_policy`, which need not be there (magnum/conf/kubernetes.py).
_SHIPPED_POLICY = "/etc/magnum/keystone_auth_default_policy.json"


def register_options(conf: cfg.ConfigOpts = cfg.CONF) -> cfg.ConfigOpts:
    """Make the options known, as often as one likes. One that another package has brought already stays as it is."""
    for group, opts in _GROUPS.items():
        for opt in opts:
            try:
                conf.register_opt(opt, group=group)
            except cfg.DuplicateOptError:
                continue
    return conf


def list_opts() -> list[tuple[str, list[cfg.Opt]]]:
    """All options by group, for oslo-config-generator."""
    return list(_GROUPS.items())


def settings(conf: cfg.ConfigOpts = cfg.CONF) -> Any:
    """The group `[capi_functions]`."""
    return register_options(conf).capi_functions


def event_options(conf: cfg.ConfigOpts = cfg.CONF) -> dict[str, dict[str, Any]]:
    """`data.options` of an event, by group and option.

    :raises magnum.common.exception.InvalidParameterValue: a file that an option names cannot be read; says which.
    """
    register_options(conf)
    return {group: {name: _value(conf, group, name) for name in names} for group, names in _TRAVELLING.items()}


def _value(conf: cfg.ConfigOpts, group: str, name: str) -> Any:
    value = getattr(conf[group], name)
    if (group, name) not in _FILES or not value:
        return value
    try:
        return read_option_file(value)
    except FileNotFoundError as error:
        if value == _SHIPPED_POLICY:
            return ""
        raise _unreadable(group, name, error) from None
    except (OSError, ValueError) as error:
        raise _unreadable(group, name, error) from None


def _unreadable(group: str, name: str, error: Exception) -> exception.InvalidParameterValue:
    reason = getattr(error, "strerror", None) or str(error)
    path = getattr(error, "filename", None)
    sentence = f"The file {path!r} of the option [{group}] {name} cannot be read: {reason}."
    return exception.InvalidParameterValue(message=literal(sentence))
