#!/bin/sh
# Writes the tables in expected/ anew: ./bazelw run //tests/arguments:update [-- --gtest_filter='aten_elu*']
# It still fails for results that are wrong and do not stand in wrong.txt.
set -eu
unset ONNXPORT_ONE_OF
export ONNXPORT_UPDATE_EXPECTED="$BUILD_WORKSPACE_DIRECTORY"
exec tests/arguments/arguments --gtest_brief=1 "$@"
