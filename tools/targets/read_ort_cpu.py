#!/usr/bin/env python3
"""read_ort_cpu.py FILE: writes spec/targets/ort-cpu.yaml anew, from the kernels that the installed ONNX Runtime lists.

A node runs if a kernel for its form takes its dtypes. ONNX Runtime has two more ways. A node of float16 without a
kernel runs in float32 between casts. A node that no kernel takes runs as the function that ONNX's schema has. The
model's opset decides whether the nodes of that function run, so this is tried with a sample of the operator.
"""

import datetime
import pathlib
import sys

import onnxruntime
import target_profile
from onnxruntime.capi import onnxruntime_pybind11_state as ort
from samples import runs, variable_of

FIRST = 7
FOR_EVER = 2**31 - 1


def kernels_of(kernels, name, since):
    """Those that ONNX Runtime takes for the form (KernelRegistry::VerifyKernelDef)."""
    for kernel in kernels.get(name, ()):
        first, last = kernel.version_range
        if first == since or (first < since and last != FOR_EVER and since <= last):
            yield kernel


def kinds_of(schema, kernels):
    """Type variable -> dtypes of some kernel, where that is not all that the schema has."""
    kinds = {}
    for constraint in schema.type_constraints:
        allowed = target_profile.words(constraint.allowed_type_strs)
        ports = [p.name for p in [*schema.inputs, *schema.outputs] if p.type_str == constraint.type_param_str]
        taken = set()
        for kernel in kernels:
            said = [kernel.type_constraints[n] for n in [constraint.type_param_str, *ports] if n in kernel.type_constraints]
            taken |= target_profile.words(t for types in said for t in types) if said else allowed
        if "float32" in taken:
            taken.add("float16")
        if not allowed <= taken:
            kinds[constraint.type_param_str] = allowed & taken
    return kinds


def tried(schema, opset):
    """The same of an operator that may run as a function, by running it with each dtype."""
    variable = variable_of(schema)
    constraint = next(c for c in schema.type_constraints if c.type_param_str == variable)
    allowed = target_profile.words(constraint.allowed_type_strs)
    taken = {dtype for dtype in allowed if runs(schema.name, dtype, opset)}
    return {} if allowed <= taken else {variable: taken} if taken else "none"


def claims(kernels, schema, opset):
    if schema.name == "Constant":
        return {}  # made an initializer, so no kernel is needed
    if schema.name == "SequenceMap":
        return {}  # made of other nodes, whatever its body is
    found = list(kernels_of(kernels, schema.name, schema.since_version))
    if not (schema.has_function or schema.has_context_dependent_function):
        return kinds_of(schema, found) if found else "none"
    return tried(schema, opset)


def rows(kernels, newest):
    for name, schemas in target_profile.forms().items():
        last = "none"
        for opset in range(FIRST, newest + 1):
            # The nodes of a function depend on the opset, too.
            known = [schema for schema in schemas if schema.since_version <= opset and not schema.deprecated]
            kinds = claims(kernels, known[-1], opset) if known else "none"
            if kinds != last:
                yield name, opset, kinds
            last = kinds


def main():
    kernels = {}
    for kernel in ort.get_all_opkernel_def():
        if kernel.domain == "" and kernel.provider == "CPUExecutionProvider":
            kernels.setdefault(kernel.op_name, []).append(kernel)
    newest = max(schema.since_version for schema in ort.get_all_operator_schema() if schema.domain == "")
    head = [
        "# Written by tools/targets/read_ort_cpu.py.",
        "title: ONNX Runtime on CPU",
        f"source: the kernels of onnxruntime {onnxruntime.__version__}, as it lists them",
        f"date: {datetime.date.today()}",
        f"opsets: {FIRST}..{newest}",
    ]
    text = target_profile.text(head, rows(kernels, newest))
    pathlib.Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
