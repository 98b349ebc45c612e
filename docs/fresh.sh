#!/usr/bin/env bash
# fresh.sh check|write GENERATED CHECKED_IN: a generated document against the one in the tree.
set -euo pipefail

if [ "$1" = write ]; then
  cp "$2" "${BUILD_WORKSPACE_DIRECTORY:?run this through Bazel}/$3"
  chmod u+w "$BUILD_WORKSPACE_DIRECTORY/$3"
elif ! diff -u "$3" "$2"; then
  echo "To refresh: ./bazelw run //docs:update"
  exit 1
fi
