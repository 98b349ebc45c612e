# awk -f count_tests.awk test.xml...: prints "N passed, N failed", and ", N skipped" if any, over all test cases.
# Before that, one line "N WHAT" for each property "count: WHAT" that tests record, summed up.
#
# Bazel writes a test.xml for each test; GoogleTest fills it with its cases, any other test is one case.
# The input is read tag by tag. Text of failures stands in CDATA and may itself look like tags.

BEGIN { RS = "<" }

/^!\[CDATA\[/ { in_text = 1 }
in_text {
  if (index($0, "]]>")) in_text = 0
  next
}

/^testcase[ >]/ {
  verdict = "passed"
  ran = $0 !~ /status="notrun"/
  if (ran) ++count[verdict]
}
/^property name="count: / {
  split($0, parts, "\"")
  what = substr(parts[2], length("count: ") + 1)
  if (!(what in recorded)) names[++kinds] = what
  recorded[what] += parts[4]
}
/^(failure|error)[ >\/]/ { judge("failed") }
/^skipped[ >\/]/ { judge("skipped") }

# The first verdict other than "passed" is a case's verdict, however many failures it lists.
function judge(new) {
  if (!ran || verdict != "passed") return
  --count[verdict]
  verdict = new
  ++count[verdict]
}

END {
  for (i = 1; i <= kinds; ++i) {
    smallest = i
    for (j = i + 1; j <= kinds; ++j) if (names[j] < names[smallest]) smallest = j
    name = names[smallest]
    names[smallest] = names[i]
    print recorded[name], name
  }
  printf "%d passed, %d failed", count["passed"], count["failed"]
  if (count["skipped"]) printf ", %d skipped", count["skipped"]
  print ""
}
