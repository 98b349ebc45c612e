#!/usr/bin/env bash
# update.sh EXPORTER GOLDEN ARCHIVE OPSET...: writes the golden into the source tree.
set -euo pipefail

golden=$2
touch "${BUILD_WORKSPACE_DIRECTORY:?run this through Bazel}/$golden"
exec tests/golden/runtime/golden.sh write "$1" "$BUILD_WORKSPACE_DIRECTORY/$golden" "${@:3}"
