#!/usr/bin/env bash
# train_mnist_test.sh TRAIN DEPLOY
set -euo pipefail
folder=$TEST_TMPDIR/mnist

"$1" "$folder"
"$2" "$folder"
