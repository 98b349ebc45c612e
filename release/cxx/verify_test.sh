#!/usr/bin/env bash
# verify_test.sh PACKAGE CMAKE ARCHIVE MODEL.pt2: runs `exporter verify` of a released archive. exporter-verify is
# compiled from the package for C++ with the LibTorch of this machine. The command must compare, and name missing files.
#
# --test_env=LIBTORCH_ROOT=FOLDER names another LibTorch, such as that of the Python package (its folder `torch`), and
# --test_env=ONNXPORT_ONNXRUNTIME_LIBRARY=FILE another ONNX Runtime.
set -euo pipefail
package=$PWD/$1 cmake=$PWD/$2 archive=$PWD/$3 pt2=$PWD/$4
fail() { echo "FAILED: $*" && exit 1; }

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/verify.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/package" "$work/installed"
tar -xzf "$package" -C "$work/package" --strip-components=1
tar -xzf "$archive" -C "$work/installed" --strip-components=1
project=$work/package/share/onnxport/verify
"$work/installed/bin/exporter" export "$pt2" -o "$work/model.onnx" 2>/dev/null

# verify STATUS WORDS [VARIABLE=VALUE...]: how comparing ends, and what it says.
verify() {
  local status=0
  env "${@:3}" "$work/installed/bin/exporter" verify "$work/model.onnx" --against "$pt2" >"$work/log" 2>&1 || status=$?
  ((status == $1)) || fail "exit status $status instead of $1 (${*:3}): $(cat "$work/log")"
  grep -qF -- "$2" "$work/log" || fail "without the words '$2' (${*:3}): $(cat "$work/log")"
}
verify 5 'cmake -S PACKAGE/share/onnxport/verify -B build'

! LIBTORCH_ROOT=/nowhere "$cmake" -S "$project" -B "$work/refused" >"$work/log" 2>&1 || fail "configured without a LibTorch"
grep -qF 'There is no LibTorch 2.13 or newer in: /nowhere' "$work/log" || fail "no LibTorch: $(cat "$work/log")"

"$cmake" -S "$project" -B "$work/build" >"$work/log" 2>&1 || fail "configuring: $(cat "$work/log")"
grep 'LibTorch' "$work/log"
"$cmake" --build "$work/build" --parallel 2 >"$work/log" 2>&1 || fail "building: $(cat "$work/log")"
"$cmake" --install "$work/build" --prefix "$work/installed" >"$work/log" 2>&1 || fail "installing: $(cat "$work/log")"
rm -r "$work/build" "$work/package"
"$work/installed/bin/exporter-onnxruntime" --version || fail "ONNX Runtime is not found"
verify 0 agree

# Debian's has a version in its name.
mkdir "$work/other"
libtorch=$(LC_ALL=C readelf --dynamic "$work/installed/bin/exporter-verify" | sed -n 's/.*NEEDED.*\[\(libtorch_cpu[^]]*\)\]/\1/p')
g++ -shared -o "$work/other/$libtorch" -x c++ - <<<''
verify 5 'the LibTorch that it was compiled with' LD_LIBRARY_PATH="$work/other"
verify 5 'ONNX Runtime: ONNXPORT_ONNXRUNTIME_LIBRARY=/nowhere: ' ONNXPORT_ONNXRUNTIME_LIBRARY=/nowhere
mv "$work/installed/bin/exporter-onnxruntime" "$work/other"
verify 5 'there is no program' PATH=/usr/bin
verify 0 agree PATH="$work/other:$PATH"
echo PASSED
