"""Looks at the variables of a program while plain Python runs it, before anything else does."""

import sys

import torch


class Met(Exception):
    pass


def meets(source, args, wanted, most_lines=5000):
    """Returns whether a run passes variables for which `wanted` is true, or has more lines than that."""
    lines = 0

    def watch(frame, event, arg):
        nonlocal lines
        lines += 1
        if lines > most_lines or wanted(frame.f_locals.values()):
            raise Met
        return watch

    scope = {"torch": torch, "Tensor": torch.Tensor}
    exec(source, scope)  # our own text
    before = sys.gettrace()
    sys.settrace(lambda frame, event, arg: watch if frame.f_code is scope["forward"].__code__ else None)
    try:
        scope["forward"](*args)
    except Met:
        return True
    except Exception:  # whatever the program raises
        return False
    finally:
        sys.settrace(before)
    return False
