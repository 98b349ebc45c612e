#!/usr/bin/env bash
# packages_test.sh COMMIT ARCHIVE DEB IMAGE MODEL FILE...: what a user does with each of them works. The FILEs are all of a
# release, with their sums; COMMIT is a pattern of what the exporter says of its commit.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin  # where chroot and what dpkg wants are
commit=$1 archive=$PWD/$2 deb=$PWD/$3 image=$PWD/$4 model=$PWD/$5
shift 5
fail() { echo "FAILED: $*" && exit 1; }

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/packages.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# The sums are those of all files, under the names that are downloaded.
mkdir "$work/all"
cp -L "$@" "$work/all"
(cd "$work/all" && sha256sum --quiet -c SHA256SUMS) || fail "the sums"
(($(wc -l <"$work/all/SHA256SUMS") == $# - 1)) || fail "files without a sum"
rm -r "$work/all"

# The archive: unpacked anywhere, it runs from there.
mkdir "$work/archive"
tar -xzf "$archive" -C "$work/archive" --strip-components=1
version=$("$work/archive/bin/exporter" --version) || fail "the exporter of the archive does not run"
grep -qE "^exporter [0-9.]+ \(${commit}linux-x86_64, release build\)\$" <<<"$version" || fail "it says of itself: $version"
"$work/archive/bin/exporter" export "$model" -o "$work/expected.onnx" >/dev/null || fail "it exports nothing"

# Its other program starts on this machine, and looks for ONNX Runtime beside itself.
echo 'no library' >"$work/archive/bin/libonnxruntime.so"
! "$work/archive/bin/exporter-onnxruntime" --version 2>"$work/log" || fail "exporter-onnxruntime loads what is no library"
grep -qF "$work/archive/bin/libonnxruntime.so: " "$work/log" || fail "exporter-onnxruntime says: $(cat "$work/log")"
rm "$work/archive/bin/libonnxruntime.so"

documents=$work/archive/share/doc/onnxport
for file in share/man/man1/exporter.1 share/bash-completion/completions/exporter share/doc/onnxport/licences/protobuf \
  share/doc/onnxport/sbom.spdx.json share/doc/onnxport/README.md; do
  [[ -s $work/archive/$file ]] || fail "the archive has no $file"
done
[[ -z $(find "$work/archive" -type f -perm /111 ! -path "*/bin/*") ]] || fail "files that are no programs can be run"

# Everything that is linked has a licence and a line in the bill.
for file in "$documents"/licences/*; do
  grep -q "\"name\":\"${file##*/}\"" "$documents/sbom.spdx.json" || fail "the bill lacks ${file##*/}"
done

# The Debian package has the same program below /usr, says who may do what with it, and leaves nothing when it is removed.
if command -v dpkg >/dev/null; then
  root=$work/deb
  mkdir -p "$root/var/lib/dpkg/"{info,updates}
  touch "$root/var/lib/dpkg/status"
  dpkg_there() { dpkg --root="$root" --force-not-root,bad-path --log=/dev/null "$@" >"$work/log" 2>&1 || fail "$(cat "$work/log")"; }
  dpkg_there --install "$deb"
  dpkg --root="$root" --status onnxport | grep -q 'Status: install ok installed' || fail "dpkg has not installed it"
  dpkg --root="$root" --verify onnxport || fail "md5sums of the package"
  for program in exporter exporter-onnxruntime; do
    cmp "$root/usr/bin/$program" "$work/archive/bin/$program" || fail "another $program in the package"
  done
  for file in "$documents"/licences/*; do
    grep -q "^Files: ${file##*/}/\*" "$root/usr/share/doc/onnxport/copyright" || fail "copyright lacks ${file##*/}"
  done
  dpkg_there --remove onnxport
  [[ -z $(find "$root" -path "$root/var" -prune -o ! -type d -print) ]] || fail "files are left: $(find "$root")"
fi

# The image: the layer for this machine is a root in which the program exports a model with nothing else.
mkdir "$work/image" "$work/root"
tar -xf "$image" -C "$work/image"
layer=$(tr '{' '\n' <"$work/image/manifest.json" | sed -n 's/.*"Layers":\["\([^"]*\)"\].*-amd64"\].*/\1/p')
tar -xzf "$work/image/$layer" -C "$work/root"
cp -L "$model" "$work/root/work/model.pt2"
unshare --user --map-root-user --mount --net env -i "$(command -v chroot)" "$work/root" \
  /exporter export /work/model.pt2 -o /work/model.onnx >/dev/null || fail "the exporter does not run in the image"
cmp "$work/root/work/model.onnx" "$work/expected.onnx" || fail "another model in the image"
for licence in "$documents"/licences/*; do
  [[ ${licence##*/} != onnxruntime ]] || continue  # of a program that the image has not
  cmp "$licence" "$work/root/licences/${licence##*/}" || fail "the image lacks the licence ${licence##*/}"
done
echo PASSED
