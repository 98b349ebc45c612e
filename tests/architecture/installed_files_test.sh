#!/usr/bin/env bash
# installed_files_test.sh: checks that every header and archive of a library of the machine is an input of the targets
# built with it. So after an update, no cache returns a result that was built with the old library.
set -euo pipefail
source tools/workspace.sh
enter_workspace
source tests/architecture/own_bazel.sh

library=$TEST_TMPDIR/library
mkdir -p "$library/include/fmt" "$library/lib" "$TEST_TMPDIR/workspace"
cp .bazelversion "$TEST_TMPDIR/workspace"
cd "$TEST_TMPDIR/workspace"

echo '#include "other.h"' >"$library/include/fmt/core.h"
# write HEADER ARCHIVE: numbers in each of the two.
write() {
  echo "#define HEADER $1" >"$library/include/fmt/other.h"
  echo "int Archive() { return $2; }" >"$TEST_TMPDIR/archive.cc"
  g++ -c "$TEST_TMPDIR/archive.cc" -o "$TEST_TMPDIR/archive.o"
  rm -f "$library/lib/libfmt.a"
  ar rc "$library/lib/libfmt.a" "$TEST_TMPDIR/archive.o"
}
cat >MODULE.bazel <<END
module(name = "a_user")

bazel_dep(name = "onnxport", version = "0.1.0")
bazel_dep(name = "rules_cc", version = "0.0.11")

libraries = use_extension("@onnxport//third_party:extensions.bzl", "libraries")
libraries.library(name = "fmt", path = "$library")
use_repo(libraries, "fmt")
END
cat >BUILD.bazel <<'END'
load("@rules_cc//cc:defs.bzl", "cc_binary")

cc_binary(
    name = "program",
    srcs = ["program.cc"],
    deps = ["@fmt"],
)
END
cat >program.cc <<'END'
#include <fmt/core.h>

#include <cstdio>

int Archive();
int main() { std::printf("%d %d\n", HEADER, Archive()); }
END

# shows TEXT: what the program prints that a new output base builds; all share a disk cache.
bases=0
shows() {
  local base=$TEST_TMPDIR/base$((bases += 1)) seen
  run --output_base="$base" build \
    --enable_bzlmod --noenable_workspace --lockfile_mode=off \
    "--disk_cache=$TEST_TMPDIR/disk" --symlink_prefix="$TEST_TMPDIR/bazel-" //:program
  seen=$("$TEST_TMPDIR/bazel-bin/program")
  run --output_base="$base" shutdown
  [[ $seen == "$1" ]] || { echo "the program prints $seen, not $1"; return 1; }
}
write 1 1
shows '1 1'
write 2 1
shows '2 1'
write 2 2
shows '2 2'
