#!/usr/bin/env bash
# sample.sh EXPORTER GENERATORS...: the first programs of each kind; the sweep has the others.
set -euo pipefail
exec python3 -B "$(dirname "$0")/programs.py" "$1" --count 25
