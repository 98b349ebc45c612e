#!/usr/bin/env bash
# fresh.sh check|write (GENERATED CHECKED_IN)...: generated documents against those in the tree.
set -euo pipefail

what=$1
shift
stale=0
while [ $# -gt 0 ]; do
  if [ "$what" = write ]; then
    cp "$1" "${BUILD_WORKSPACE_DIRECTORY:?run this through Bazel}/$2"
    chmod u+w "$BUILD_WORKSPACE_DIRECTORY/$2"
  elif ! diff -u "$2" "$1" | cut -c 1-300; then
    stale=1
  fi
  shift 2
done
[ $stale = 0 ] || { echo "To refresh: ./bazelw run //docs:update" && exit 1; }
