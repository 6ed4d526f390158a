from __future__ import annotations

import logging
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from magnum.common import cert_manager as backends
from magnum.common import exception
from magnum.common.cert_manager import local_cert_manager
from magnum.conductor.handlers.common import cert_manager
from magnum_rows_factory import RowsFactory

from magnum_capi_functions.certificates import cluster_certificates

NAMES = {"ca", "etcd", "front_proxy", "sa"}


def test_all_pairs_come_decrypted_from_magnums_database(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    cert_manager.generate_certificates_to_cluster(cluster, context=rows.context)

    pairs = cluster_certificates(rows.context, cluster)

    assert set(pairs) == NAMES
    for pair in pairs.values():
        certificate = x509.load_pem_x509_certificate(pair["certificate"].encode())
        key = load_pem_private_key(pair["private_key"].encode(), password=None)
        assert certificate.public_key() == key.public_key()
        assert pair["certificate"].endswith("-----END CERTIFICATE-----\n")
    subjects = [x509.load_pem_x509_certificate(pair["certificate"].encode()).subject for pair in pairs.values()]
    assert [subject.rfc4514_string() for subject in subjects] == [*["CN=plain-1"] * 3, "O=system:masters,CN=admin"]


@pytest.fixture
def local_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_option: object) -> None:
    """Magnum's backend that keeps certificates in files; the choice of a process is for its life."""
    set_option("storage_path", str(tmp_path), "certificates")
    monkeypatch.setattr(backends, "_CERT_MANAGER_PLUGIN", local_cert_manager)


def _store(pair: dict[str, str], passphrase: str | None = None) -> str:
    manager = backends.get_backend().CertManager
    return manager.store_cert(pair["certificate"], pair["private_key"], private_key_passphrase=passphrase)


def test_pairs_come_from_files_and_without_a_passphrase_as_they_are(rows: RowsFactory, local_backend: None) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nbare\n-----END PRIVATE KEY-----"
    reference = _store({"certificate": "\n-----BEGIN CERTIFICATE-----\n", "private_key": key})
    names = ("ca_cert_ref", "magnum_cert_ref", "etcd_ca_cert_ref", "front_proxy_ca_cert_ref")
    cluster = rows.cluster(**dict.fromkeys(names, reference))
    expected = {"certificate": "-----BEGIN CERTIFICATE-----\n", "private_key": f"{key}\n"}
    assert cluster_certificates(rows.context, cluster) == dict.fromkeys(NAMES, expected)


def test_a_certificate_that_is_missing_is_told_by_name(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    cert_manager.generate_certificates_to_cluster(cluster, context=rows.context)
    cluster.etcd_ca_cert_ref = None
    with pytest.raises(exception.MagnumException, match="'etcd' of the cluster cannot be had"):
        cluster_certificates(rows.context, cluster)


def test_a_key_that_cannot_be_decrypted_appears_nowhere(
    rows: RowsFactory, local_backend: None, caplog: pytest.LogCaptureFixture
) -> None:
    broken = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nsecret-material\n-----END ENCRYPTED PRIVATE KEY-----\n"
    reference = _store({"certificate": "c", "private_key": broken}, passphrase="secret-passphrase")
    with caplog.at_level(logging.DEBUG), pytest.raises(exception.MagnumException) as raised:
        cluster_certificates(rows.context, rows.cluster(ca_cert_ref=reference))
    assert str(raised.value) == "The certificate 'ca' of the cluster cannot be had from Magnum's cert manager."
    assert raised.value.__suppress_context__
    assert "secret-" not in caplog.text
