#!/usr/bin/env bash
# Fails when a BUILD or .bzl file names a repository that MODULE.bazel does not make visible. No ordinary test would see
# that for a release: its targets are `manual`, and a label of a missing repository fails only where it is analysed.
set -euo pipefail
source tools/workspace.sh
enter_workspace

# The repositories that the labels of stdin name, but for those that every module sees and ourselves.
named() { grep -hoE '"@[a-z0-9_]+//' | sed 's/^"@//; s/\/\/$//' | grep -vxE 'bazel_tools|onnxport' | sort -u; }
# The repositories that MODULE.bazel on stdin makes visible.
visible() { sed -nE '/^bazel_dep/s/.*name = "([a-z0-9_]+)".*/\1/p; /^use_repo/s/.*"([a-z0-9_]+)"\)$/\1/p; s/^    "([a-z0-9_]+)",$/\1/p' | sort -u; }

mapfile -t files < <(list_sources | grep -E '(\.bzl|BUILD\.bazel)$' | grep -v '^examples/')
used=$(cat "${files[@]}" | named)
(($(wc -l <<<"$used") > 20)) || { echo "few repositories are named: $used"; exit 1; }
if missing=$(comm -23 <(echo "$used") <(visible <MODULE.bazel) | grep .); then
  printf 'MODULE.bazel: use_repo lacks a repository that BUILD or .bzl files name:\n%s\n' "$missing"
  exit 1
fi
# The test itself sees a line that is missing.
comm -23 <(echo "$used") <(sed '/"xxhash_source"/d' MODULE.bazel | visible) | grep -qx xxhash_source ||
  { echo "a missing line is not seen"; exit 1; }
