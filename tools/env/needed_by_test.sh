#!/usr/bin/env bash
# needed_by_test.sh DEPS NAME=PACKAGE...: tools/env/needed_by against a table; and what it stands on: the core packages of
# packages.txt have every library that //:exporter is built from. DEPS is its dependencies, one label a line.
set -euo pipefail

deps=$1
env=tools/env
fail() { echo "FAILED: $*" && exit 1; }

# expect ANSWER ARGUMENTS...
expect() {
  local answer
  answer=$("$env/needed_by" "${@:2}")
  [[ $answer == "$1" ]] || fail "needed_by ${*:2}: $answer, and $1 is right"
}

expect core
expect core --version
expect core info release
expect core clean --expunge
expect core build //:exporter
expect core build --jobs=2 //:exporter //:onnxport
expect core --output_base=/tmp/x build //:exporter
expect core build --config=release //:exporter
expect core build //release:all //release:exporter-linux-aarch64
expect core build //web:exporter_wasm
expect core build //web:page
expect core run //:exporter -- export //x.pt2 -o y.onnx
expect core run //:exporter export x.pt2
expect core run //codegen -- --show aten::relu

expect all test //:exporter
expect all coverage //:exporter
expect all query //:exporter
expect all build
expect all build //...
expect all build //:exporter //:exporter-verify
expect all build //:onnxport_torch
expect all build //:exporter -- //tests/...
expect all build //examples/...
expect all build //release/...
expect all build //web/browser:models
expect all test //web/browser:all_tests
expect all test //web:all_tests
expect all build //release:exporter-linux-x86_64_file_test
expect all build --target_pattern_file=targets.txt
expect all build -c opt //:exporter  # `opt` could be a target
expect all build exporter
expect all run //tools:format
expect all run //tests/golden:update
expect all run

# Every package is of the core or is not: no other word, and no list is empty.
grep -Ev '^(#.*)?$|^[a-z0-9.+-]+( +# core)?$' "$env/packages.txt" && fail "packages.txt: not PACKAGE or PACKAGE # core"
core=" $(sed -n 's/ *# core$//p' "$env/packages.txt" | paste -sd' ') "
[[ $core == *' bazel-bootstrap '* && $core == *' g++ '* ]] || fail "no Bazel or no compiler among the core packages:$core"
[[ $core != *torch* ]] || fail "PyTorch among the core packages:$core"
found=0
for library in "${@:2}"; do
  grep -Eq "^@+([^/]*[~+])?${library%%=*}//" "$deps" || continue
  found=$((found + 1))
  for package in ${library#*=}; do
    [[ $core == *" $package "* ]] || fail "//:exporter needs @${library%%=*}, and $package is not marked \`# core\`"
  done
done
((found >= 5)) || fail "//:exporter needs $found libraries only: are these its dependencies? $(head -n 3 "$deps")"
echo PASSED
