#!/usr/bin/env bash
# package_test.sh PACKAGE CMAKE EXPORTER PROJECT MNIST.pt2 FOO.pt2 FOO_EXPORTER: a CMake project builds against the package
# alone, and its programs make the same models as those that Bazel builds. PROJECT is examples/cmake/CMakeLists.txt.
set -euo pipefail
package=$PWD/$1 cmake=$PWD/$2 exporter=$PWD/$3 project=$(dirname "$PWD/$4") mnist=$PWD/$5 foo=$PWD/$6 foo_exporter=$PWD/$7
fail() { echo "FAILED: $*" && exit 1; }

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/package.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/package
mkdir "$root"
tar -xzf "$package" -C "$root" --strip-components=1

echo "== names"
# A program may have the same libraries in other versions: every symbol of the archive that is no copy of a template's has a
# name of ours. But for those of libdeflate, a library in C whose functions stay what they are.
foreign=$(nm --defined-only -g "$root/lib/libonnxport.a" 2>/dev/null |
  awk '$2 ~ /^[TDBRSGC]$/ && $3 !~ /onnxport|^libdeflate_/ {print $3}' | sort -u)
[[ -z $foreign ]] || fail "names that are not ours: $foreign"

echo "== CMake"
configure() { "$cmake" -S "$project" -B "$work/$1" "-DCMAKE_PREFIX_PATH=$root" -DCMAKE_BUILD_TYPE=Release "${@:2}" >"$work/log" 2>&1; }
configure build || fail "configuring: $(cat "$work/log")"
"$cmake" --build "$work/build" --parallel 2 >"$work/log" 2>&1 || fail "building: $(cat "$work/log")"
"$exporter" export "$mnist" -o "$work/expected.onnx" --opset 18
for program in embed export; do
  "$work/build/$program" "$mnist" "$work/$program.onnx"
  cmp "$work/expected.onnx" "$work/$program.onnx" || fail "$program makes another model"
done
"$foo_exporter" export "$foo" -o "$work/foo_expected.onnx" --input 'x=f32[batch,4]'
"$work/build/exporter" export "$foo" -o "$work/foo.onnx" --input 'x=f32[batch,4]'
cmp "$work/foo_expected.onnx" "$work/foo.onnx" || fail "the exporter with operators of one's own makes another model"
"$work/build/exporter" ops custom_ops::foo_forward | grep -q 'foo\.yaml' || fail "it does not know its operators"

echo "== what does not fit"
# refused WORDS OPTION...: configuring fails and says so.
refused() {
  rm -rf "$work/refused"
  ! configure refused "${@:2}" || fail "configured with ${*:2}"
  tr -s ' \n' ' ' <"$work/log" | grep -qF "$1" || fail "without the words '$1': $(cat "$work/log")"
}
refused 'this is the package for linux-x86_64, and the project is built for Linux riscv64' \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=riscv64
refused 'it needs libstdc++ of GCC 12 or newer with its C++11 ABI' -DCMAKE_CXX_FLAGS=-D_GLIBCXX_USE_CXX11_ABI=0

mkdir "$work/wrong"
cat >"$work/wrong/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(wrong LANGUAGES CXX)
find_package(onnxport REQUIRED)
onnxport_add_exporter(wrong SPECS wrong.yaml SCHEMAS wrong.txt)
END
printf -- 'spec: 1\nfamily: wrong\n\nops:\n- op: my::f\n  emit: Sine(x)\n' >"$work/wrong/wrong.yaml"
echo 'my::f(Tensor x) -> Tensor' >"$work/wrong/wrong.txt"
project=$work/wrong
configure build_wrong || fail "configuring: $(cat "$work/log")"
! "$cmake" --build "$work/build_wrong" >"$work/log" 2>&1 || fail "a spec with a mistake was built"
grep -q 'wrong.yaml:6:9' "$work/log" || fail "a mistake without its place: $(cat "$work/log")"

echo "== pkg-config"
# As pkg-config reads it; the program is not part of the build environment.
words() {
  sed -n "s/^$1: *//p" "$root/lib/pkgconfig/onnxport.pc" |
    sed "s,\${includedir},$root/include,g; s,\${libdir},$root/lib,g" | tr ' ' '\n'
}
mapfile -t compile < <(words Cflags)
mapfile -t link < <(words Libs)
g++ -x c "${compile[@]}" -o "$work/export.o" -c "$(dirname "$PWD/$4")/export.c"
g++ -o "$work/export" "$work/export.o" "${link[@]}"
"$work/export" "$mnist" "$work/pc.onnx"
cmp "$work/expected.onnx" "$work/pc.onnx" || fail "a program of pkg-config's flags makes another model"
echo PASSED
