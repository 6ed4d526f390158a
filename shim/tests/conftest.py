"""What all tests share: Magnum configured, a database with its tables, rows, and a server in place of the functions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import magnum.conf
import pytest
import sqlalchemy as sa
from function_server import FunctionServer
from listener_requests import SECRET
from magnum.common import context as magnum_context
from magnum.common import keystone, rpc
from magnum.db.sqlalchemy import models
from magnum_rows_factory import RowsFactory
from magnum_stage import MagnumStage
from oslo_db.sqlalchemy import enginefacade

from magnum_capi_functions import tracing
from magnum_capi_functions.options import register_options

# What they assert is explained as in a test.
pytest.register_assert_rewrite("row_fixtures", "staged_clusters")

CONF = magnum.conf.CONF

#: Another database than sqlite, e.g. mysql+pymysql://…; its tables are emptied.
_DATABASE = os.environ.get("SHIM_TEST_DATABASE")

_CONFIGURATION = """
[DEFAULT]
host = conductor-1
transport_url = fake://
[certificates]
cert_manager_type = x509keypair
[database]
connection = {database}
[keystone_authtoken]
www_authenticate_uri = http://127.0.0.1:5000/v3
[oslo_messaging_notifications]
driver = noop
"""


@pytest.fixture(scope="session", autouse=True)
def magnum_process() -> Iterator[None]:
    """A configured process with Magnum's tables, as magnum-conductor is one."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "magnum.conf"
        file.write_text(_CONFIGURATION.format(database=_DATABASE or f"sqlite:///{folder}/magnum.sqlite?timeout=30"))
        CONF(["--config-file", str(file)], project="magnum", default_config_files=[])
        register_options(CONF)
        rpc.init(CONF)
        models.Base.metadata.create_all(enginefacade.writer.get_engine())
        yield
        rpc.cleanup()


@pytest.fixture(scope="session", autouse=True)
def without_trusts(magnum_process: None) -> Iterator[None]:
    """Magnum before 2026.1 asks Keystone for its trustee domain with each query, and for a trust with each cluster."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(keystone.KeystoneClientV3, "trustee_domain_id"):
            from magnum.conductor.handlers.common import trust_manager  # noqa: PLC0415 - later releases have none

            patch.setattr(keystone.KeystoneClientV3, "trustee_domain_id", "trustees")
            patch.setattr(trust_manager, "create_trustee_and_trust", _give_trustee)
        yield


def _give_trustee(_clients: Any, cluster: Any) -> None:
    cluster.trustee_username, cluster.trustee_password = "trustee", "trustee-password-that-is-secret"


@pytest.fixture(autouse=True)
def database() -> Iterator[sa.Engine]:
    """Magnum's engine; all tables are empty again after the test."""
    engine = enginefacade.writer.get_engine()
    yield engine
    tables = sa.MetaData()
    tables.reflect(engine)
    with engine.begin() as connection:
        for table in reversed(tables.sorted_tables):
            connection.execute(table.delete())


@pytest.fixture(autouse=True)
def without_opentelemetry(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is installed, it would trace all tests from the first on that sets it up."""
    if request.module.__name__ != "test_opentelemetry":
        monkeypatch.setattr(tracing, "otel", None)


@pytest.fixture
def set_option() -> Iterator[Callable[..., None]]:
    """`set_option(name, value, group="capi_functions")`, until the end of the test."""
    changed: list[tuple[str, str]] = []

    def change(name: str, value: Any, group: str = "capi_functions") -> None:
        CONF.set_override(name, value, group=group)
        changed.append((name, group))

    yield change
    for name, group in changed:
        CONF.clear_override(name, group=group)


@pytest.fixture
def functions(set_option: Callable[..., None], tmp_path: Path) -> Iterator[FunctionServer]:
    """A server in place of all functions, which accepts what is not scripted otherwise."""
    token = tmp_path / "token"
    token.write_text("conductor-token-1\n")
    with FunctionServer() as server:
        set_option("functions_url", f"{server.url}/{{function}}")
        set_option("token_file", str(token))
        set_option("operation_timeout", 3)
        set_option("call_timeout", 2)
        yield server


@pytest.fixture
def user_context() -> magnum_context.RequestContext:
    """The context of a user's request, as the API hands it to the conductor."""
    return magnum_context.RequestContext(
        auth_token="user-token-that-is-secret",
        auth_url="http://127.0.0.1:5000/v3",
        user_id="80f92926956f4e4dae5909182cc43ad7",
        user_name="demo",
        project_id="be2ec97724bd4f14bd0bcf2458dff078",
        project_name="demo",
        roles=["reader", "member"],
        is_admin=False,
        request_id="req-1",
    )


@pytest.fixture
def admin_context() -> magnum_context.RequestContext:
    """The context of Magnum's periodic calls."""
    return magnum_context.make_admin_context(all_tenants=True)


@pytest.fixture
def rows(user_context: magnum_context.RequestContext) -> RowsFactory:
    """Makes templates, clusters and nodegroups in the database."""
    return RowsFactory(user_context)


@pytest.fixture
def stage(rows: RowsFactory, functions: FunctionServer) -> Iterator[MagnumStage]:
    """Conductor, periodic call and pushed reports, with `functions` in place of the functions."""
    stage = MagnumStage(rows, functions)
    yield stage
    stage.reports.stop()


@pytest.fixture
def secret_file(set_option: Callable[..., None], tmp_path: Path) -> Path:
    """The secret that a listener asks for, which takes any free port."""
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    set_option("listener_secret_file", str(file))
    set_option("listener_port", 0)
    return file
