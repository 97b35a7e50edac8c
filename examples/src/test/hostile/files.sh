#!/usr/bin/env bash
# Damaged files of each format by the thousand, and odd ones: HostileFiles.java, in one process.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
count=3000 seconds=15 megabytes=16
all && count=40000 seconds=120 megabytes=300
limit=$((seconds + 600))
drive HostileFiles "$count" "$seconds" "$megabytes"
