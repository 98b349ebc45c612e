#!/bin/sh
# Writes taken.txt anew: ./bazelw run //tests/arguments:update_taken [-- --gtest_filter='aten_pad*']
set -eu
export ONNXPORT_UPDATE_EXPECTED="$BUILD_WORKSPACE_DIRECTORY" ONNXPORT_ONE_OF=50
exec tests/arguments/mistakes_of_calls --gtest_brief=1 "$@"
