#!/usr/bin/env bash
# Checks the regions that are wrong on purpose, and right ones, and prints what was found.
#
#   recorded.sh [-v] [-j N] DEVICE | --explore STRATEGY [FILE.cu...]
#
# DEVICE is one of `magpie verify --device`: cuda or cpu:4, where runs are recorded for a second, or sim, where schedules are
# explored for ten; STRATEGY is one of its `--explore`, such as pct:2. Without files: all in the folders wrong and right beside
# this script. Each is checked by the command that a newcomer would type; its head names arguments and items.
#
# -v    also prints the commands
# -j N  compiles all of them first, N at once: else a command's seconds include its compiler's where the cache lacks it
#
# A command that has not ended after 60 seconds, or 300 where it may have to compile, is killed, and its result is "not ended".
#
# Results: "found" is a finding, of the kind that the output names, else "unknown", or a fault; "nothing" is a verdict; without
# one, and why is said, are "unfinished", where items are left unfinished or time was up, and "unverified", where the run was
# vacuous.
#
# Heads say what to expect. Where every access is seen, on the simulator and on processors, it is "// expect: KIND at FIELD", on
# the line that ends in "// here", "// expect: vacuous run" or "// expect: nothing". What a GPU itself shows is "// recorded: KIND
# at FIELD or KIND (why)", with as many kinds as may come, also "nothing", "unfinished" and "vacuous run", and FIELD where it is
# known; without that line nothing is expected of right regions, and something of others. After its first run the items run on a
# processor as well, and what only that shows is said and counted so.
#
# A wrong region counts as found by a finding or a fault; by a vacuous run only where its head expects that of the simulator.
#
# Environment: MAGPIE names the launcher; by default that of this clone or bundle. Exit status: 0 if no right region was
# found to be wrong or failed, and on the simulator all regions came out as expected, else 1; 2 for wrong usage; 69 if there is
# no launcher.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The words of Violation.Kind: RegionsScriptTest compares.
kinds='not serializable|not strictly serializable|not opaque|torn read|double free|use after free|recycled number'
kinds+='|foreign free|dangling reference|guard mismatch|unguarded access|stale load|unchecked hint|effect not undone'
kinds+='|not repeatable|leak|shared hook|wait|invariant|wrong result|left claimed|lost item|livelock|no end|bad handle|fault'
kinds+='|vacuous run'

usage() {
  sed -n '2,/^set -u/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}
verbose=
jobs=0
how=()
# To getopts, --explore is the option "-" with "explore" as its argument.
while [ ${#how[@]} = 0 ] && getopts :vj:-: option; do
  case $option${OPTARG:-} in
    v) verbose=yes ;;
    j*) jobs=$OPTARG ;;
    -explore) how=(--explore "${!OPTIND:-}"); OPTIND=$((OPTIND + 1)) ;;
    *) usage ;;
  esac
