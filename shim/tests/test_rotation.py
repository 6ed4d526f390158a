"""How Magnum's rows stand after certificates or credentials are rotated."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import Conductor, create, open_kinds
from function_server import (
    FunctionServer,
    busy,
    hang_up,
    rejected,
)
from magnum.common import exception
from magnum_rows_factory import RowsFactory

from magnum_capi_functions.driver import UbuntuDriver

BROKEN = "The connection to the upgrade function broke before it answered."


def test_a_rotation_of_authorities_is_never_supported_and_keeps_the_certificates_that_the_cluster_has(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    cluster = create(rows)
    cluster.status = "CREATE_COMPLETE"
    cluster.save()
    references = (cluster.ca_cert_ref, cluster.magnum_cert_ref)
    with pytest.raises(exception.NotSupported) as raised:
        Conductor().certificates.rotate_ca_certificate(rows.context, cluster)
    cluster = rows.refreshed(cluster)
    assert (cluster.ca_cert_ref, cluster.magnum_cert_ref) == references
    assert cluster.status_reason == str(raised.value)
    assert "cannot be rotated" in cluster.status_reason
    assert len(functions.received) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "code", "sentence"),
    [
        (rejected("permission_denied", "The token may not."), exception.NotAuthorized, 403, "The token may not."),
        (rejected("in_progress", "Wait for it."), exception.Conflict, 409, "Wait for it."),
        (rejected("invalid_field", "No."), exception.InvalidParameterValue, 400, "No."),
        (rejected("unsupported", "Never."), exception.NotSupported, 400, "Never."),
        (
            busy(1),
            exception.MagnumException,
            500,
            "Another operation on this cluster is going on. Nothing was changed.",
        ),
        (
            hang_up(),
            exception.MagnumException,
            500,
            f"{BROKEN} The credential may have been replaced or not; to rotate it again does no harm.",
        ),
    ],
)
def test_a_rotation_of_a_credential_that_does_not_happen_is_told(
    functions: FunctionServer, rows: RowsFactory, answer: Any, kind: Any, code: int, sentence: str
) -> None:
    functions.otherwise = answer
    cluster = rows.cluster()
    with pytest.raises(kind) as raised:
        UbuntuDriver().rotate_credential(rows.context, cluster)
    assert (type(raised.value), raised.value.code, str(raised.value)) == (kind, code, sentence)
    assert (rows.refreshed(cluster).status, open_kinds(cluster)) == ("CREATE_COMPLETE", [])


def test_a_rotation_of_a_credential_changes_no_row(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = rows.cluster()
    UbuntuDriver().rotate_credential(rows.context, cluster)
    assert rows.refreshed(cluster).updated_at is None
    assert open_kinds(cluster) == []
