"""Text of the files that options name."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

#: Bytes. A request to a function may have 1 MiB in all.
LARGEST_FILE = 512 * 1024


def read_option_file(path: str) -> str:
    """The text of a file. Anything but a regular file is refused unopened, since opening a pipe waits for its writer.

    :raises OSError: it cannot be read, is no regular file, too large or no UTF-8; `filename` and `strerror` are set.
    """
    try:
        found = os.stat(path)
    except ValueError:
        raise OSError(errno.EINVAL, "its name cannot be one", path) from None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", path)
    if found.st_size > LARGEST_FILE:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST_FILE} bytes", path)
    try:
        return Path(path).read_bytes().decode()
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8", path) from None
