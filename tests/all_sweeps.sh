#!/usr/bin/env bash
# The heavy sweeps, which no ordinary run does, one after another, with a summary at the end:
#
#   ./bazelw run //tests:all_sweeps                                all of them
#   ./bazelw run //tests:all_sweeps -- arguments models            some of them
#   ./bazelw run //tests:all_sweeps -- --minutes 5 --mutants 20    less of those that never come to an end
set -euo pipefail

minutes=30
mutants=100
readonly all=(lint cells arguments ends opinfo models programs libtorch torchao browser fuzz mutation costs)
chosen=()

usage() {
  cat <<END
all_sweeps [--minutes N] [--mutants N] [SWEEP ...]

  lint       clang-tidy on each source by itself, which shows the includes that it lacks
  cells      every operator's tests with every dtype and special values at every opset
  arguments  the same tests with other arguments than tensors
  ends       integers at the ends of their dtypes, signs of zero, float8; 0-d tensors
  opinfo     PyTorch's operator database at opsets 18 and 25
  models     every archive of every model at every opset
  programs   20,000 random programs of each kind
  libtorch   programs of other releases of LibTorch, where LIBTORCH_2_13_ROOT and its like name them
  torchao    models that torchao quantized, where TORCHAO_ROOT names it
  browser    the page, Netron and ONNX Runtime Web in Chromium
  fuzz       readers under inputs that follow their grammar, and almost do; --minutes together (default: $minutes)
  mutation   --mutants changed tokens of specs (default: $mutants): how many the tests notice
  costs      instructions of exports, and processor time beside cp, against the last row of bench/history.csv, where valgrind is
END
}

while (($#)); do
  case $1 in
    --minutes) minutes=$2 && shift ;;
    --mutants) mutants=$2 && shift ;;
    --help) usage && exit ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || { usage >&2 && exit 2; }
      chosen+=("$1")
      ;;
  esac
  shift
done
((${#chosen[@]})) || chosen=("${all[@]}")

cd "$BUILD_WORKSPACE_DIRECTORY"
bazel=(./bazelw)
logs=$("${bazel[@]}" info bazel-testlogs 2>/dev/null)
summary=()
failed=0

# note SWEEP STATUS SECONDS TEXT
note() {
  summary+=("$(printf '%-10s %-8s %6s s  %s' "$1" "$2" "$3" "$4")")
  [[ $2 != failed ]] || failed=1
}

# The results of the tests as one line: "3500 passed, 0 failed".
count() {
  local test
  "${bazel[@]}" query "tests(set($*))" 2>/dev/null | while read -r test; do
    test=${test#//}
    find "$logs/${test/://}" -name test.xml -print0
  done | xargs -0r awk -f tools/count_tests.awk | tail -1
}

# sweep_tests SWEEP TARGET-OR-FLAG...
sweep_tests() {
  local sweep=$1 status=passed start=$SECONDS word targets=()
  shift
  for word in "$@"; do [[ $word == --* ]] || targets+=("$word"); done
  "${bazel[@]}" test --keep_going "$@" || status=failed
  note "$sweep" "$status" $((SECONDS - start)) "$(count "${targets[@]}")"
}

# sweep_tool SWEEP PATTERN TARGET ARGUMENT...: what its output says of itself.
sweep_tool() {
  local sweep=$1 pattern=$2 status=passed start=$SECONDS output
  shift 2
  output=$(mktemp)
  "${bazel[@]}" run "$1" -- "${@:2}" 2>&1 | tee "$output" || status=failed
  note "$sweep" "$status" $((SECONDS - start)) "$(grep -E "$pattern" "$output" | paste -sd ';' | sed 's/;/; /g')"
  rm -f "$output"
}

sweep_libtorch() {
  local release variable suites=()
  for release in 2_13 2_15; do
    variable=LIBTORCH_${release}_ROOT
    if [[ -n ${!variable:-} ]]; then
      suites+=("//tests/torch:libtorch_$release")
    else
      note libtorch skipped 0 "$variable does not name a LibTorch"
    fi
  done
  ((${#suites[@]} == 0)) || sweep_tests libtorch "${suites[@]}"
}

sweep_costs() {
  local status=passed start=$SECONDS output
  command -v valgrind >/dev/null || { note costs skipped 0 "valgrind, which counts instructions, is not installed" && return; }
  "${bazel[@]}" build //:exporter
  output=$(mktemp)
  python3 bench/regressions.py --exporter bazel-bin/exporter 2>&1 | tee "$output" || status=failed
  note costs "$status" $((SECONDS - start)) "$(sed -n '/^costs more/,$p' "$output" | paste -sd ';')"
  rm -f "$output"
}

for sweep in "${chosen[@]}"; do
  case $sweep in
    lint) sweep_tests lint //tools:lint_alone_test ;;
    cells) sweep_tests cells //tests/conformance:cells_sweep ;;
    arguments) sweep_tests arguments //tests/arguments:sweep //tests/arguments:mistakes_sweep ;;
    ends) sweep_tests ends //tests/ends:sweep //tests/arguments:scalars_sweep ;;
    opinfo) sweep_tests opinfo //tests/opinfo:sweep_18 //tests/opinfo:sweep_25 ;;
    models) sweep_tests models //tests/models:sweep ;;
    programs)
      sweep_tool programs '^[a-z]+, [a-z0-9]+: [0-9]+ programs' //tests/programs:sweep --count 20000
      sweep_tests programs //tests/torch:programs_test --test_env=PROGRAMS=20000 --test_filter='RandomPrograms.*' \
        --test_timeout=36000
      ;;
    libtorch) sweep_libtorch ;;
    torchao)
      if [[ -n ${TORCHAO_ROOT:-} ]]; then
        sweep_tests torchao //tests/torchao:sweep
      else
        note torchao skipped 0 "TORCHAO_ROOT does not name it"
      fi
      ;;
    browser) sweep_tests browser //web/browser:all_tests ;;
    fuzz) sweep_tool fuzz '[0-9]+ findings' //tests/fuzz:all --minutes "$minutes" ;;
    costs) sweep_costs ;;
    mutation) sweep_tool mutation 'mutants noticed' //tools/mutate --n "$mutants" ;;
  esac
done

printf '\n%s\n' "Sweeps:"
printf '%s\n' "${summary[@]}"
exit "$failed"
