#!/usr/bin/env bash
# sweep.sh [OPTION...]: 20,000 programs of each kind, or what the options of programs.py say. `bazel run` starts it among
# its data.
set -euo pipefail
(($#)) || set -- --count 20000
exec python3 -B tests/programs/programs.py "$PWD/exporter" "$@"
