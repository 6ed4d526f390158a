"""Tokens and keys go to the functions and nowhere else."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from conductor import CLUSTERS, open_kinds
from function_server import FunctionServer, hang_up, plain, problem, rejected, unavailable
from magnum import objects
from magnum.common import exception
from magnum_rows_factory import RowsFactory
from oslo_db import exception as db_exc

from magnum_capi_functions.driver import UbuntuDriver

TABLES = ("cluster", "nodegroup", "capi_functions_operations", "capi_functions_reports")


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture, database: sa.Engine) -> Iterator[list[str]]:
    """What was logged, raised and saved; texts of errors are added by the test."""
    texts: list[str] = []
    with caplog.at_level(logging.DEBUG):
        yield texts
    texts.append(caplog.text)
    with database.connect() as connection:
        for table in TABLES:
            texts.extend(str(row) for row in connection.execute(sa.text(f"SELECT * FROM {table}")))
    everything = "\n".join(texts)
    assert "cluster" in everything
    for secret in SECRETS:
        assert secret not in everything, secret


SECRETS = ("user-token-that-is-secret", "conductor-token-1", "PRIVATE KEY")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        rejected("permission_denied", "No."),
        hang_up(),
        unavailable(),
        plain(200, b"garbage"),
        problem(401, "unauthenticated", "No."),
        problem(400, "invalid_event", "data.context.token: is too short"),
    ],
)
def test_a_create_tells_no_secret_however_it_ends(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, told: list[str], answer: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.otherwise = answer or functions.otherwise
    try:
        CLUSTERS.cluster_create(rows.context, rows.new_cluster(), 1, 2, 60)
    except exception.MagnumException as error:
        told.append("".join(traceback.format_exception(error)) + repr(error.__dict__))
    sent = str(functions.received[0].data) + functions.received[0].token
    assert all(secret in sent for secret in SECRETS)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "http://[wrong/", "{server}"])
def test_a_rotation_tells_no_secret_when_it_fails(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, told: list[str], url: str
) -> None:
    set_option("call_timeout", 1)
    set_option("functions_url", url.replace("{server}", functions.url.replace("http:", "https:")))
    with pytest.raises(exception.MagnumException) as raised:
        UbuntuDriver().rotate_credential(rows.context, rows.cluster())
    told.append("".join(traceback.format_exception(raised.value)) + repr(raised.value.__dict__))


def test_a_database_that_fails_tells_no_secret(
    functions: FunctionServer, rows: RowsFactory, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = rows.cluster()
    error = db_exc.DBError(Exception("[SQL: UPDATE cluster SET a=?] [parameters: ('conductor-token-1')]"))
    monkeypatch.setattr(objects.ClusterTemplate, "get_by_uuid", _raising(error))
    with pytest.raises(exception.MagnumException) as raised:
        UbuntuDriver().delete_cluster(rows.context, cluster)
    told.append("".join(traceback.format_exception(raised.value)))
    assert str(raised.value) == "The operation could not be begun: DBError."
    assert (open_kinds(cluster), functions.received) == ([], [])


def _raising(error: Exception) -> Callable[..., None]:
    def fail(*_arguments: object) -> None:
        raise error

    return fail


def test_a_trustees_password_stays_in_magnums_own_table(functions: FunctionServer, rows: RowsFactory) -> None:
    CLUSTERS.cluster_create(rows.context, rows.new_cluster(), 1, 2, 60)
    assert "trustee-password-that-is-secret" not in str(functions.received[0].data)
