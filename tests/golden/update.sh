#!/bin/sh
# Writes the expected files of all golden tests anew: ./bazelw run //tests/golden:update The arguments are the tests;
# each writes instead of comparing when it gets the workspace.
set -eu
export ONNXPORT_UPDATE_GOLDENS="$BUILD_WORKSPACE_DIRECTORY"
for test in "$@"; do
  "./$test" > /dev/null
done
