#!/usr/bin/env bash
# tools/env/installed against an environment of three packages: what differs from the record is counted and listed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*" && exit 1; }

cp tools/env/installed "$folder/installed"
printf 'g++  # core\nlibfmt-dev\n' >"$folder/packages.txt"
printf '#!/bin/sh\nprintf "bash\\t5.3-4\\ng++\\t4:16.1.0-3\\nlibfmt-dev:amd64\\t11.1.4\\n"\n' >"$folder/in"
mkdir -p "$folder"/env/root/usr/local/lib/python3.14/dist-packages/onnx_ir-1.1.0.dist-info
chmod +x "$folder/in"

# differs RECORD...: prints what `diff` prints
differs() {
  printf '%s\n' '# a comment' "$@" >"$folder/installed.txt"
  "$folder/installed" diff "$folder/env"
}

[[ $("$folder/installed" list "$folder/env" | tail -n 1) == 'python:onnx_ir 1.1.0' ]] || fail "list: the last line is not that of the Python index"
same=('bash 5.3-4' 'g++ 4:16.1.0-3' 'libfmt-dev 11.1.4' 'python:onnx_ir 1.1.0')
[[ -z $(differs "${same[@]}") ]] || fail "nothing differs: $(differs "${same[@]}")"
[[ -z $("$folder/installed" advice "$folder/env") ]] || fail "advice where nothing differs"
# The record has all packages, an environment perhaps the core ones only.
[[ -z $(differs "${same[@]}" 'libtorch-dev 2.14.1') ]] || fail "a package of the record that is not here"

found=$(differs 'bash 5.3-3' 'g++ 4:15.2.0-1' 'libfmt-dev 11.1.4')
expected=$'bash 5.3-4 5.3-3\ng++ 4:16.1.0-3 4:15.2.0-1\npython:onnx_ir 1.1.0 absent'
[[ $found == "$expected" ]] || fail "diff: $found"
if [[ $(uname -m) == x86_64 ]]; then
  advice=$("$folder/installed" advice "$folder/env")
  [[ $advice == *' 3 packages differ '*'g++: 4:16.1.0-3 here, 4:15.2.0-1 there'* && $advice != *$'\n'* ]] || fail "advice: $advice"
fi
echo PASSED
