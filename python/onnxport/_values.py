"""Facts about a model and about a comparison, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ._text import visible


@dataclass(frozen=True)
class Port:
    """An input or output: its axes are numbers, names or expressions of names; None where even the rank is unknown."""

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None
    is_sequence: bool = False


@dataclass(frozen=True)
class State:
    """A value that a run takes and gives anew: `output` is the `input` of the next run. The first value is that of the
    module's buffer `first_value`; None: an argument of the module, which writes to it."""

    input: str
    output: str
    dtype: str
    shape: tuple[int | str, ...]
    first_value: str | None


@dataclass(frozen=True)
class Difference:
    """How far an output of the ONNX model is from PyTorch's."""

    output: str
    max_abs: float
    max_rel: float
    ok: bool
    reason: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", visible(self.reason))


@dataclass(frozen=True)
class Example:
    """The origin of a model: the function that was exported, and a call of it."""

    call: Callable[..., Any] | None
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    leaves_of: Callable[..., list[Any]]  # of the arguments of a call, with their paths
    leaves: list[Any]
    others: Callable[[list[Any]], Any]  # calls with other sizes of the free axes, and what these are
    modes: Mapping[Any, bool] = field(default_factory=dict)  # that were exported, of all modules in it
    autocast: Mapping[str, Any] = field(default_factory=dict)  # of the caller, by device
    takes: list[tuple[str, ...]] = field(default_factory=list)  # the paths of the inputs, in their order


class Runnable(Protocol):
    """The part of a model that comparisons read."""

    @property
    def outputs(self) -> list[Port]: ...

    @property
    def state(self) -> list[State]: ...

    def _run_as_module(self, args: Any, kwargs: Mapping[str, Any], state: Sequence[Any] = ()) -> Any: ...
