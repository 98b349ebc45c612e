#!/usr/bin/env bash
# packages_test.sh ARCHIVE DEB IMAGE SUMS: what a user does with each of them works.
set -euo pipefail
PATH=$PATH:/usr/sbin  # where chroot is
archive=$PWD/$1 deb=$PWD/$2 image=$PWD/$3 sums=$PWD/$4
fail() { echo "FAILED: $*" && exit 1; }

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/packages.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# The sums are those of the files, under the names that are downloaded.
cp -L "$archive" "$deb" "$image" "$work"
(cd "$work" && sha256sum --quiet -c "$sums") || fail "the sums"
(($(wc -l <"$sums") == 3)) || fail "files without a sum"

# The archive: unpacked anywhere, it runs from there.
mkdir "$work/archive"
tar -xzf "$archive" -C "$work/archive" --strip-components=1
"$work/archive/bin/exporter" --version || fail "the exporter of the archive does not run"
for file in share/man/man1/exporter.1 share/bash-completion/completions/exporter share/doc/onnxport/licences/protobuf \
  share/doc/onnxport/sbom.spdx.json share/doc/onnxport/README.md; do
  [[ -s $work/archive/$file ]] || fail "the archive has no $file"
done
[[ -z $(find "$work/archive" -type f -perm /111 ! -path "*/bin/*") ]] || fail "files that are no programs can be run"

# Everything that is linked has a licence and a line in the bill.
for file in "$work"/archive/share/doc/onnxport/licences/*; do
  grep -q "\"name\":\"${file##*/}\"" "$work/archive/share/doc/onnxport/sbom.spdx.json" || fail "the bill lacks ${file##*/}"
done

# The Debian package has the same files below /usr.
if command -v dpkg-deb >/dev/null; then
  dpkg-deb --info "$deb" | grep -q "Package: onnxport" || fail "dpkg-deb does not read the package"
  dpkg-deb -x "$deb" "$work/deb"
  cmp "$work/deb/usr/bin/exporter" "$work/archive/bin/exporter" || fail "another exporter in the package"
  (cd "$work/deb" && dpkg-deb -I "$deb" md5sums | md5sum --quiet -c -) || fail "md5sums of the package"
fi

# The image: its layer is a root in which the program runs with nothing else.
mkdir "$work/image" "$work/root"
tar -xf "$image" -C "$work/image"
layer=$(sed -n 's/.*"Layers":\["\([^"]*\)"\].*/\1/p' "$work/image/manifest.json")
tar -xzf "$work/image/$layer" -C "$work/root"
unshare --user --map-root-user --mount --net env -i "$(command -v chroot)" "$work/root" /exporter --version >/dev/null ||
  fail "the exporter does not run in the image"
echo PASSED
