"""Prints docs/options.md: the options that an installed shim brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnum_capi_functions.options import list_opts

if TYPE_CHECKING:
    from oslo_config.cfg import Opt

OWN_GROUP = "capi_functions"
UNUSED = "Accepted and not used."
PAGE = """\
# Options in magnum.conf

What the driver and the listener read of Magnum's configuration; [install.md](install.md) says what has to be set. This
page is generated from `shim/magnum_capi_functions/options.py`.

## [capi_functions]

{own}

## Other groups

They are those of magnum-cluster-api, and are made known where no other package does so.

{others}

Accepted and not used: {unused}.
"""


def row(name: str, option: Opt) -> str:
    text = (option.help or "").replace("<", "&lt;")
    return f"| `{name}` | {shown(option.default)} | {text} |"


def shown(default: object) -> str:
    if default in (None, ""):
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def table(options: list[tuple[str, Opt]]) -> str:
    rows = [row(name, option) for name, option in options]
    return "\n".join(["| option | default | meaning |", "|---|---|---|", *rows])


def main() -> None:
    groups = dict(list_opts())
    own = [(option.name, option) for option in groups.pop(OWN_GROUP)]
    others = [(f"[{group}] {option.name}", option) for group, options in groups.items() for option in options]
    used = [(name, option) for name, option in others if option.help != UNUSED]
    unused = ", ".join(f"`{name}`" for name, option in others if option.help == UNUSED)
    print(PAGE.format(own=table(own), others=table(used), unused=unused), end="")


main()
