"""The contract of the events, as the project publishes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

_REPOSITORY = Path(__file__).parents[2]


def check_data(event_type: str, data: Any) -> None:
    """
    :raises jsonschema.ValidationError: the data do not match the schema of the type.
    """
    schema = json.loads((_REPOSITORY / "docs" / "schemas" / f"{event_type}.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(data)


def example(name: str) -> dict[str, Any]:
    """One of the example events, which are what Magnum 2026.2 sends."""
    return json.loads((_REPOSITORY / "examples" / f"{name}.json").read_text())
