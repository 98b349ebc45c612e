#!/usr/bin/env bash
# Targets that commands on the pages name are there: a Bazel of its own loads them.
set -euo pipefail
source tools/workspace.sh
enter_workspace
source tests/architecture/own_bazel.sh

mapfile -t labels < <(python3 -B -m docs.blocks.labels)
((${#labels[@]} > 30)) || { echo "only ${#labels[@]} targets"; exit 1; }
run query "set(${labels[*]})" >/dev/null || { echo "a page names a target that there is not: see above"; exit 1; }
! run query 'set(//:exporter //:no_such_target)' >/dev/null 2>&1 || { echo "a target that there is not goes unseen"; exit 1; }
run shutdown
