#!/usr/bin/env bash
# clang-tidy over the C++ sources; a part of tools/lint.sh.
#
# A source that passed is remembered by the contents of everything it includes from here, so it is checked again only
# after a change. Left out: tests, what includes LibTorch (10 s a file), and what includes generated headers.
set -euo pipefail
tools=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$tools/workspace.sh"
enter_workspace
need clang-tidy

# Bazel gives tests another HOME or none; the tilde without HOME is the user's own.
home=$(unset HOME && echo ~)
cache=${XDG_CACHE_HOME:-$home/.cache}/onnxport/tidy
mkdir -p "$cache"
find "$cache" -type f -mtime +30 -delete

flags=(-std=c++20 -x c++ -I. -DONNX_ML=1 -DONNX_NAMESPACE=onnx -isystem /usr/include/onnxruntime)
settings=$(clang-tidy --version && cat .clang-tidy && echo "${flags[@]}")

# check FILE KEY
check() {
  local output
  if output=$(clang-tidy --quiet "$1" -- "${flags[@]}" 2>/dev/null); then
    touch "$cache/$2"
  else
    # One write, so that two at once do not mix.
    printf '%s\n' "clang-tidy: $1" "$output"
    return 1
  fi
}

# Lines "HASHES FILE" become "FILE KEY" for those not known to be good.
unknown() {
  local hashes file key
  while read -r hashes file; do
    key=$(echo "$settings $file $hashes" | sha256sum | cut -c1-40)
    if [[ -e $cache/$key ]]; then touch "$cache/$key"; else echo "$file $key"; fi
  done
}

mapfile -t cpp < <(list_cpp)
status=0
running=0
while read -r file key; do
  if ((running == $(nproc))); then
    wait -n || status=1
    running=$((running - 1))
  fi
  check "$file" "$key" &
  running=$((running + 1))
done < <(sha256sum "${cpp[@]}" | awk -f "$tools/includes.awk" - "${cpp[@]}" | unknown)
while ((running > 0)); do
  wait -n || status=1
  running=$((running - 1))
done
exit $status
