"""What the rooms of the passes have in common."""

# No product is added without being rounded: what is computed of weights must be the same on every machine.
EXACT_FLOATS = ["-ffp-contract=off"]
