#!/usr/bin/env bash
# Records runs of the regions that are wrong on purpose, and of right ones, and prints what was found.
#
#   recorded.sh [-v] [-j N] DEVICE [FILE.cu...]
#
# DEVICE is one of `magpie verify --device`, such as cuda or cpu:4. Without files: all in the folders wrong and right beside
# this script. Each is checked by the command that a newcomer would type, for a second; its head names arguments and items.
#
# -v    also prints the commands
# -j N  compiles all of them first, N at once: else a command's seconds include its compiler's where the cache lacks it
#
# A command that has not ended after 60 seconds, or 300 where it may have to compile, is killed, and its result is "not ended".
#
# A region of the folder wrong is expected to be found, any other one to be right, unless the head has a line "// recorded:"
# that says what is expected instead, and why.
#
# Environment: MAGPIE names the launcher; by default that of this clone or bundle. Exit status: 0 if no right region was
# found to be wrong or failed, else 1; 2 for wrong usage; 69 if there is no launcher. How many wrong ones were found is
# printed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  sed -n '2,/^set -u/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}
verbose=
jobs=0
while getopts vj: option; do
  case $option in
    v) verbose=yes ;;
    j) jobs=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
[[ $jobs =~ ^[0-9]+$ ]] || { echo "recorded.sh: -j takes a number, not '$jobs'" >&2; exit 2; }
device=$1
shift
[ $# -gt 0 ] || set -- "$here"/wrong/*.cu "$here"/right/*.cu
for file in "$@"; do
  [ -r "$file" ] || { echo "recorded.sh: no file $file" >&2; exit 2; }
done

for candidate in "${MAGPIE:-}" "$here/../../../../examples/magpie" "$here/../../../../../bin/magpie"; do
  [ -n "$candidate" ] && [ -x "$candidate" ] && { magpie=$candidate; break; }
done
[ -n "${magpie:-}" ] || { echo "recorded.sh: no launcher; name it by MAGPIE" >&2; exit 69; }

# said FILE WORD: what the head of a region's file says behind a word.
said() { sed -n "s,^// $2: ,,p" "$1" | head -n 1; }

# command_of FILE: sets `words`. After --timeout the operations of tx fail, and a loop without any is ended 10 s later, on a GPU
# with the process.
command_of() {
  local arguments argument
  words=(verify --region "$1" --items "$(said "$1" items)" --device "$device" --timeout 5)
  read -ra arguments <<< "$(said "$1" arguments)"
  for argument in "${arguments[@]}"; do words+=(--arg "$argument"); done
}
limit=300
checked() { timeout -k 5 "$limit" "$magpie" "${words[@]}" "$@" 2>&1; }

if [ "$jobs" -gt 0 ]; then
  for file in "$@"; do
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
    command_of "$file"
    checked --transactions 1 > /dev/null &
  done
  wait
  limit=60
fi

found=0 wrong=0 alarms=0
printf '%-40s %-9s %8s  %s\n' region result seconds finding
for file in "$@"; do
  command_of "$file"
  [ -z "$verbose" ] || printf '%s' "magpie$(printf ' %q' "${words[@]}")"$'\n'
  begin=$EPOCHREALTIME
  output=$(checked)
  status=$?
  end=$EPOCHREALTIME
  case $status in
    0) result=nothing ;;
    1 | 6 | 8) result=found ;;  # 1: items are left unfinished, or nothing was there to verify
    2 | 3) result=refused ;;
    124 | 137) result="not ended" ;;
    *) result=failed ;;
  esac
  expected=$(said "$file" recorded)
  # A finding is told as kind, field and what it is.
  finding=$(grep -m 1 -E '^[a-z][a-z ]*: [^ ].*(\[|item |slot |handle)' <<< "$output")
  [ $status = 0 ] || [ -n "$finding" ] || finding=$(tail -n 1 <<< "$output")
  [ "$result" = found ] || [ -z "$expected" ] || finding="as expected: $expected"
  printf '%-40s %-9s %8s  %s\n' "$(basename "$file")" "$result" \
    "$(awk "BEGIN { printf \"%.2f\", $end - $begin }")" "$finding"
  case $file in
    */wrong/*) wrong=$((wrong + 1)); [ "$result" != found ] || found=$((found + 1)) ;;
    *) [ "$result" = nothing ] || [ "$result" = "${expected%% *}" ] || alarms=$((alarms + 1)) ;;
  esac
done
echo "$found of $wrong wrong regions found; $alarms right ones found to be wrong, or failed"
[ $alarms = 0 ]
