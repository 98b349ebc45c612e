#!/usr/bin/env bash
# Counts a file as GoogleTest writes it and one as Bazel writes it for other tests.
set -euo pipefail
cd "$TEST_TMPDIR"

cat > googletest.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" disabled="1" name="AllTests">
  <testsuite name="Dim" tests="5">
    <testcase name="Adds" status="run" result="completed" classname="Dim" />
    <testcase name="Less&lt;int&gt;" status="run" result="completed" classname="Dim" />
    <testcase name="Fails" status="run" result="completed" classname="Dim">
      <failure message="Expected" type=""><![CDATA[Expected
<testcase name="in text"><failure>
]]></failure>
      <failure message="twice" type=""><![CDATA[again]]></failure>
    </testcase>
    <testcase name="Skips" status="run" result="skipped" classname="Dim">
      <skipped message="no"><![CDATA[no]]></skipped>
    </testcase>
    <testcase name="DISABLED_Off" status="notrun" result="suppressed" classname="Dim" />
  </testsuite>
</testsuites>
XML
cat > shell.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="tools/x" tests="1" failures="0" errors="1">
    <testcase name="tools/x" status="run" duration="0" time="0"><error message="exited with error code 1"></error></testcase>
      <system-out>Generated test.log (if the file is not UTF-8, then this may be unreadable):
<![CDATA[<testcase>]]></system-out>
    </testsuite>
</testsuites>
XML

cat > counts.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="aten_relu">
  <testcase name="cells" status="run" result="completed" classname="aten_relu">
    <properties>
      <property name="count: dtype cells that agree" value="12"/>
      <property name="count: declared refusals" value="1"/>
    </properties>
  </testcase>
  <testcase name="more" status="run" result="completed" classname="aten_relu">
    <properties><property name="count: dtype cells that agree" value="30"/></properties>
  </testcase>
</testsuite></testsuites>
XML

expect() {
  local expected=$1 seen
  shift
  seen=$(awk -f "$TEST_SRCDIR/$TEST_WORKSPACE/tools/count_tests.awk" "$@")
  [[ $seen == "$expected" ]] || { echo "$*: expected '$expected', saw '$seen'" && exit 1; }
}
expect "2 passed, 1 failed, 1 skipped" googletest.xml
expect "0 passed, 1 failed" shell.xml
expect "2 passed, 2 failed, 1 skipped" googletest.xml shell.xml
expect $'1 declared refusals\n42 dtype cells that agree\n2 passed, 0 failed' counts.xml
