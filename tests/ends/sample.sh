#!/usr/bin/env bash
# sample.sh EXPORTER: some calls of each table at some opsets; the sweep has the others.
set -euo pipefail
here=$(dirname "$0")
python3 -B "$here/ends.py" "$1" integers --few --one-of 60
python3 -B "$here/ends.py" "$1" zeros --one-of 10
