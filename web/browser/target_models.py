"""target_models.py PROFILE OTHER SAMPLES.py: makes models of one node each, for operators, dtypes and opsets, and
whether the profile claims that its target runs them. OTHER is the profile that it is like. As JSON: [{"name",
"claimed", "model" (base64)}]."""

import base64
import json
import os
import sys

import onnx
import yaml

profile, other = (yaml.safe_load(open(name, encoding="utf-8")) for name in sys.argv[1:3])
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[3])))
from samples import BITS, SAMPLES, model, variable_of  # noqa: E402
from target_profile import words  # noqa: E402

FIRST, LAST = (int(number) for number in profile["opsets"].split(".."))
OPERATORS = other["operators"] | profile["operators"]
# In JavaScript.
NO_TENSORS = {"bfloat16", "complex64", "complex128"} | {
    *("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0", "float4e2m1"),
}


def claimed(op, opset, variable, dtype):
    """Returns whether the target runs it, according to the profile."""
    known = [since for since in OPERATORS.get(op, {}) if since <= opset]
    if not FIRST <= opset <= LAST or not known:
        return False
    kinds = OPERATORS[op][max(known)]
    return kinds != "none" and dtype in kinds.get(variable, [dtype])


def rows():
    """See above."""
    for op in SAMPLES:
        # One dtype is enough for the last opset and the one behind it; some dtypes of few bits are new there.
        for opset in [13, 18, 22, LAST, LAST + 1]:
            if not onnx.defs.has(op, opset) or onnx.defs.get_schema(op, opset).deprecated:
                continue
            schema = onnx.defs.get_schema(op, opset)
            variable = variable_of(schema)
            allowed = next(c for c in schema.type_constraints if c.type_param_str == variable).allowed_type_strs
            dtypes = words(allowed) - NO_TENSORS
            for dtype in sorted(dtypes if opset < LAST else dtypes & {"float32", *BITS}):
                name = f"{op} of {dtype} at opset {opset}"
                text = base64.b64encode(model(op, dtype, opset, as_weight=dtype in BITS)).decode()
                yield {"name": name, "claimed": claimed(op, opset, variable, dtype), "model": text}


json.dump(list(rows()), sys.stdout)
