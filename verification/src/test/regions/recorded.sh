#!/usr/bin/env bash
# Records runs of the regions that are wrong on purpose, and of right ones, and prints what was found.
#
#   recorded.sh DEVICE [FILE.cu...]
#
# DEVICE is one of `magpie verify --device`, such as cuda or cpu:4. Without files: all in the folders wrong and right beside
# this script. Each is run by the command that is also printed with -v: its head names its arguments and items.
#
# A region of the folder wrong is expected to be found unless its head says "// recorded: nothing", any other is not.
#
# Environment: MAGPIE names the launcher; by default that of this clone or bundle. Exit status: 1 if a right region was
# found to be wrong or failed, 2 for wrong usage, 69 if there is no launcher. How many wrong ones were found is printed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

verbose=
[ "${1:-}" = -v ] && { verbose=yes; shift; }
[ $# -gt 0 ] || { sed -n '2,/^set -u/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
device=$1
shift
[ $# -gt 0 ] || set -- "$here"/wrong/*.cu "$here"/right/*.cu

for candidate in "${MAGPIE:-}" "$here/../../../../examples/magpie" "$here/../../../../../bin/magpie"; do
  [ -n "$candidate" ] && [ -x "$candidate" ] && { magpie=$candidate; break; }
done
[ -n "${magpie:-}" ] || { echo "recorded.sh: no launcher; name it by MAGPIE" >&2; exit 69; }

# said FILE WORD: what the head of a region's file says behind a word.
said() { sed -n "s,^// $2: ,,p" "$1" | head -n 1; }

found=0 wrong=0 alarms=0
printf '%-40s %-9s %8s  %s\n' region found seconds finding
for file in "$@"; do
  words=(verify --region "$file" --items "$(said "$file" items)" --device "$device")
  read -ra arguments <<< "$(said "$file" arguments)"
  for argument in "${arguments[@]}"; do words+=(--arg "$argument"); done
  [ -z "$verbose" ] || printf '%s' "magpie$(printf ' %q' "${words[@]}")"$'\n'
  begin=$EPOCHREALTIME
  output=$("$magpie" "${words[@]}" 2>&1)
  status=$?
  end=$EPOCHREALTIME
  case $status in
    0) result=nothing ;;
    6 | 8) result=found ;;
    *) result=failed ;;
  esac
  # What is found is told behind an empty line: kind, field and what it is.
  finding=$(grep -m 1 -E '^(not |torn |guard |unguarded |unchecked |effect |shared |wait|invariant|wrong |left |lost |livelock|no end|fault)[a-z ]*: ' <<< "$output")
  [ -n "$finding" ] || [ $status = 0 ] || finding="status $status: $(tail -n 1 <<< "$output")"
  printf '%-40s %-9s %8s  %s\n' "$(basename "$file")" "$result" \
    "$(awk "BEGIN { printf \"%.2f\", $end - $begin }")" "$finding"
  case $file in
    */wrong/*) wrong=$((wrong + 1)); [ $result != found ] || found=$((found + 1)) ;;
    *) [ $result = nothing ] || alarms=$((alarms + 1)) ;;
  esac
done
echo "$found of $wrong wrong regions found; $alarms false alarms"
[ $alarms = 0 ]
