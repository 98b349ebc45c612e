#!/usr/bin/env bash
# bazel run //tools:lint, and the test //tools:lint_test: shellcheck, buildifier's warnings and clang-tidy.
set -euo pipefail
tools=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$tools/workspace.sh"
enter_workspace
need shellcheck

status=0
list_shell | xargs -r shellcheck || status=1
if have_buildifier; then
  # Shell rules are Bazel 7's own; a macro for WORKSPACE has no name.
  list_bazel | xargs -r buildifier -mode=check -lint=warn \
    -warnings=-native-sh-binary,-native-sh-library,-native-sh-test,-unnamed-macro || status=1
fi
"$tools/tidy.sh" || status=1
exit $status
