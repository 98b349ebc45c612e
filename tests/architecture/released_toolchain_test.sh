#!/usr/bin/env bash
# released_toolchain_test.sh EXPORTER MNIST.pt2: a workspace of a user that takes the exporter of a release: models are
# exported, and nothing is compiled. With a WORKSPACE, and as modules that come from a registry and from nowhere else.
#
# The release is an archive of the exporter that is there: what it is laid out as counts, not how it was compiled.
set -euo pipefail
exporter=$(readlink -f "$1")
mnist=$(readlink -f "$2")
source tools/workspace.sh
enter_workspace
source tests/architecture/own_bazel.sh
onnxport=$PWD

# says TEXT COMMAND...: the command fails, and says the text.
says() {
  local text=$1 status=0
  shift
  "$@" >"$TEST_TMPDIR/said" 2>&1 || status=$?
  [[ $status != 0 ]] && grep -qF -- "$text" "$TEST_TMPDIR/said" && return
  cat "$TEST_TMPDIR/said"
  echo "status $status of: $*; it does not say: $text"
  return 1
}

platform=linux-$(uname -m)
prefix=onnxport-0.1.0-$platform
mkdir -p "$TEST_TMPDIR/release/$prefix/bin"
cp "$exporter" "$TEST_TMPDIR/release/$prefix/bin/exporter"
tar -C "$TEST_TMPDIR/release" -czf "$TEST_TMPDIR/$prefix.tar.gz" "$prefix"
sum=$(sha256sum "$TEST_TMPDIR/$prefix.tar.gz" | cut -d ' ' -f 1)
url=file://$TEST_TMPDIR/$prefix.tar.gz

workspace=$TEST_TMPDIR/workspace
mkdir -p "$workspace/models" "$workspace/releases"
cp "$mnist" "$workspace/models/mnist.pt2"
head -c 1000 "$mnist" >"$workspace/models/cut.pt2"
cat >"$workspace/BUILD.bazel" <<'END'
load("@onnxport//rules:defs.bzl", "onnx_model", "onnx_models", "onnx_verify_test")
load("@rules_cc//cc:defs.bzl", "cc_library")

onnx_model(
    name = "mnist",
    inputs = ["x=f32[batch,1,28,28]"],
    model = "models/mnist.pt2",
)

onnx_model(
    name = "wrong_option",
    opset = 3,
    model = "models/mnist.pt2",
    tags = ["manual"],
)

onnx_model(
    name = "mnist_with_data",
    external_data = True,
    model = "models/mnist.pt2",
)

onnx_models(
    name = "zoo",
    inputs = {"models/mnist": ["x=f32[batch,1,28,28]"]},
    models = glob(["models/*.pt2"]),
    opsets = [11, 18],
    refused = "row",
)

onnx_models(
    name = "zoo_with_data",
    external_data = True,
    models = ["models/mnist.pt2"],
    opsets = [11, 18],
)

onnx_models(
    name = "strict_zoo",
    models = glob(["models/*.pt2"]),
    tags = ["manual"],
)

onnx_models(
    name = "misspelt_zoo",
    inputs = {"mnits": []},
    models = ["models/mnist.pt2"],
    tags = ["manual"],
)

cc_library(
    name = "uses_a_library",
    srcs = ["uses_a_library.cc"],
    deps = ["@xxhash"],
)

onnx_verify_test(
    name = "verify_test",
    model = ":mnist",
    tags = ["manual"],
)
END
printf '#include <xxhash.h>\n#ifndef OF_THE_ARCHIVE\n#error another xxhash\n#endif\n' >"$workspace/uses_a_library.cc"

# A library that comes as an archive.
mkdir -p "$TEST_TMPDIR/library/xxhash-9/include"
echo '#define OF_THE_ARCHIVE' >"$TEST_TMPDIR/library/xxhash-9/include/xxhash.h"
tar -C "$TEST_TMPDIR/library" -czf "$TEST_TMPDIR/xxhash.tar.gz" xxhash-9
library_sum=$(sha256sum "$TEST_TMPDIR/xxhash.tar.gz" | cut -d ' ' -f 1)
library="sha256 = \"$library_sum\", strip_prefix = \"xxhash-9\", urls = [\"file://$TEST_TMPDIR/xxhash.tar.gz\"]"

