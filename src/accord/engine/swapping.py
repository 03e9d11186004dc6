"""Names of the disk that change places in one step, or are taken only where nothing has them: calls Python has not."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

SWAP = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
FREE = {"linux": 1, "darwin": 4}  # RENAME_NOREPLACE, RENAME_EXCL
HERE = {"linux": -100, "darwin": -2}  # AT_FDCWD: names are told from the folder that the process is in
CALLED = {"linux": "renameat2", "darwin": "renameatx_np"}
UNABLE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)  # an old system, or a disk that cannot


def swapped(one: Path, other: Path) -> bool:
    """Let two files or folders of one disk change places at once; False where this machine cannot, and nothing is done.

    Raises:
        OSError: If it can, and they could not.
    """
    return _renamed(one, other, SWAP)


def moved_to_free(one: Path, other: Path) -> bool:
    """Give a file or a folder a name that nothing has; False where this machine cannot, and nothing is done.

    Raises:
        FileExistsError: If something has that name.
        OSError: If it can, and could not.
    """
    return _renamed(one, other, FREE.get(sys.platform, 0))


def _renamed(one: Path, other: Path, how: int) -> bool:
    if sys.platform not in CALLED:
        return False
    here = HERE[sys.platform]
    try:
        call = getattr(ctypes.CDLL(None, use_errno=True), CALLED[sys.platform])
    except (OSError, AttributeError):
        return False
    if call(here, os.fsencode(one), here, os.fsencode(other), ctypes.c_uint(how)) == 0:
        return True
    why = ctypes.get_errno()
    if why in UNABLE:
        return False
    raise OSError(why, os.strerror(why), str(one), None, str(other))
