"""The options of `export` that torch.onnx.export does not have. Made of onnxport/options.h."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class Options(TypedDict, total=False):
    """None, or nothing, is the default."""

    # The ONNX opset; the model has exactly this one. Default: 18, or the newest that the target takes.
    opset: int | None
    # The runtime that will run the model, such as ort-cpu (`exporter targets` lists them). A node that it cannot
    # run is an error.
    target: str | None
    # Report what would not run on the target, but write the model anyway.
    target_notes: bool | None
    # Describe an input as NAME=DTYPE[d0,d1,...]; repeat for each input. An axis without a name keeps the size in
    # the file.
    inputs: Sequence[str] | None
    # Promise the axes of an output: NAME=[d0,d1,...], as in y=[batch,classes] or y=[2*n + 1,?]. Free axes get these
    # names; ? is any free axis. Repeat for each output.
    outputs: Sequence[str] | None
    # Names for the first parameters and buffers, in order; ... as the last one counts on from learned_0.
    parameter_names: Sequence[str] | None
    # Turn calls of an operator into nodes of your own: NS::OP=DOMAIN.NODE. NS::OP(x,factor)=... also names the
    # arguments.
    map: Mapping[str, str] | Sequence[str] | None
    # Turn operators without a spec into nodes of the same name, in a domain named after the namespace.
    fallthrough: bool | None
    # Allow the operators of a domain: com.microsoft. The flag also takes DOMAIN=VERSION, which is the option
    # `domain_versions`.
    domains: Sequence[str] | None
    # The versions of domains that the model imports, for nodes without a schema.
    domain_versions: Mapping[str, int] | None
    # Emit a larger operator of ONNX, such as Attention, wherever it is equivalent. Separate several by commas;
    # `exporter ops --keep` lists them.
    keep: Sequence[str] | None
    # Choose what happens to complex inputs and outputs. as-real: split them into real and imaginary parts, along a
    # last axis of 2; refused: refuse them.
    complex: Literal["refused", "as-real"] | None
    # Take the weights from this safetensors file or saved state_dict, not from the model.
    weights: str | os.PathLike[str] | None
    # Make the weights inputs of the model, after its own, with their names.
    weights_as_inputs: bool | None
    # Store the weights of matrix products as int8, int4[:GROUP], int2[:GROUP], mxfp4 or nvfp4. ,asymmetric behind
    # int4 or int2 gives each group a zero point: int4:64,asymmetric.
    weights_as: str | None
    # Keep this weight or module in float where weights are stored in fewer bits. Repeat for each; * matches any
    # text: 'layers.*.gate'.
    weights_keep: Sequence[str] | None
    # Make each buffer that the model writes to (a static cache) an input, and its new value an output: k and
    # k.next.
    state_as_io: bool | None
    # Compute in float16 or bfloat16 where that is safe. ,io behind it: inputs and outputs have that dtype, too.
    compute_as: str | None
    # Keep this ONNX operator or module in float32 where the model computes in 16 bits. Repeat for each; * matches
    # any text.
    float32: Sequence[str] | None
    # Make each module class a function of the model, with the weights as its inputs; with a list, only these
    # classes.
    functions: bool | Sequence[str] | None
    # `false`: Leave out the module, call and source line of each node, and the name of the source file.
    metadata: bool | None
    # Leave out all simplifications ("all"), so that the weights are those in the file, or some by their names
    # (--disable-pass PASS).
    disabled_passes: Sequence[str] | Literal["all"] | None
    # The method to export (.pt only). Default: forward.
    method: str | None
    # Accept a .pt with code that PyTorch would run while loading. The exporter interprets it and does not run it.
    trust_source: bool | None
    # Other traces of the same model at other sizes (traced .pt only). Axes that differ between the traces become
    # free.
    other_traces: Sequence[Mapping[str, Any]] | None
    # The sizes of the named axes in a trace without recorded inputs.
    traced_sizes: Mapping[str, int] | None
    # The most memory that what the file describes may take. Default: 128 MiB and 32 bytes for each byte of the
    # file, but at least 256 MiB.
    memory_budget: int | None
    # `false`: Do not wait until the files are on the disk. This is faster, but a power cut soon after may damage
    # them.
    sync: bool | None
    # Give up if the work takes longer; 0: never.
    max_seconds: float | None
