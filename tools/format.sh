#!/usr/bin/env bash
# bazel run //tools:format formats the workspace; with --check (//tools:format_test) it only says what is not formatted.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/workspace.sh"
codegen=$PWD/codegen/codegen
enter_workspace
need clang-format

clang_format=(clang-format -i)
buildifier_mode=fix
spec_format=("$codegen" --format --workspace .)
if [[ ${1:-} == --check ]]; then
  clang_format=(clang-format --dry-run --Werror --ferror-limit=1)
  buildifier_mode=check
  spec_format+=(--check)
fi

status=0
list_cpp | xargs -r "${clang_format[@]}" || status=1
# clang-format leaves comments as they are.
wide=$(list_cpp | LC_ALL=C.UTF-8 xargs -r grep -HnE '^ *//.{118}' | LC_ALL=C.UTF-8 grep -E ':[0-9]+:.{121}' || true)
[[ -z $wide ]] || { echo "comments of more than 120 columns:" && echo "$wide" && status=1; } >&2
"${spec_format[@]}" || status=1
if have_buildifier; then
  list_bazel | xargs -r buildifier -mode="$buildifier_mode" || status=1
fi
[[ $status == 0 ]] || echo "not formatted; to format: ./bazelw run //tools:format" >&2
exit $status
