"""Events as the conductor posts them."""

from __future__ import annotations

from typing import Any

from magnum_capi_functions.functions import Event

UUID = "3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01"


def event(kind: str = "cluster.resize", **data: Any) -> Event:
    return Event(kind, UUID, {"cluster": {"uuid": UUID}, **data})
