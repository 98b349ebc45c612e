#!/usr/bin/env bash
# Fails when a file of the runtime or the generator includes something from a folder above its own in folders.txt.
set -euo pipefail
source tools/workspace.sh
enter_workspace

here=tests/architecture
mapfile -t sources < <(list_cpp | grep -E '^(runtime|codegen)/' | grep -Ev '_test\.cc$|^runtime/testing/')
((${#sources[@]} > 200)) || { echo "only ${#sources[@]} sources: the list is wrong"; exit 1; }
check() { awk -f $here/folders.awk $here/folders.txt "$@"; }

check "${sources[@]}" || {
  echo "Move what both need down, or the caller up; a new folder gets a line in $here/folders.txt."
  exit 1
}

# The test itself sees what it should, and nothing else.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/tree/runtime/ir" "$folder/tree/runtime/new" "$folder/tree/codegen/load"
seen() { ! check "$folder/tree/$1" >/dev/null; }
echo '#include "runtime/trace/tracer.h"' >"$folder/tree/runtime/ir/a.cc"
seen runtime/ir/a.cc || { echo "an arrow that runs back is not seen"; exit 1; }
echo '#include "runtime/base/error.h"' >"$folder/tree/runtime/ir/a.cc"
! seen runtime/ir/a.cc || { echo "an arrow that runs down is seen"; exit 1; }
echo '#include "runtime/base/error.h"' >"$folder/tree/runtime/new/a.cc"
seen runtime/new/a.cc || { echo "a folder that is not in the list is not seen"; exit 1; }
echo '#include "codegen/emit/cpp.h"' >"$folder/tree/codegen/load/a.cc"
seen codegen/load/a.cc || { echo "an arrow of the generator that runs back is not seen"; exit 1; }
printf '%s\n' runtime/a/b runtime/c runtime/a/d >"$folder/apart.txt"
echo '#include "runtime/c/c.h"' >"$folder/tree/runtime/ir/a.cc"
said=$(awk -f $here/folders.awk "$folder/apart.txt" "$folder/tree/runtime/ir/a.cc" || true)
[[ $said == *"runtime/a/d stands apart"* ]] || {
  echo "a group that does not stand together is not seen"
  exit 1
}
