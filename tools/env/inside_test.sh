#!/usr/bin/env bash
# Programs of `bazel run` call ./bazelw. Within the private root it must give the same Bazel the same options, and not take
# the root for a machine that has all.
# shellcheck disable=SC2016  # $ of the scripts that are written here
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*" && exit 1; }

mkdir -p "$folder"/work/tools/env "$folder"/env "$folder"/bin
cp bazelw "$folder/work/bazelw"
touch "$folder/work/MODULE.bazel"
# Outside these would be called. Here they must not be.
for tool in machine_has_all make in needed_by; do
  printf '#!/bin/sh\necho "%s was called" >&2\nexit 3\n' "$tool" >"$folder/work/tools/env/$tool"
done
printf '#!/bin/sh\nmkdir -p "$1"\n' >"$folder/work/tools/env/registry"
printf '#!/bin/sh\necho "$ONNXPORT_ENV|$*"\n' >"$folder/bin/bazel"
chmod +x "$folder"/work/tools/env/* "$folder/bin/bazel"

said=$(PATH=$folder/bin:$PATH ONNXPORT_ENV=inside ONNXPORT_BAZELRC=$folder/env/bazelrc "$folder/work/bazelw" info bazel-testlogs)
[[ $said == "inside|--output_user_root=$folder/env/bazel --bazelrc=$folder/env/bazelrc "*" info bazel-testlogs" ]] || fail "$said"
if PATH=$folder/bin:$PATH ONNXPORT_ENV=nowhere "$folder/work/bazelw" info 2>"$folder/said"; then fail "a mistake is taken"; fi
grep -q "ONNXPORT_ENV=nowhere" "$folder/said" || fail "$(cat "$folder/said")"
