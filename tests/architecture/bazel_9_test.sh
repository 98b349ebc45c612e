#!/usr/bin/env bash
# Checks for uses of features that Bazel 8 or 9 has removed. buildifier's warnings find some (//tools:lint_test); this
# finds rules that are not loaded, removed calls of `native`, and files of Bazel's own that rules_cc now has.
set -euo pipefail
source tools/workspace.sh
enter_workspace

gone='^[^#]*(native[.](cc|sh|py|java|proto|objc)_'
gone+='|native[.](existing_rules?|local_repository|new_local_repository|bind|http_archive|repository_name)\b'
gone+='|@bazel_tools//tools/(cpp:(cc_toolchain_config_lib|toolchain_utils|cc_flags)|build_defs/cc|python|jdk))'
gone() { grep -nE "$gone" "$@"; }
for line in 'x = native.cc_library(' '  if not native.existing_rule(name):' 'load("@bazel_tools//tools/build_defs/cc:x.bzl")'; do
  echo "$line" | gone >/dev/null || { echo "not seen: $line"; exit 1; }
done
if echo '# as native.cc_library( was' | gone; then exit 1; fi

# A rule of a language that no `load` brings. (In a .bzl file Bazel 7 itself would not find it.)
unloaded() {
  awk '
    FNR == 1 { delete loaded; in_load = 0 }
    /^load\(/ { in_load = 1 }
    in_load { while (match($0, /"[a-z_]+"/)) { loaded[substr($0, RSTART + 1, RLENGTH - 2)]; $0 = substr($0, RSTART + RLENGTH) } }
    in_load && /\)/ { in_load = 0; next }
    match($0, /^ *(cc|sh|py|java|proto)_(binary|library|test|import|shared_library|toolchain)\(/) {
      name = $0; sub(/^ */, "", name); sub(/\(.*/, "", name)
      if (!(name in loaded)) print FILENAME ":" FNR ": " name " is not loaded"
    }
  ' "$@"
}
printf 'load("@a//:b.bzl", "cc_test")\ncc_test(name = "a")\nsh_test(name = "b")\n' >"$TEST_TMPDIR/BUILD"
[[ $(unloaded "$TEST_TMPDIR/BUILD") == *":3: sh_test is not loaded" ]] || { unloaded "$TEST_TMPDIR/BUILD"; exit 1; }

mapfile -t files < <(list_bazel; list_sources | grep -E '(^|/)MODULE\.bazel$')
((${#files[@]} > 150)) || { echo "only ${#files[@]} files"; exit 1; }
mapfile -t build_files < <(printf '%s\n' "${files[@]}" | grep -E '(^|/)BUILD')
found=$(gone "${files[@]}" || true; unloaded "${build_files[@]}")
[[ -z $found ]] || { echo "$found"; exit 1; }
