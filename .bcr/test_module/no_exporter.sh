#!/bin/sh
echo 'this module is only analysed (.bcr/presubmit.yml)' >&2
exit 1
