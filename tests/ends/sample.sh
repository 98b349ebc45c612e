#!/usr/bin/env bash
# sample.sh EXPORTER: some calls of each table at some opsets; the sweep has the others.
set -euo pipefail
exec python3 -B "$(dirname "$0")/ends.py" "$1" integers zeros float8 --few --one-of 60
