"""A cluster's key pairs from Magnum's cert manager (x509keypair, local or Barbican), in PEM."""

from __future__ import annotations

from typing import Any

from magnum.common import exception
from magnum.conductor.handlers.common import cert_manager
from oslo_log import log

from magnum_capi_functions.refusals import failure

LOG = log.getLogger(__name__)

_AUTHORITIES = {"ca": "kubernetes", "etcd": "etcd", "front_proxy": "front_proxy"}


def cluster_certificates(context: Any, cluster: Any) -> dict[str, dict[str, str]]:
    """`data.certificates` of an event. `sa` is Magnum's client pair, as the driver that this one replaces has it.

    :raises magnum.common.exception.MagnumException: one cannot be had; says which.
    """
    pairs = {
        name: _pair(name, lambda kind=kind: cert_manager.get_cluster_ca_certificate(cluster, context, kind))
        for name, kind in _AUTHORITIES.items()
    }
    return pairs | {"sa": _pair("sa", lambda: cert_manager.get_cluster_magnum_cert(cluster, context))}


def _pair(name: str, load: Any) -> dict[str, str]:
    try:
        stored = load()
        certificate, key = stored.get_certificate(), _private_key(stored)
    except exception.MagnumException as error:
        raise failure(f"The certificate {name!r} of the cluster cannot be had: {error}") from None
    except Exception as error:  # noqa: BLE001 - a backend raises what it likes, and its text may hold key material
        LOG.warning("The certificate %s cannot be had from Magnum's cert manager: %s", name, type(error).__name__)
        raise failure(f"The certificate {name!r} of the cluster cannot be had from Magnum's cert manager.") from None
    if not certificate or not key:
        raise failure(f"Magnum's cert manager has no certificate {name!r} of the cluster.")
    return {"certificate": _text(certificate), "private_key": _text(key)}


def _private_key(stored: Any) -> str | bytes | None:
    """Keys are stored encrypted, unless somebody has brought one without a passphrase."""
    if stored.get_private_key_passphrase() is None:
        return stored.get_private_key()
    return stored.get_decrypted_private_key()


def _text(pem: str | bytes) -> str:
    text = pem.decode() if isinstance(pem, bytes) else pem
    return f"{text.strip()}\n"
