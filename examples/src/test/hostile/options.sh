#!/usr/bin/env bash
# Command lines by the thousand, generated from picocli's model of the options: HostileOptions.java, in one process.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
seconds=15
region=()
if all; then
  seconds=150
  for root in "$(dirname "$MAGPIE")" "$(dirname "$MAGPIE")/../modules/examples"; do
    [ ! -f "$root/01-bank-transfer/transfer.cu" ] || region=("$root/01-bank-transfer/transfer.cu")
  done
fi
limit=$((seconds + 600))
drive HostileOptions "$seconds" "${region[@]}"
