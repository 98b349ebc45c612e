# To be sourced: finds the workspace's own folder, for `bazel run` and for tests, and lists what is under version control.
# shellcheck shell=bash

# Under `bazel run` Bazel says it; a test has WORKSPACE as data, a link to the real file.
enter_workspace() {
  local file=${TEST_SRCDIR:-}/${TEST_WORKSPACE:-}/WORKSPACE
  if [[ -n ${BUILD_WORKSPACE_DIRECTORY:-} ]]; then
    cd "$BUILD_WORKSPACE_DIRECTORY" || exit
  elif [[ -n ${TEST_SRCDIR:-} ]]; then
    cd "$(dirname "$(readlink -f "$file")")" || exit
  fi
  [[ -f WORKSPACE ]] || { echo "no WORKSPACE in $PWD" >&2 && exit 2; }
}

# list_sources: every file of the project, without what git ignores. Without git, everything but Bazel's links.
list_sources() {
  if git -c safe.directory='*' rev-parse >/dev/null 2>&1; then
    git -c safe.directory='*' ls-files --cached --others --exclude-standard --deduplicate | while read -r file; do
      [[ ! -f $file ]] || echo "$file"
    done
  else
    find . -path './bazel-*' -prune -o -path ./.git -prune -o -type f -printf '%P\n'
  fi | sort
}

# C++ of ours: no expected outputs of tests, no templates with holes.
list_cpp() { list_sources | grep -E '\.(cc|h)$' | grep -Ev '(^|/)(testdata|templates)/|(^|/)golden/.*/' || true; }

list_bazel() { list_sources | grep -E '(^|/)(BUILD|BUILD\.bazel|WORKSPACE|[^/]*\.bzl)$' || true; }

list_shell() {
  list_sources | while read -r file; do
    [[ $(head -c 32 "$file" | tr -d '\0') != '#!'*@(bash|/sh)* ]] || echo "$file"
  done
}

# need PROGRAM: says how to get a missing one, and fails.
need() {
  command -v "$1" >/dev/null || { echo "$1 is missing; tools/env/packages.txt or python.txt names it" >&2 && exit 1; }
}

# buildifier comes from npm, which a machine may not reach.
have_buildifier() {
  command -v buildifier >/dev/null && return
  echo "buildifier is not on this machine: BUILD and .bzl files are NOT checked (npm has it as @bazel/buildifier)" >&2
  return 1
}
