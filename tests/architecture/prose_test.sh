#!/usr/bin/env bash
# Fails when the comments or pages of a folder have more sentences that are hard to read than prose.txt allows.
set -euo pipefail
source tools/workspace.sh
enter_workspace

at_most() { python3 -B tools/prose/count.py --at-most "$@"; }
at_most tests/architecture/prose.txt || {
  echo "Begin with the subject, and say one idea in a sentence (CONTRIBUTING.md, English). To see the places:" \
    "tools/prose/count.py --list FOLDER"
  exit 1
}

# The test itself sees what is not allowed.
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT
git init -q "$other"
echo "// Of it." >"$other/a.cc"
! at_most tests/architecture/prose.txt --root "$other" >/dev/null || { echo "sees nothing"; exit 1; }
