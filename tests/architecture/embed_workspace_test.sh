#!/usr/bin/env bash
# examples/embed is a workspace that can be built: a Bazel of its own loads and analyses it, from outside. Nothing is
# compiled; //examples/embed:embed_test compiles, links and runs the same targets here.
set -euo pipefail
source tools/workspace.sh
enter_workspace

cd examples/embed
run() { bazel --output_user_root="$TEST_TMPDIR/bazel" --max_idle_secs=5 "$@"; }
run build --nobuild //...
run shutdown
