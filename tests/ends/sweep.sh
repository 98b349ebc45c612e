#!/usr/bin/env bash
# sweep.sh EXPORTER: all calls of all tables at all opsets.
set -euo pipefail
exec python3 -B "$(dirname "$0")/ends.py" "$1" integers zeros float8
