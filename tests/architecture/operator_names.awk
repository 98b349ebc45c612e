# Prints where C++ names operators of PyTorch: in a string literal that starts with one ("aten::relu"), or in a list of
# their plain names. Comments do not count. The first files are operator schemas, the others are sources.
# Usage: awk -f operator_names.awk -v allowed=operator_names.txt SCHEMAS... SOURCES...

BEGIN {
  while ((getline line < allowed) > 0) {
    if (line == "" || line ~ /^#/) continue
    pattern = line
    sub(/ .*/, "", pattern)
    if (line !~ / /) { print allowed ": no reason is given for " pattern; failed = 1 }
    gsub(/\./, "\\.", pattern)
    gsub(/\*/, "[^/]*", pattern)
    patterns[++count] = "^" pattern "$"
  }
  least_in_list = 4  # one or two plain words may mean anything
}

FNR == 1 {
  run = 0
  skipped = 0
  for (i = 1; i <= count; ++i) {
    if (FILENAME ~ patterns[i]) { skipped = 1; used[i] = 1 }
  }
}

FILENAME ~ /_schemas\.txt$/ {
  split($0, parts, /[.(]/)
  colons = index(parts[1], "::")
  if (colons == 0) next
  namespaces[substr(parts[1], 1, colons - 1)] = 1
  plain[substr(parts[1], colons + 2)] = 1
  next
}

skipped { next }

{
  text = $0
  # Literals one by one; `between` is what stands before each.
  while (match(text, /"([^"\\]|\\.)*"|\/\/.*/)) {
    between = substr(text, 1, RSTART - 1)
    literal = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (literal ~ /^\/\//) { text = ""; continue }
    literal = substr(literal, 2, length(literal) - 2)
    for (namespace in namespaces) {
      if (literal ~ "^" namespace "::[A-Za-z_]") report(literal)
    }
    in_list = between ~ /^[ \t,{]*$/ && (literal in plain)
    run = in_list ? run + 1 : 0
    if (run == least_in_list) report("a list of operators up to \"" literal "\"")
  }
  if (text !~ /^[ \t,{}]*$/) run = 0
}

function report(what) {
  print FILENAME ":" FNR ": names an operator: " what
  failed = 1
}

END {
  for (i = 1; i <= count; ++i) {
    if (!used[i]) { print allowed ": no file is like " patterns[i]; failed = 1 }
  }
  exit failed
}