cp .bazelversion "$workspace"
cd "$workspace"

# write_workspace SHA256
write_workspace() {
  cat >WORKSPACE <<END
local_repository(name = "onnxport", path = "$onnxport")

load("@onnxport//rules:repositories.bzl", "onnxport_release")

onnxport_release({"$platform": dict(sha256 = "$1", urls = ["$url"])})

load("@onnxport//:deps.bzl", "onnxport_dependencies")

onnxport_dependencies(libraries = {"xxhash": dict($library)})
END
}
write_module() {
  cat >MODULE.bazel <<END
module(name = "a_user")

bazel_dep(name = "onnxport", version = "0.1.0")

onnxport = use_extension("@onnxport//rules:extensions.bzl", "onnxport")
onnxport.release(platform = "$platform", sha256 = "$1", urls = ["$url"])

bazel_dep(name = "rules_cc", version = "0.0.11")

libraries = use_extension("@onnxport//third_party:extensions.bzl", "libraries")
libraries.library(name = "xxhash", $library)
use_repo(libraries, "xxhash")
END
}

# check FLAGS...: all that there is to see.
check() {
  local compiled
  run build "$@" //...
  compiled=$(run aquery "$@" 'mnemonic("Cpp.*|Operator.*", deps(//... except //:uses_a_library))')
  [[ -z $compiled ]] || { echo "compiled: $compiled"; return 1; }
  "$exporter" export models/mnist.pt2 -o "$TEST_TMPDIR/mnist.onnx" --input 'x=f32[batch,1,28,28]' 2>/dev/null
  cmp "$TEST_TMPDIR/mnist.onnx" bazel-bin/mnist.onnx
  cmp "$TEST_TMPDIR/mnist.onnx" bazel-bin/zoo/models/mnist.opset18/mnist.onnx
  "$exporter" check bazel-bin/mnist_with_data/mnist_with_data.onnx

  # Weights of their own are one blob, whatever the opset.
  local data=bazel-bin/zoo_with_data/models/mnist.opset
  ls "$data"11/*.data
  cmp "$data"{11,18}/*.data

  # The table: of each model and opset a row, the refused one without a model. Its page is one of ours.
  python3 - "$(sha256sum bazel-bin/zoo/models/mnist.opset18/mnist.onnx | cut -d ' ' -f 1)" <<'END'
import json, sys
rows = json.load(open("bazel-bin/zoo/index.json"))["models"]
seen = [(row["name"], row["opset"], row["result"]) for row in rows]
assert seen == [("models/cut.opset11", 11, "bad_input"), ("models/cut.opset18", 18, "bad_input"),
                ("models/mnist.opset11", 11, "exported"), ("models/mnist.opset18", 18, "exported")], seen
assert rows[3]["sha256"] == {"mnist.onnx": sys.argv[1]}, rows[3]
assert rows[3]["nodes"] > 5 and rows[3]["bytes"] > 100000, rows[3]
assert rows[0]["refusals"], rows[0]
END
  grep -q '<td>models/mnist.opset18</td>' bazel-bin/zoo/index.html
  [[ -z $(ls bazel-bin/zoo/models/cut.opset11) ]]

  # The build of a strict one fails, names the model, and has made the table.
  says 'models/cut.opset18' run build "$@" //:strict_zoo
  grep -q bad_input bazel-bin/strict_zoo/index.json
  says 'the models are models/mnist' run build "$@" //:misspelt_zoo
  says 'opset 3 is not supported' run build "$@" //:wrong_option
  says 'that links LibTorch' run build "$@" //:verify_test
}

# With modules, the repositories of the machine's libraries are there as well; only what is used is looked for.
modules=(--enable_bzlmod --noenable_workspace --lockfile_mode=off)
write_module "$sum"
check "${modules[@]}"
write_module "${sum//[0-9]/a}"
says 'Checksum was' run build "${modules[@]}" //:mnist
rm MODULE.bazel

workspaces=(--noenable_bzlmod --enable_workspace)
write_workspace "$sum"
check "${workspaces[@]}"
run shutdown
