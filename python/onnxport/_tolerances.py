"""Generated from runtime/verify/report/tolerances.txt by `./bazelw run //docs:update`."""

TOLERANCES = {  # relative, absolute
    "float64": (1e-6, 1e-8),
    "float32": (1e-3, 1e-5),
    "float16": (1e-2, 1e-3),
    "bfloat16": (5e-2, 1e-2),
}
