"""An exported model."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _library, _show
from ._archive import Pieces
from ._errors import usage_error
from ._kin import with_theirs
from ._text import visible, visible_lines
from ._values import Difference, Example, Port, State


class Model:
    """A model that can be exported, with its options.

    It holds the module's tensors, not the bytes of an ONNX file. The bytes are made anew each time that it is saved or
    first run, from the current values of the tensors. That takes milliseconds, and the time to write the weights.

    It is a torch.onnx.ONNXProgram, too, if torch.onnx is imported.
    """

    def __new__(cls, *_: Any, **__: Any) -> Model:
        return super().__new__(with_theirs(cls, "ONNXProgram") if cls is Model else cls)

    def __init__(
        self,
        source: str | Pieces,
        options: dict[str, Any],
        *,
        name: str | None = None,
        output: str | None = None,
        progress: _library.Progress | None = None,
        remarks: Sequence[str] = (),
        example: Example | None = None,
        exported_program: Any = None,
        owner: Any = None,
    ):
        self._source = source
        self._options = options
        self._name = name
        self._progress = progress
        self._remarks = [visible_lines(remark) for remark in remarks]
        self._example = example
        self._owner = owner
        self._session: Any = None
        self._edited: Any = None  # the model as something that the caller may have changed
        self.exported_program = exported_program
        self.report: dict[str, Any] = self._run(output=output)[0]

    def _run(self, changes: dict[str, Any] | None = None, **kwargs: Any) -> tuple[dict[str, Any], bytes]:
        options = self._options | (changes or {})
        return _library.export(self._source, options, name=self._name, progress=self._progress, **kwargs)

    def __repr__(self) -> str:
        ports = [f"{visible(port.name)}: {port.dtype}{list(port.shape or ())}" for port in self.inputs + self.outputs]
        cut = len(self.inputs)
        return f"onnxport.Model(({', '.join(ports[:cut])}) -> ({', '.join(ports[cut:])}), opset {self.opset})"

    def _repr_html_(self) -> str:
        return _show.table(self.report, self.inputs, self.outputs, self.remarks)

    @property
    def opset(self) -> int:
        """The version of ONNX's operators."""
        return self.report["options"]["opset"]

    @property
    def inputs(self) -> list[Port]:
        """The inputs, in their order."""
        return [_port(port) for port in self.report["inputs"]]

    @property
    def outputs(self) -> list[Port]:
        """The outputs, in their order."""
        return [_port(port) for port in self.report["outputs"]]

    @property
    def state(self) -> list[State]:
        """The state of a model that was exported with `state_as_io`, in the order of its inputs."""
        return [State(s["input"], s["output"], s["dtype"], tuple(s["shape"]), s.get("first_value"))
                for s in self.report.get("state", [])]  # fmt: skip

    @property
    def remarks(self) -> list[str]:
        """Differences between the model and the program, sizes for which it may be wrong, and how the program was
        captured."""
        warnings = [warning["text"] for warning in self.report.get("warnings", [])]
        return self._remarks + warnings + self.report.get("remarks", [])

    # ---- writing

    def save(
        self,
        destination: str | os.PathLike[str],
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool | None = None,
        external_data: bool | str | None = None,
    ) -> Model:
        """Writes the file, and perhaps a data file beside it: each appears complete or not at all.

        include_initializers: False makes the weights inputs of the model.
        keep_initializers_as_inputs: True lists the weights among the inputs, too.
        external_data: True for a data file, False for none, or "auto", "always", "never" or "safetensors"."""
        changes: dict[str, Any] = {}
        if not include_initializers:
            changes["weights_as_inputs"] = True
        if keep_initializers_as_inputs is not None:
            changes["keep_initializers_as_inputs"] = keep_initializers_as_inputs
        if external_data is not None:
            changes["external_data"] = external_data_word(external_data)
        self._write(os.fspath(destination), changes)
        return self

    def _write(self, path: str, changes: dict[str, Any]) -> None:
        if self._edited is None:
            self.report = self._run(changes, output=path)[0]
        else:
            source = self._source if isinstance(self._source, str) else None
            self._edited.save(path, self._options | changes, source)

    def to_bytes(self) -> bytes:
        """The file with its weights within; ExportError above 2 GiB, which is all that it can hold."""
        if self._edited is not None:
            return self._edited.proto().SerializeToString()
        return self._run({"external_data": "auto"}, to_bytes=True)[1]

    @property
    def model_proto(self) -> Any:
        """An onnx.ModelProto with all weights."""
        import onnx

        return onnx.ModelProto.FromString(self.to_bytes())

    @property
    def model(self) -> Any:
        """An onnx_ir.Model, as ONNXProgram has it. Once it is asked for it is what is saved and run, so that it may be
        changed."""
        if self._edited is None:
            from ._edited import Edited

            self._edited = Edited.of(lambda path: self._write(path, {"external_data": "auto"}))
        return self._edited.model

    @model.setter
    def model(self, changed: Any) -> None:
        from ._edited import Edited

        self._edited = Edited(changed)
        self._session = None

    def optimize(self) -> None:
        """There for programs that call it: the model is simplified already."""

    def rename_axes(self, names: Mapping[Any, str]) -> None:
        """Calls axes otherwise: keys are names, or dimensions of `model`."""
        self.model  # noqa: B018  # from now on that is what is saved
        self._edited.rename_axes({str(getattr(old, "value", old)): new for old, new in names.items()})
        self._session = None

    def apply_weights(self, state_dict: Mapping[str, Any]) -> None:
        """The model has these weights from now on, also one that was exported without (`export_params=False`), from
        fake ones."""
        from . import _program

        if self.exported_program is None or self._edited is not None:
            raise usage_error("apply_weights: for what torch.export has captured, and before `model` is changed; "
                              "export the module with its new weights instead")  # fmt: skip
        self._source = _program.pieces_of(self.exported_program, state_dict)
        self._options.pop("weights_as_inputs", None)
        self._example = None  # a module with other weights
        self._session = None

    # ---- running

    def initialize_inference_session(self, initializer: Callable[[str], Any] | None = None) -> Any:
        """The onnxruntime.InferenceSession that calls use; `initializer` makes one of the path of a file."""
        if self._session is None or initializer is not None:
            self._session = self._open_session(initializer or self._default_session)
        return self._session

    def _open_session(self, initializer: Callable[[str], Any]) -> Any:
        with tempfile.TemporaryDirectory(prefix="onnxport-") as folder:
            path = os.path.join(folder, "model.onnx")
            self._write(path, {"external_data": "auto"})
            return initializer(path)

    def _default_session(self, model: str | bytes) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        if self._options.get("training"):  # its optimiser drops dropout
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def release(self) -> None:
        """Gives back what calls have loaded."""
        self._session = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of ONNX Runtime, as tensors, in a tuple."""
        from . import _run

        return _run.run(self.initialize_inference_session(), self._given(args, kwargs))

    def call_reference(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of ONNX's own evaluator, in Python."""
        from . import _run

        return _run.run_reference(self.model_proto, self._given(args, kwargs))

    def compute_values(self, value_names: Sequence[str], args: Any = (), kwargs: Any = None) -> Any:
        """These values of the model, from ONNX Runtime."""
        from . import _run

        proto = _run.with_outputs(self.model_proto, value_names)
        return _run.run(self._default_session(proto.SerializeToString()), self._given(args, kwargs or {}))

    def _given(self, args: Any, kwargs: Mapping[str, Any], **more: Any) -> Any:
        from . import _pairing

        return _pairing.Given(args, kwargs, self._example if _pairing.is_known(self._example) else None, **more)

    def _run_as_module(self, args: Any, kwargs: Mapping[str, Any], state: Sequence[Any] = ()) -> Any:
        """A call that the module takes, too, with the state that it then has."""
        from . import _run

        given = self._given(args, kwargs, state=state, of_module=True)
        return _run.run(self.initialize_inference_session(), given)

    def verify(
        self, *args: Any, rtol: float | None = None, atol: float | None = None, kwargs: dict[str, Any] | None = None
    ) -> list[Difference]:
        """Compares the model with PyTorch: runs both and returns how far each output is from PyTorch's.

        The arguments are these or those of the export. Both are also run with other sizes of the free axes that the
        module takes. Outputs are equal by the rules of `exporter verify`: by the dtype, unless `rtol` or `atol` says
        otherwise. The module runs in the mode that was exported; its mode, its buffers and the state of random numbers
        are restored. With state each runs three times and continues from the state that it has written."""
        example = self._example
        if example is None or example.call is None:
            raise usage_error("verify: no module is known that has the weights of this model, as it was exported from "
                              "a file, or given others")  # fmt: skip
        others = example.others(example.leaves) if not args and kwargs is None else ()
        if not args and kwargs is None:
            args, kwargs = example.args, example.kwargs
        from . import _compare, _verify

        tolerances = _compare.Given(rtol, atol)
        return _verify.verify(self, example, [("", (args, kwargs or {}))], others, tolerances)


def external_data_word(value: bool | str) -> str:
    """True and False are torch.onnx's."""
    return value if isinstance(value, str) else "always" if value else "never"


def _port(port: dict[str, Any]) -> Port:
    shape = port.get("shape")
    return Port(port["name"], port["dtype"], None if shape is None else tuple(shape), port.get("sequence", False))
