"""Which status a row of Magnum gets from what a report tells of it. No input or output, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magnum_capi_functions.status_report import Progress

_STATES = ("IN_PROGRESS", "COMPLETE", "FAILED")


@dataclass(frozen=True)
class Row:
    """A cluster's or a nodegroup's."""

    status: str | None
    status_reason: str | None

    @property
    def action(self) -> str | None:
        return self._parts[0]

    @property
    def state(self) -> str | None:
        return self._parts[1]

    @property
    def _parts(self) -> tuple[str | None, str | None]:
        for state in _STATES:
            if self.status is not None and self.status.endswith(f"_{state}"):
                return self.status.removesuffix(f"_{state}"), state
        return None, None


@dataclass(frozen=True)
class Told:
    """What a report says of one row, and how that relates to the operations that wait to be known."""

    progress: Progress
    previous: Progress | None  # what the report before said
    is_named: bool  # it is about an operation that was open until now
    is_answered: bool  # one that was open had been accepted before, and nothing of it was recorded
    is_waited_for: bool  # the row waits for one that the report does not know
    is_of_deletion: bool  # the whole cluster goes


def is_gone(row: Row, told: Told) -> bool:
    """Whether a nodegroup was deleted to the end. One that is just coming again under its name was not."""
    progress = told.progress
    if (progress.action, progress.state) != ("DELETE", "COMPLETE"):
        return False
    return told.is_of_deletion or told.is_named or (row.action == "DELETE" and not told.is_waited_for)


def changes_of_progress(row: Row, told: Told) -> dict[str, Any]:
    """The fields `status` and `status_reason` as far as they become others."""
    status = _status(row, told)
    if status is None:
        return {}
    changes: dict[str, Any] = {}
    if status != row.status:
        changes["status"] = status
    if told.progress.reason != row.status_reason and (changes or _is_reason_ours(row, told)):
        changes["status_reason"] = told.progress.reason
    return changes


def _status(row: Row, told: Told) -> str | None:
    """None where the report leaves the row's status and reason alone."""
    progress = told.progress
    if progress.action == "DELETE" and told.is_of_deletion and not (progress.state == "FAILED" and told.is_waited_for):
        # Wherever the row is, the cluster goes; only that it failed may be of an earlier attempt.
        return f"DELETE_{progress.state}"
    if told.is_named:
        return f"{progress.action or row.action}_{progress.state}"
    if told.is_waited_for:
        return None
    action = _action(row, told)
    if row.state == "IN_PROGRESS":
        return f"{action}_{progress.state}" if action == row.action else None
    return _status_of_ended(row, told, action) if _is_news(row, told) else None


def _action(row: Row, told: Told) -> str | None:
    """What was accepted without a record needed no change, so what was there before ends it."""
    action = told.progress.action
    if action is None or (told.is_answered and row.action != "DELETE" and action != "DELETE"):
        return row.action
    return action


def _is_news(row: Row, told: Told) -> bool:
    """What was told before does not undo what came since, as a refusal."""
    same = told.progress.says_the_same_as(told.previous)
    return not same or told.progress.state == row.state == "FAILED"


def _status_of_ended(row: Row, told: Told, action: str | None) -> str | None:
    """The status of a row in which nothing goes on."""
    progress, previous = told.progress, told.previous
    if action is None or (row.action == "DELETE" and action != "DELETE"):
        return None
    if row.state == "FAILED":
        # What went on while something else was refused ends all the same.
        went_on = previous is not None and (previous.operation, previous.state) == (progress.operation, "IN_PROGRESS")
        return f"{action}_{progress.state}" if went_on or action == row.action else None
    # What is complete can only be lost. What goes on without Magnum's having asked for it is told when it ends.
    return None if progress.state == "IN_PROGRESS" or action == "DELETE" else f"{action}_{progress.state}"


def _is_reason_ours(row: Row, told: Told) -> bool:
    """Whether the reason of a row that keeps its status came from a report, and not from a refusal."""
    if row.state == "COMPLETE":
        return False
    if row.state == "IN_PROGRESS" or told.is_named:
        return True
    return told.previous is None or told.previous.reason == row.status_reason
