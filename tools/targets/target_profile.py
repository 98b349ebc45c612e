"""Writes a profile of a target (docs/targets.md): which operators it has, with which dtypes."""

import onnx.defs

# The dtypes of onnx.TensorProto.DataType, by the words of the spec language.
DTYPES = {
    "float": "float32",
    "uint8": "uint8",
    "int8": "int8",
    "uint16": "uint16",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "string": "string",
    "bool": "bool",
    "float16": "float16",
    "double": "float64",
    "uint32": "uint32",
    "uint64": "uint64",
    "complex64": "complex64",
    "complex128": "complex128",
    "bfloat16": "bfloat16",
}
# Dtypes of few bits: both use the same names. Those of less than 8 are of weights only.
DTYPES |= {
    word: word
    for word in (
        *("float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0"),
        *("float4e2m1", "uint4", "int4", "uint2", "int2"),
    )
}


def words(types):
    """Returns the dtypes of "tensor(float)" and the like; leaves out sequences and dtypes that the exporter does not
    know."""
    inner = (t[7:-1] for t in types if t.startswith("tensor("))
    return {DTYPES[t] for t in inner if t in DTYPES}


def forms():
    """ONNX's own operators: name -> their schemas, oldest first; deprecated ones are None."""
    found = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            found.setdefault(schema.name, []).append(schema)
    return {name: sorted(schemas, key=lambda s: s.since_version) for name, schemas in sorted(found.items())}


def ordered(dtypes):
    return [word for word in DTYPES.values() if word in dtypes]


def text(head, rows):
    """`rows`: (operator, since, {type variable: dtypes}): any dtypes of other variables; "none": it is not there. A
    condition of another kind is a text."""
    lines = [*head, "operators:"]
    last = None
    for name, since, kinds in rows:
        if name != last:
            lines.append(f"  {name}:")
        last = name
        if kinds == "none":
            lines.append(f"    {since}: none")
            continue
        said = {key: value if isinstance(value, str) else f"[{', '.join(ordered(value))}]" for key, value in kinds.items()}
        inner = ", ".join(f"{key}: {value}" for key, value in said.items())
        lines.append(f"    {since}: {{{inner}}}")
    return "\n".join(lines) + "\n"
