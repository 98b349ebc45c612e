#!/usr/bin/env bash
# example_workspaces_test.sh [run]: checks that a user can build the examples from outside. These are the examples with
# a MODULE.bazel, and a workspace with the code of docs/c.md, docs/cpp.md and docs/rules.md. A Bazel of its own loads and
# analyses each, as modules. It does so with WORKSPACE for the examples and for docs/rules.md.
#
# The parts of the examples that do not need onnxport are built. With `run` all of it is: compiled, linked, and their
# tests run. The paths of onnxport's files differ from those in its own workspace, so each file is compiled once more
# (half an hour on two cores).
set -euo pipefail
source tools/workspace.sh
enter_workspace
source tests/architecture/own_bazel.sh
onnxport=$PWD

modules=(--lockfile_mode=off --enable_bzlmod --noenable_workspace)
workspaces=(--noenable_bzlmod --enable_workspace)

# Absent libraries load as well: the repository says that nothing can be built with them.
(
  unset TORCHAO_ROOT LIBTORCH_2_13_ROOT
  run query "${modules[@]}" 'deps(@torchao//:all + @libtorch_2_13//:all)' >/dev/null
  run shutdown
)

user=$TEST_TMPDIR/user
mkdir -p "$user"

# place FOLDER: its files are the user's workspace now. All have the same place, so that one Bazel serves them: it starts once,
# and reads onnxport once.
place() {
  find "$user" -mindepth 1 -delete
  cp "$onnxport/.bazelversion" "$user" 2>/dev/null || true
  cp -r "$1/." "$user"
  cd "$user"
}

# path_of_onnxport OLD FILE...: where it lies.
path_of_onnxport() {
  local old=$1
  shift
  sed -i "s|\"$old\"|\"$onnxport\"|" "$@"
  grep -qF "path = \"$onnxport\"" "$@"
}

# documented DOC FOLDER: the code blocks that follow a line `FILE` in bold become files of FOLDER.
documented() {
  awk -v folder="$2" '
    /^\*\*`[^`]*`\*\*$/ { file = substr($0, 4, length($0) - 6); next }
    /^```/ && inside { inside = 0; close(path); file = ""; next }
    /^```/ && file != "" { inside = 1; path = folder "/" file; printf "" > path; next }
    inside { print > path }
  ' "$1"
}

# Built in the current folder: without onnxport what there is, some of onnxport, and all of it with `run`.
build() {
  run build "${modules[@]}" --nobuild //...
  run build "${modules[@]}" @onnxport//onnxport:diagnostic
  local own
  own=$(run cquery "${modules[@]}" --output=starlark --starlark:expr='target.label' \
    'kind("cc_binary|cc_library", //...) except rdeps(//..., @onnxport//onnxport:diagnostic)')
  # shellcheck disable=SC2086  # several labels
  [[ -z $own ]] || run build "${modules[@]}" $own
  if [[ ${1:-} == run ]]; then
    # shellcheck disable=SC2319  # `test` is a word of Bazel's here
    run test "${modules[@]}" //... || (($? == 4))  # 4: all is built, and there is no test
  fi
}

# with_workspace: the current folder by its WORKSPACE.
with_workspace() {
  run build "${workspaces[@]}" --nobuild //...
  # Sources of ONNX are read by a BUILD file of ours, which must be found from here.
  run build "${workspaces[@]}" @libonnx//:operator_sets @onnxport//onnxport:diagnostic
}

# Without LibTorch what needs it is skipped, and Bazel says why when it is asked for by name.
without_libtorch() {
  sed -i 's|^onnxport_dependencies()|onnxport_dependencies(libraries = {"libtorch": {"probe": "torch/absent.h"}})|' WORKSPACE
  run build "${workspaces[@]}" --nobuild //...
  if run build "${workspaces[@]}" --nobuild //:exporter_test 2>"$TEST_TMPDIR/skipped"; then
    echo "a test that needs LibTorch is built without it"
    return 1
  fi
  grep 'LibTorch_is_absent__set_LIBTORCH_ROOT' "$TEST_TMPDIR/skipped"
}

mode=${1:-}
examples=("$onnxport"/examples/*/MODULE.bazel)
((${#examples[@]} >= 5)) || { echo "only ${#examples[@]} examples with a MODULE.bazel"; exit 1; }

for module in "${examples[@]}"; do
  place "$(dirname "$module")"
  path_of_onnxport ../.. MODULE.bazel WORKSPACE
  build "$mode"
done
for doc in c cpp rules; do
  mkdir -p "$TEST_TMPDIR/$doc"
  documented "$onnxport/docs/$doc.md" "$TEST_TMPDIR/$doc"
  [[ -f $TEST_TMPDIR/$doc/MODULE.bazel ]] || { echo "docs/$doc.md shows no MODULE.bazel"; exit 1; }
  place "$TEST_TMPDIR/$doc"
  path_of_onnxport /path/to/onnxport MODULE.bazel
  build "$mode"
done
# Uses the test module as the central registry would load it.
place "$onnxport/.bcr/test_module"
sed -i '/^local_path_override/,/^)/d' MODULE.bazel
run build --nobuild "${modules[@]}" //...

for module in "${examples[@]}"; do
  place "$(dirname "$module")"
  path_of_onnxport ../.. MODULE.bazel WORKSPACE
  with_workspace
done
place "$TEST_TMPDIR/rules"
path_of_onnxport /path/to/onnxport WORKSPACE
with_workspace
without_libtorch
run shutdown
