#!/usr/bin/env bash
# One file of tests, with Python's own test runner.
set -euo pipefail
export PYTHONPATH=$PWD/python OMP_NUM_THREADS=2
exec python3 -B -W ignore "python/tests/$1.py"
