"""What this process has measured, in Prometheus' text format. metrics.json has the table, for docs/metrics.md too."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_TABLE: dict[str, dict[str, Any]] = {
    metric["name"]: metric
    for metric in json.loads(Path(__file__).with_name("metrics.json").read_text(encoding="utf-8"))
}


@dataclass
class _Series:
    #: Of a histogram the sum.
    value: float = 0
    #: Observations by the first bucket that takes them, the last for what is above all bounds.
    counts: list[int] = field(default_factory=list)


_GUARD = threading.Lock()
_SERIES: dict[str, dict[tuple[str, ...], _Series]] = {}


def count(name: str, **labels: str) -> None:
    """One more of a counter. The values of labels have to be bounded: no text of a sender's."""
    with _GUARD:
        _series(name, labels).value += 1


def observe(name: str, seconds: float, **labels: str) -> None:
    """One observation of a histogram."""
    buckets = _TABLE[name]["buckets"]
    with _GUARD:
        series = _series(name, labels)
        series.value += seconds
        series.counts[next((at for at, bound in enumerate(buckets) if seconds <= bound), len(buckets))] += 1


def text() -> str:
    """All of them, in the format 0.0.4."""
    lines: list[str] = []
    with _GUARD:
        for name, all_series in sorted(_SERIES.items()):
            metric = _TABLE[name]
            lines += [f"# HELP {name} {metric['help']}", f"# TYPE {name} {metric['type']}"]
            for values, series in sorted(all_series.items()):
                lines += _lines(metric, dict(zip(metric["labels"], values, strict=True)), series)
    return "".join(f"{line}\n" for line in lines)


def _series(name: str, labels: dict[str, str]) -> _Series:
    metric = _TABLE[name]
    key = tuple(labels[label] for label in metric["labels"])
    return _SERIES.setdefault(name, {}).setdefault(key, _Series(counts=[0] * (len(metric.get("buckets", ())) + 1)))


def _lines(metric: dict[str, Any], labels: dict[str, str], series: _Series) -> list[str]:
    name = metric["name"]
    if "buckets" not in metric:
        return [f"{name}{_labels(labels)} {series.value:g}"]
    total, lines = 0, []
    for bound, number in zip([*map(str, metric["buckets"]), "+Inf"], series.counts, strict=True):
        total += number
        lines.append(f"{name}_bucket{_labels({**labels, 'le': bound})} {total}")
    return [*lines, f"{name}_sum{_labels(labels)} {series.value}", f"{name}_count{_labels(labels)} {total}"]


def _labels(labels: dict[str, str]) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
