"""The two tables that the shim keeps in Magnum's database, beside Magnum's own, which are never touched."""

from __future__ import annotations

import threading
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING

import sqlalchemy as sa
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import enginefacade
from sqlalchemy.dialects import mysql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Engine
    from sqlalchemy.orm import Session

METADATA = sa.MetaData()

# MySQL's TEXT ends at 64 KB, which the report of a cluster with some thousand nodes exceeds.
_LONG_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
# ISO 8601 in UTC with six decimals, which sorts as it is: MySQL's DATETIME has whole seconds only.
_TIME = sa.String(32)
# What does not fit the character set of the database is refused by Magnum's own tables before.
_TABLE = {"mysql_engine": "InnoDB", "mariadb_engine": "InnoDB"}

OPERATIONS = sa.Table(
    "capi_functions_operations",
    METADATA,
    sa.Column("cluster_uuid", sa.String(36), primary_key=True),
    sa.Column("target", sa.String(255), primary_key=True),
    sa.Column("event_id", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("arguments", _LONG_TEXT, nullable=False),
    sa.Column("started", _TIME, nullable=False),
    sa.Column("answered", _TIME),
    sa.Column("closed", _TIME),
    sa.Column("refused", _LONG_TEXT),
    **_TABLE,
)

REPORTS = sa.Table(
    "capi_functions_reports",
    METADATA,
    sa.Column("cluster_uuid", sa.String(36), primary_key=True),
    sa.Column("status_time", _TIME),
    sa.Column("status", _LONG_TEXT),
    sa.Column("applied_at", _TIME),
    sa.Column("health_time", _TIME),
    **_TABLE,
)

# Apart from Magnum's own, so that its saves stay transactions of their own while a report is applied.
_CONTEXT = threading.local()
_READY: weakref.WeakSet[Engine] = weakref.WeakSet()
_CREATION = threading.Lock()


@contextmanager
def reading() -> Iterator[Session]:
    """A session for reading; within `writing()` of the same thread, that one. Raises oslo.db's DBError."""
    engine_with_tables()
    with enginefacade.reader.using(_CONTEXT) as session:
        yield session


@contextmanager
def writing() -> Iterator[Session]:
    """A session whose outermost use in a thread is one transaction. Raises oslo.db's DBError."""
    engine_with_tables()
    with enginefacade.writer.using(_CONTEXT) as session:
        yield session


def engine_with_tables() -> Engine:
    """Magnum's engine; the tables are made when a process uses them for the first time."""
    engine = enginefacade.writer.get_engine()
    if engine not in _READY:
        with _CREATION:
            _create_tables(engine)
            _READY.add(engine)
    return engine


def _create_tables(engine: Engine) -> None:
    try:
        METADATA.create_all(engine, checkfirst=True)
    except (db_exc.DBError, sa.exc.DBAPIError):
        # Another process may have made them in the same moment; where that is not so, this raises again.
        METADATA.create_all(engine, checkfirst=True)
