#!/usr/bin/env bash
# Command lines by the thousand, generated from picocli's model of the options: HostileOptions.java, in one process.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
seconds=15
all && seconds=150
limit=$((seconds + 120))
drive HostileOptions "$seconds"
