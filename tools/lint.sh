#!/usr/bin/env bash
# lint.sh CHECKED REPORT...: bazel run //tools:lint, and the test //tools:lint_test. Shellcheck, buildifier's warnings, and
# what clang-tidy has found: Bazel makes the reports (tools/tidy.bzl), and CHECKED lists the sources that they are about.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/workspace.sh"
status=0
checked=$(cat "$1")

for report in "${@:2}"; do
  [[ ! -s $report ]] || { cat "$report" && status=1; }
done

enter_workspace
need clang-tidy
need shellcheck
# A library that no root of //tools:tidy reaches would go unchecked. Only //web compiles the sources for WebAssembly.
forgotten=$(list_cpp | grep -E '^(codegen|onnxport|runtime)/.*\.cc$' | grep -Ev '_(test|wasm)\.cc$' | grep -Fxv "$checked" || true)
[[ -z $forgotten ]] || { echo "not reached by the roots of //tools:tidy:" "$forgotten" && status=1; }

# A header is read with the source of its name (tools/tidy.bzl), which so shows that it compiles alone.
for source in $(list_cpp | grep '\.cc$'); do
  header=${source%.cc}.h
  if [[ -f $header ]] && ! grep -m 1 '^#include' "$source" | grep -qF "\"$header\""; then
    echo "$source: the first include is not $header" && status=1
  fi
done

list_shell | xargs -r shellcheck || status=1
if have_buildifier; then
  # A macro for WORKSPACE has no name.
  list_bazel | xargs -r buildifier -mode=check -lint=warn -warnings=-unnamed-macro || status=1
fi
exit $status
