# To be sourced in the workspace's own folder: for tests that start a Bazel of their own, in a workspace of a user.
# shellcheck shell=bash

# Bazel finds the compiler by PATH, and the result is a part of each key of the disk cache. So PATH is the same as in
# tools/env/in, and this test reuses what users' workspaces have built (a test's own PATH begins with /bin).
export PATH=/usr/local/bin:/usr/sbin:/usr/bin:$PATH

# Modules come from the machine, and from no other registry.
tools/env/registry "$TEST_TMPDIR/registry"

# run [STARTUP OPTION...] COMMAND...: with the flags that ./bazelw gives to Bazel, which come from outside.
run() {
  # It lives for a minute: code that Java compiles for long runs, on threads of its own, costs more than it saves.
  local flags=("--bazelrc=$TEST_TMPDIR/registry/bazelrc") java=(--host_jvm_args=-XX:TieredStopAtLevel=1 --host_jvm_args=-XX:+UseSerialGC)
  [[ -z ${ONNXPORT_BAZELRC:-} ]] || flags+=("--bazelrc=$ONNXPORT_BAZELRC")
  bazel "${java[@]}" --output_user_root="$TEST_TMPDIR/bazel" --max_idle_secs=5 "${flags[@]}" "$@"
}
