# Prints includes from a folder to one that stands below it in the list, and groups that do not stand together in it.
# The first file is the list; the others are sources.
FNR == NR {
  if ($0 ~ /^#/ || NF == 0) next
  rank[$1] = ++count
  split($1, part, "/")
  group = part[1] "/" part[2]
  if (group != last && group in begun) complain($1 " stands apart from the others of " group)
  begun[group]
  last = group
  next
}

FNR == 1 {
  folder = FILENAME
  sub(/\/[^\/]*$/, "", folder)
  sub(/^.*\/tree\//, "", folder)
  if (!(folder in rank)) complain(folder " is not in the list")
}

/^#include "(runtime|codegen)\// {
  included = $2
  gsub(/"/, "", included)
  from = included
  sub(/\/[^\/]*$/, "", from)
  ++seen
  if (!(from in rank)) complain(from " is not in the list")
  else if (rank[from] > rank[folder]) complain(included " lies above " folder)
}

function complain(what) {
  print FILENAME ":" FNR ": " what
  failed = 1
}

END { exit failed || seen == 0 }
