#!/usr/bin/env bash
# The examples with a WORKSPACE can be built, with it and as modules: a Bazel of its own loads and analyses each, from
# outside. Nothing is compiled; their tests, as packages of this workspace, compile, link and run the same targets.
set -euo pipefail
source tools/workspace.sh
enter_workspace

# Modules that Debian has beside its Bazel, in place of the registry's. Those that Bazel's own module lists and that it
# lacks are not used here: empty ones will do.
share=/usr/share/bazel
modules=(--lockfile_mode=off)
for rules in cc java license proto python; do modules+=("--override_module=rules_$rules=$share/rules/$rules"); done
modules+=("--override_module=bazel_features=$share/tools/features" "--override_module=bazel_skylib=$share/tools/skylib")
modules+=("--override_module=platforms=$share/tools/platforms")
for name in apple_support buildozer protobuf zlib; do
  mkdir -p "$TEST_TMPDIR/modules/$name"
  touch "$TEST_TMPDIR/modules/$name/BUILD"
  echo "module(name = \"$name\")" >"$TEST_TMPDIR/modules/$name/MODULE.bazel"
  modules+=("--override_module=$name=$TEST_TMPDIR/modules/$name")
done
echo 'buildozer_binary = module_extension(implementation = lambda _: None)' \
  >"$TEST_TMPDIR/modules/buildozer/buildozer_binary.bzl"

# What is absent loads as well: the repository says that nothing can be built with it.
(
  unset TORCHAO_ROOT LIBTORCH_2_13_ROOT
  run() { bazel --output_user_root="$TEST_TMPDIR/bazel" --max_idle_secs=5 "$@"; }
  run query --enable_bzlmod --noenable_workspace "${modules[@]}" 'deps(@torchao//:all + @libtorch_2_13//:all)' >/dev/null
  run shutdown
)

found=0
for workspace in examples/*/WORKSPACE; do
  found=$((found + 1))
  (
    cd "$(dirname "$workspace")"
    run() { bazel --output_user_root="$TEST_TMPDIR/bazel" --max_idle_secs=5 "$@"; }
    run build --nobuild //...
    run build --nobuild --enable_bzlmod --noenable_workspace "${modules[@]}" //...
    run shutdown
  )
done
((found >= 5)) || { echo "only $found examples with a WORKSPACE"; exit 1; }
