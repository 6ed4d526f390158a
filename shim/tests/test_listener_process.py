"""`magnum-capi-listener` as a process of its own."""

from __future__ import annotations

import itertools
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from function_server import wait_until
from listener_requests import SECRET, binary, send
from loopback import free_port
from magnum.db.sqlalchemy import models
from magnum_stage import MagnumStage
from report_fixtures import CREATED, MASTER, WORKER, complete, goes_on, of_cluster, status_data

from magnum_capi_functions import journal
from magnum_capi_functions.received_reports import STATUS


def configuration(folder: Path, port: int, database: str, secret: str = f"{SECRET}\n", more: str = "") -> Path:
    (folder / "secret").write_text(secret)
    file = folder / "listener.conf"
    file.write_text(
        f"[DEFAULT]\ntransport_url = fake://\n[database]\nconnection = {database}\n"
        "[oslo_messaging_notifications]\ndriver = noop\n"
        f"[capi_functions]\nlistener_port = {port}\nlistener_secret_file = {folder}/secret\n{more}"
    )
    return file


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "magnum_capi_functions.listener", *arguments]


@contextmanager
def listening(folder: Path, database: str, more: str = "") -> Iterator[tuple[int, subprocess.Popen[str]]]:
    port = free_port()
    arguments = command("--config-file", str(configuration(folder, port, database, more=more)))
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: is_healthy(port) or process.poll() is not None, 30)
        yield port, process
    finally:
        process.kill()
        process.communicate()


def is_healthy(port: int) -> bool:
    try:
        return send(port, {}, b"", "/healthz", "GET")[0] == 200
    except OSError:
        return False


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)


def test_it_ends_cleanly_on_sigterm_and_tells_no_secret(tmp_path: Path) -> None:
    with listening(tmp_path, f"sqlite:///{tmp_path}/a.sqlite", "[DEFAULT]\ndebug = true\n") as (port, process):
        send(port, *binary(STATUS, CREATED))
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
        assert SECRET not in log


def test_a_database_that_is_down_makes_the_broker_come_again(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    database = f"sqlite:///{folder}/magnum.sqlite"
    with listening(tmp_path, database) as (port, _process):
        assert send(port, *binary(STATUS, CREATED))[0] == 503
        assert send(port, {}, b"", "/healthz", "GET")[0] == 200
        folder.mkdir()
        assert send(port, *binary(STATUS, CREATED))[0] == 503
        models.Base.metadata.create_all(sa.create_engine(database))
        assert send(port, *binary(STATUS, CREATED)) == (204, b"")


def test_it_writes_into_magnums_database(tmp_path: Path, database: sa.Engine, stage: MagnumStage) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    with listening(tmp_path, database.url.render_as_string(hide_password=False)) as (port, _process):
        assert send(port, *binary(STATUS, of_cluster(CREATED, cluster))) == (204, b"")
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}


def test_its_sweep_looks_after_what_magnum_passes_over(tmp_path: Path, database: sa.Engine, stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.reopened(cluster, "cluster.resize", WORKER, arguments={"node_count": 5, "nodes_to_remove": []})
    stage.reported = CREATED
    stage.age(cluster, 40)
    token = tmp_path / "token"
    token.write_text("conductor-token-1\n")
    more = (
        f"sweep_interval = 1\nfunctions_url = {stage.functions.url}/{{function}}\ntoken_file = {token}\n"
        "[keystone_authtoken]\nwww_authenticate_uri = http://127.0.0.1:5000/v3\n"
    )
    with listening(tmp_path, database.url.render_as_string(hide_password=False), more):
        wait_until(lambda: len(stage.functions.events("cluster.resize")) == 1, 30)


def test_it_explains_its_options(tmp_path: Path) -> None:
    shown = run("--help")
    assert shown.returncode == 0
    assert "--config-file" in shown.stdout


@pytest.mark.parametrize(
    ("more", "secret", "sentence"),
    [
        ("listener_secret_file =\n", "x", "Who may send reports?"),
        ("listener_secret_file = /nowhere\n", "x", "/nowhere cannot be read"),
        ("", "short\n", "16 or more characters"),
        ("listener_client_ca_file = /nowhere\n", f"{SECRET}\n", "only over TLS"),
        ("listener_certificate_file = /nowhere\n", f"{SECRET}\n", "without its key"),
    ],
)
def test_options_that_do_not_go_together_end_it_with_one_sentence(
    tmp_path: Path, more: str, secret: str, sentence: str
) -> None:
    file = configuration(tmp_path, free_port(), "sqlite://", secret, more)
    ended = run("--config-file", str(file))
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_port_that_is_taken_ends_it_with_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        file = configuration(tmp_path, taken.getsockname()[1], "sqlite://")
        ended = run("--config-file", str(file))
    assert ended.returncode == 1
    assert "cannot serve" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(not os.environ.get("SHIM_TEST_DATABASE"), reason="sqlite cannot lock rows for other processes")
def test_two_processes_apply_the_reports_of_many_clusters_as_one_would(
    tmp_path: Path, database: sa.Engine, stage: MagnumStage
) -> None:
    clusters = [stage.rows.cluster(status="CREATE_IN_PROGRESS") for _ in range(10)]
    for cluster in clusters:
        stage.reopened(cluster, "cluster.create", event_id="c")
    begin = journal.utc_now() - timedelta(seconds=60)
    deliveries = [
        (begin + timedelta(seconds=second), of_cluster(life_report(second), cluster))
        for cluster in clusters
        for second in (*range(10), *range(0, 10, 3))
    ]
    random.Random(5).shuffle(deliveries)
    url = database.url.render_as_string(hide_password=False)
    (tmp_path / "other").mkdir()
    with (
        listening(tmp_path, url) as (first, _),
        listening(tmp_path / "other", url) as (second, _),
        ThreadPoolExecutor(12) as senders,
    ):
        ports = itertools.cycle((first, second))
        futures = [
            senders.submit(lambda port, when, data: send(port, *binary(STATUS, data, when))[0], port, when, data)
            for port, (when, data) in zip(ports, deliveries, strict=False)
        ]
    assert {future.result() for future in futures} == {204}
    for cluster in clusters:
        row = stage.row(cluster)
        assert (row.status, row.coe_version, row.status_reason) == ("CREATE_COMPLETE", "v1.33.9", None)
        assert stage.nodegroup(cluster, WORKER).node_count == 9
        assert stage.open_kinds(cluster) == []


def life_report(second: int) -> dict[str, Any]:
    """Complete with the tenth."""
    said = complete("c", "CREATE", second) if second == 9 else goes_on("c", "CREATE", second)
    return status_data(said, {MASTER: complete("c", "CREATE"), WORKER: said}, coe_version=f"v1.33.{second}")
