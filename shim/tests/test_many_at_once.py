from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from event_fixtures import UUID, event
from function_server import FunctionServer, silence
from stage_settings import BOUNDED

from magnum_capi_functions.functions import post
from magnum_capi_functions.replies import Accepted


def test_threads_wait_for_the_functions_side_by_side(functions: FunctionServer) -> None:
    functions.otherwise = silence(1)
    before = time.monotonic()
    with ThreadPoolExecutor(40) as pool:
        posts = [pool.submit(post, event(), 10) for _ in range(40)]
        assert {one.result(timeout=20) for one in posts} == {Accepted("kube-21d56")}
    assert time.monotonic() - before < BOUNDED
    assert len({request.id for request in functions.received}) == 40


GREEN = """
import eventlet
eventlet.monkey_patch()
import sys, time
sys.path[:0] = [sys.argv[1]]
from oslo_config import cfg
from magnum_capi_functions.options import register_options
from magnum_capi_functions.functions import Event, post
register_options(cfg.CONF)
import magnum.conf
cfg.CONF([], project="magnum", default_config_files=[])
cfg.CONF.set_override("functions_url", sys.argv[2], group="capi_functions")
cfg.CONF.set_override("token_file", sys.argv[3], group="capi_functions")
cfg.CONF.set_override("host", "conductor-1")
before = time.monotonic()
pool = eventlet.GreenPool(20)
replies = list(pool.imap(lambda number: post(Event("cluster.resize", sys.argv[4], {}), 10), range(20)))
assert len(replies) == 20, replies
print(round(time.monotonic() - before, 1))
"""


def test_green_threads_wait_for_the_functions_side_by_side(functions: FunctionServer, tmp_path: Path) -> None:
    pytest.importorskip("eventlet")
    functions.otherwise = silence(1)
    arguments = [str(Path(__file__).parents[1]), f"{functions.url}/{{function}}", str(tmp_path / "token"), UUID]
    done = subprocess.run(
        [sys.executable, "-c", GREEN, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 10
    assert len(functions.received) == 20
