# sha256sum FILES | awk -f includes.awk - FILES
#
# For every source among FILES that tools/tidy.sh checks, prints a line "HASHES FILE": the hashes of the source and of
# all of FILES that it includes, directly or not. Not printed: tests, and what includes LibTorch or a file that is not
# among FILES (a generated one).

FILENAME == "-" {
  hash[$2] = $1
  next
}

/^#include "/ {
  split($0, part, "\"")
  includes[FILENAME] = includes[FILENAME] "\n" part[2]
}

# The header of the .pt2 schema is free of LibTorch.
/^#include <(torch|ATen|c10)\// && !/generated_serialization_types/ { unfit[FILENAME] = 1 }

END {
  for (file in hash) {
    if (file !~ /\.cc$/ || file ~ /_test\.cc$/) continue
    split("", seen)
    material = ""
    if (visit(file)) print material, file
  }
}

# Adds a file and what it includes to `material`; 0 if one of them is unfit.
function visit(file,    names, count, i) {
  if (file in seen) return 1
  seen[file] = 1
  if (!(file in hash) || file in unfit) return 0
  material = material hash[file]
  count = split(substr(includes[file], 2), names, "\n")
  for (i = 1; i <= count; ++i) if (!visit(names[i])) return 0
  return 1
}