done
[ "$OPTIND" -le $(($# + 1)) ] || usage
shift $((OPTIND - 1))
if [ ${#how[@]} = 0 ] && [ $# -gt 0 ]; then
  how=(--device "$1")
  shift
fi
[ -n "${how[1]:-}" ] || usage
[[ $jobs =~ ^[0-9]+$ ]] || { echo "recorded.sh: -j takes a number, not '$jobs'" >&2; exit 2; }
simulated= traced=
case ${how[*]} in
  --explore* | "--device sim" | "--device sim:"*) simulated=yes traced=yes ;;
  "--device cpu"*) traced=yes ;;
esac
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
# with the process; on the simulator it would bound the search.
command_of() {
  local arguments argument
  words=(verify --region "$1" --items "$(said "$1" items)" "${how[@]}")
  [ -n "$simulated" ] || words+=(--timeout 5)
  read -ra arguments <<< "$(said "$1" arguments)"
  for argument in "${arguments[@]}"; do words+=(--arg "$argument"); done
}
limit=300
checked() { timeout -k 5 "$limit" "$magpie" "${words[@]}" "$@" 2>&1; }

if [ "$jobs" -gt 0 ]; then
  for file in "$@"; do
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
    command_of "$file"
    if [ -n "$simulated" ]; then checked --runs 1; else checked --transactions 1; fi > /dev/null &
  done
  wait
  limit=60
fi

# A finding of runs on a processor begins so, behind its kind.
on_processor='the same items on a processor: '

# is_at FIELD: whether the finding names a datum of this field, or its pool.
is_at() { [[ $finding == *"$1["* || $finding == *"'$1'"* ]]; }

# is_expected FILE: whether the outcome is as the head says.
is_expected() {
  local expected=$2 each
  local seen=$traced
  [[ $finding != *"$on_processor"* ]] || seen=yes
  while [ -n "$expected" ]; do
    each=${expected%% or *}
    if [ "$each" = "$expected" ]; then expected=; else expected=${expected#* or }; fi
    [ "${each%% at *}" = "$kind" ] || continue
    [ "${each%% at *}" != "$each" ] || return 0
    is_at "${each##* at }" || continue
    [ -n "$seen" ] || return 0
    [[ $finding == *"($(basename "$1"):$(grep -n -m 1 '// here$' "$1" | cut -d : -f 1))"* ]] && return 0
  done
  return 1
}

found=0 wrong=0 alarms=0 others=0 there=0
declare -A of_kind=()
printf '%-36s %-10s %-20s %8s  %s\n' region result kind seconds finding
for file in "$@"; do
  command_of "$file"
  [ -z "$verbose" ] || printf '%s' "magpie$(printf ' %q' "${words[@]}")"$'\n'
  begin=$EPOCHREALTIME
  output=$(checked)
  status=$?
  end=$EPOCHREALTIME
  # A finding begins with its kind, and goes on to the next empty line. The first one counts; with status 0 there is none.
  finding=
  [ $status = 0 ] || finding=$(awk -v kinds="^($kinds): " '$0 ~ kinds { on = 1 } /^$/ && on { exit } on' <<< "$output")
  kind=${finding%%: *}
  last=$(tail -n 1 <<< "$output")
  case $status in
    0) result=nothing kind=nothing ;;
    1)
      result=unverified finding=${finding:-$last}
      [ -n "$kind" ] || result=unfinished kind=unfinished ;;
    6) result=found kind=${kind:-fault} finding=${finding:-$last} ;;
    8) result=found kind=${kind:-unknown} finding=${finding:-$last} ;;
    2 | 3) result=refused kind= finding=$last ;;
    124 | 137) result="not ended" kind= finding=$last ;;
    *) result=failed kind= finding=$last ;;
  esac
  if [ -n "$traced" ] || [[ $finding == *"$on_processor"* ]]; then head=$(said "$file" expect); else head=$(said "$file" recorded); fi
  expected=${head%% (*}
  case $(basename "$(dirname "$(realpath "$file")")") in
    wrong)
      wrong=$((wrong + 1))
      counts=
      [ "$result" = found ] && counts=yes
      [ "$kind" = "vacuous run" ] && [ "$(said "$file" expect)" = "vacuous run" ] && counts=yes
      if [ -n "$counts" ]; then
        found=$((found + 1))
        [[ $finding != *"$on_processor"* ]] || there=$((there + 1))
        of_kind[$kind]=$((${of_kind[$kind]:-0} + 1))
      fi ;;
    *) counts=no expected=${expected:-nothing} ;;
  esac
  note=
  if [ -n "$expected" ] && ! is_expected "$file" "$expected"; then
    others=$((others + 1))
    note="expected: $expected; "
  elif [ -z "$expected" ] && [ -z "$counts" ]; then
    others=$((others + 1))
    note="expected: a finding; "
  elif [ "$result" = nothing ] && [ "$head" != "${head%% (*}" ]; then
    note="as expected: $head"
  fi
  [ "$counts" != no ] || [ -z "$note" ] || [[ $note == "as expected"* ]] || alarms=$((alarms + 1))
  printf '%-36s %-10s %-20s %8s  %s\n' "$(basename "$file")" "$result" "$kind" \
    "$(awk "BEGIN { printf \"%.2f\", $end - $begin }")" "$note$(head -n 1 <<< "$finding")"
done
only=
[ $there = 0 ] || only=", $there of them only on a processor"
echo "$found of $wrong wrong regions found$only; $alarms right ones found to be wrong, or failed; $others not as their heads say"
for kind in "${!of_kind[@]}"; do printf '%6d  %s\n' "${of_kind[$kind]}" "$kind"; done | sort -k 1,1nr -k 2
[ $alarms = 0 ] && { [ -z "$simulated" ] || [ $others = 0 ]; }
