#!/usr/bin/env bash
# sweep.sh [OPTION...]: 20,000 programs of each kind, or what the options of programs.py say.
set -euo pipefail
here=$(dirname "$0")
(($#)) || set -- --count 20000
exec python3 -B "$here/programs.py" "$here/../../exporter" "$@"
