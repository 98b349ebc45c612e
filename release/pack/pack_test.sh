#!/usr/bin/env bash
# The packing scripts, with Python's own test runner.
set -euo pipefail
exec python3 -B release/pack/pack_test.py
