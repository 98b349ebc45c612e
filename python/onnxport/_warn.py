"""Warnings that name the line of the user's call, whichever part of the package has noticed something."""

from __future__ import annotations

import os
import sys
import warnings

from ._text import visible_lines

_FOLDER = os.path.dirname(__file__) + os.sep


def warn(message: str) -> None:
    depth = level = 1
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.startswith(_FOLDER):
            level = depth + 1  # who has called this
        frame, depth = frame.f_back, depth + 1
    warnings.warn(visible_lines(message), stacklevel=level)
