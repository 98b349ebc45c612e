#!/usr/bin/env bash
# commit_header.sh HEADER [STATUS]: writes the header with the commit that Bazel's file of the workspace's status has.
set -euo pipefail
commit=
[[ -z ${2:-} ]] || commit=$(sed -n 's/^STABLE_ONNXPORT_COMMIT //p' "$2")
cat >"$1" <<END
// Written by commit_header.sh.
#include <string_view>

inline constexpr std::string_view kCommit = "$commit";
END
