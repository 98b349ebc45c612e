#!/usr/bin/env bash
# bazel run //tools:format formats the workspace; with --check (//tools:format_test) it only says what is not formatted.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/workspace.sh"
enter_workspace
need clang-format

clang_format=(clang-format -i)
buildifier_mode=fix
if [[ ${1:-} == --check ]]; then
  clang_format=(clang-format --dry-run --Werror --ferror-limit=1)
  buildifier_mode=check
fi

status=0
list_cpp | xargs -r "${clang_format[@]}" || status=1
if have_buildifier; then
  list_bazel | xargs -r buildifier -mode="$buildifier_mode" || status=1
fi
[[ $status == 0 ]] || echo "not formatted; to format: ./bazelw run //tools:format" >&2
exit $status
