#!/usr/bin/env bash
# Damaged files of each format by the thousand: HostileFiles.java, in one process; and odd ones, written by hand.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
count=3000 seconds=15
all && count=40000 seconds=120
limit=$((seconds + 120))
drive HostileFiles "$count" "$seconds"
