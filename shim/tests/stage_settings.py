"""What the tests of several modules go by."""

from __future__ import annotations

from collections.abc import Callable

#: The fixture `set_option`.
SetOption = Callable[..., None]
#: Seconds on a busy machine for what ends after one or two; what is not bounded takes thirty or never ends.
BOUNDED = 15
