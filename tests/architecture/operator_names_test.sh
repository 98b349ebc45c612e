#!/usr/bin/env bash
# Fails when C++ outside the files of operator_names.txt names an operator of PyTorch.
set -euo pipefail
source tools/workspace.sh
enter_workspace

here=tests/architecture
mapfile -t sources < <(list_cpp | grep -E '^(runtime|codegen)/' | grep -Ev '_test\.cc$|^runtime/testing/')
((${#sources[@]} > 200)) || { echo "only ${#sources[@]} sources: the list is wrong"; exit 1; }
names() { awk -f $here/operator_names.awk -v allowed="$1" spec/*_schemas.txt "${@:2}"; }

names $here/operator_names.txt "${sources[@]}" || {
  echo "Say it as a trait in the operator's entry (spec/README.md, Traits), or add the file with its reason to" \
    "$here/operator_names.txt."
  exit 1
}

# The test itself sees what it should, and nothing else.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
seen() { names /dev/null "$folder/a.cc" >/dev/null && return 1 || return 0; }
for code in 'if (op == "aten::relu") {' 'Call("aten::slice_scatter", x);' $'{"relu", "abs",\n "sin", "cos"}'; do
  echo "$code" >"$folder/a.cc"
  seen || { echo "not seen: $code"; exit 1; }
done
for code in '// "aten::relu"' 'op.starts_with("aten::")' '{"relu", "abs"}' 'f("relu"); f("abs"); f("sin"); f("cos");'; do
  echo "$code" >"$folder/a.cc"
  ! seen || { echo "seen: $code"; exit 1; }
done
