#!/usr/bin/env bash
# alone_test.sh FILE EXPORTER EMULATOR FOLDER...: runs the released file in a root that has nothing but it and a model.
# It must make the same bytes as the ordinary build, from every archive in the folders.
#
# EMULATOR is `-`, or the name of qemu's static user emulator for the file's machine. It is looked for on PATH; the variable
# EMULATOR (--test_env) names another. Without one the test says so and ends.
set -euo pipefail
PATH=$PATH:/usr/sbin  # where chroot is
file=$1 exporter=$2 emulator=$3
shift 3
fail() { echo "FAILED: $*" && exit 1; }

if [[ $emulator != - ]]; then
  emulator=${EMULATOR:-$(command -v "$emulator" || true)}
  [[ -n $emulator ]] || { echo "SKIPPED: no emulator for this file on PATH" && exit 0; }
fi

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/alone.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
root=$work/root
mkdir "$root"
cp -L "$file" "$root/exporter"
run=(/exporter)
if [[ $emulator != - ]]; then
  cp -L "$emulator" "$root/emulator"
  run=(/emulator /exporter)
fi
# In a root of its own: no shell, no library, no /proc, no /tmp.
alone() { unshare --user --map-root-user --mount --net env -i "$(command -v chroot)" "$root" "${run[@]}" "$@"; }

alone --version >/dev/null || fail "it does not run alone"

count=0
while read -r archive; do
  cp -L "$archive" "$root/${archive##*/}"
  # A file beside a .pt describes its inputs, which the .pt does not.
  options=()
  stem=${archive%.pt}
  stem=${stem%.scripted}
  stem=${stem%.traced}
  [[ ! -e $stem.inputs ]] || while read -r input; do options+=(--input "$input"); done <"$stem.inputs"
  status=0 status_alone=0
  "$exporter" export "$archive" "${options[@]}" -o "$work/expected.onnx" >/dev/null 2>"$work/expected" || status=$?
  alone export "/${archive##*/}" "${options[@]}" -o /found.onnx >/dev/null 2>"$work/found" || status_alone=$?
  ((status == status_alone)) || fail "$archive: exit status $status_alone, not $status: $(cat "$work/found")"
  if ((status == 0)); then
    cmp "$work/expected.onnx" "$root/found.onnx" || fail "$archive: another model than that of the ordinary build"
    count=$((count + 1))
  else
    diff <(sed "s#$archive#/${archive##*/}#" "$work/expected") "$work/found" || fail "$archive: another message"
  fi
  rm -f "$work/expected.onnx" "$root/found.onnx" "$root/${archive##*/}"
done < <(find -L "$@" \( -name '*.pt2' -o -name '*.pt' \) | sort)
((count >= 20)) || fail "only $count models were compared"
echo "PASSED: $count models of the same bytes"
