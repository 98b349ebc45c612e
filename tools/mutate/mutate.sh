#!/usr/bin/env bash
# What would go unnoticed: ./bazelw run //tools/mutate -- [--n 100] [--seed 1] [--spec activation]
#
# Changes one number, operator, comparison or node name of a random expression of the specs, and sees whether the
# generator refuses that or a conformance test of the operator fails. One file is compiled for a mutant and laid over the
# test's library. Prints the survivors; ends with 0 whatever there are. With ONNXPORT_KEEP=FOLDER, everything stays there.
set -euo pipefail

count=100 seed=1 only='*'
while [ $# -gt 0 ]; do
  case $1 in
    --n) count=$2 ;;
    --seed) seed=$2 ;;
    --spec) only=$2 ;;
    *) sed -n '2,6s/^# \?//p' "$0" && exit 2 ;;
  esac
  shift 2
done

runfiles=$PWD
work=${ONNXPORT_KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${ONNXPORT_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
for tool in CODEGEN CONFORMANCE MUTANTS ORT_RUNNER ORT_RUNNER_NEW; do export $tool="$runfiles/${!tool}"; done
export work runfiles
cd "$BUILD_WORKSPACE_DIRECTORY"

# generate SPEC NAME FOLDER: FOLDER/aten/FAMILY.gen.cc and .rows
generate() {
  mkdir -p "$3/aten"
  "$CODEGEN" --spec "$1" --spec-name "$2" --prelude spec/prelude.yaml --templates templates --out-dir "$3/aten" \
    >"$3/log" 2>&1
}

# compile FOLDER FAMILY: FOLDER/mutant.so, with the dispatch table when that is another one.
compile() {
  local sources=("$1/aten/$2.gen.cc")
  if ! cmp -s "$1/aten/$2.rows" "$work/base/aten/$2.rows"; then
    mkdir -p "$1/rows" && cp "$work/base/aten/"*.rows "$1/rows/" && cp "$1/aten/$2.rows" "$1/rows/"
    "$CODEGEN" --templates templates --out-dir "$1" --merge "$1/rows/"*.rows >>"$1/log" 2>&1 || return 1
    sources+=("$1/dispatch_table.gen.cc")
  fi
  g++ -std=c++20 -O0 -w -fPIC -shared -I. -o "$1/mutant.so" "${sources[@]}" >>"$1/log" 2>&1
}

# Whether the tests of the filter still pass.
passes() {
  (cd "$runfiles" && TEST_TMPDIR=$1 OMP_NUM_THREADS=1 LD_PRELOAD=$1/mutant.so \
    timeout 300 "$CONFORMANCE" --gtest_filter="$2" --gtest_brief=1 >>"$1/log" 2>&1)
}

# One line of the list: prints it with what noticed.
try() {
  local number spec place was becomes filter folder family noticed
  IFS=$'\t' read -r number spec place was becomes filter <<<"$1"
  folder=$work/$number
  family=$(basename "$spec" .yaml)
  if ! generate "$folder/spec.yaml" "$spec" "$folder"; then
    noticed=generator
  elif cmp -s "$folder/aten/$family.gen.cc" "$work/base/aten/$family.gen.cc"; then
    noticed=same
  elif ! compile "$folder" "$family"; then
    noticed=compiler
  elif ! passes "$folder" "$filter"; then
    noticed=tests
  else
    noticed=NOTHING
  fi
  echo "$noticed $spec:$place: \`$was\` -> \`$becomes\`"
}
export -f generate compile passes try

mkdir -p "$work/base/aten"
for spec in spec/aten/*.yaml; do generate "$spec" "$spec" "$work/base"; done
# shellcheck disable=SC2086  # a pattern
"$MUTANTS" "$count" "$seed" "$work" spec/prelude.yaml spec/aten/$only.yaml

# What is not changed must pass, or nothing that follows means anything.
IFS=$'\t' read -r _ spec _ _ _ filter <"$work/list"
mkdir -p "$work/control/aten" && cp "$work/base/aten/$(basename "$spec" .yaml)".* "$work/control/aten/"
if ! compile "$work/control" "$(basename "$spec" .yaml)" || ! passes "$work/control" "$filter"; then
  tail -n 20 "$work/control/log" >&2
  echo "mutate: the tests of the unchanged $spec do not pass" >&2
  exit 1
fi

# shellcheck disable=SC2016  # the inner shell's
tr '\n' '\0' <"$work/list" | xargs -0 -n 1 -P "$(nproc)" bash -c 'try "$0"' | tee "$work/results" >&2
of() { grep -c "^$1 " "$work/results" || true; }
changed=$(($(wc -l <"$work/results") - $(of same)))
noticed=$((changed - $(of NOTHING)))
echo "seed $seed: $changed mutants, and $(of same) whose code is the same; noticed: $noticed, $((100 * noticed / (changed ? changed : 1))) %" \
  "(generator $(of generator), compiler $(of compiler), tests $(of tests)). Nothing noticed:"
sed -n 's/^NOTHING /  /p' "$work/results" | sort
