#!/usr/bin/env bash
# Tries to break the command line: each case is a hostile command and what must be true of it afterward.
#
#   hostile.sh [--seed N] [--case GLOB] [--keep] [short|all] [SUITE...]
#
# short     a sample of each suite, about a minute: the default
# all       every case, about a quarter of an hour
# SUITE     kills, disks, environments, options, files, cache or regions; without any, all seven
# --seed N  repeats a run: kills, values and damages are drawn from N; without it, from the time
# --case    only cases whose name, as in FAILED lines, matches, such as 'kills/msf*'
# --keep    leaves the folder of the run behind, which is else removed
#
# Prints a line for each case that fails, with what repeats it, and a table. Exit status: 1 if a case failed, 2 for wrong
# usage, 69 if there is nothing to test. Every command is bounded in time; only processes started here are ended; nothing
# uses the network. What needs root or a tool that is missing is skipped, and named.
#
# MAGPIE names the launcher to test, also that of a bundle; by default that of this clone, after `mvn package -DskipTests`.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suites=(kills disks environments options files cache regions)

usage() {
  printf 'hostile.sh: %s\n' "$1" >&2
  sed -n '2,/^set -u/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

export HOSTILE_SEED=$EPOCHSECONDS HOSTILE_CASE='*' HOSTILE_SIZE=short
keep=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --seed) [[ ${2:-} =~ ^[0-9]{1,18}$ ]] || usage "--seed needs a number"; HOSTILE_SEED=$2; shift 2 ;;
    --case) [ -n "${2:-}" ] || usage "--case needs a pattern"; HOSTILE_CASE=$2; shift 2 ;;
    --keep) keep=yes; shift ;;
    *) usage "no option '$1'" ;;
  esac
done
case ${1:-} in short | all) HOSTILE_SIZE=$1; shift ;; esac
for suite in "$@"; do
  [[ " ${suites[*]} " == *" $suite "* ]] || usage "no suite '$suite': ${suites[*]}"
done
[ $# = 0 ] || suites=("$@")

MAGPIE=$(readlink -f "${MAGPIE:-$here/../../../magpie}")
[ -x "$MAGPIE" ] || { echo "hostile.sh: there is no launcher $MAGPIE" >&2; exit 69; }
export MAGPIE

# The suites share a cache of their own; what they start never sees the user's.
HOSTILE_WORK=$(mktemp -d "${TMPDIR:-/tmp}/hostile.XXXXXX") || exit 69
export HOSTILE_WORK MAGPIE_CACHE=$HOSTILE_WORK/cache
# Short commands, many of them: Java's quick compiler alone halves their time.
export MAGPIE_JAVA_OPTIONS="${MAGPIE_JAVA_OPTIONS--XX:TieredStopAtLevel=1 -Xmx1g}"
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS XDG_CACHE_HOME
ulimit -c 0

current=
finish() {
  [ -z "$current" ] || { kill "$current" && wait "$current"; } 2> /dev/null
  [ -n "$keep" ] && echo "kept $HOSTILE_WORK" || { chmod -R u+rwX "$HOSTILE_WORK"; rm -rf "$HOSTILE_WORK"; }
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

echo "hostile.sh $HOSTILE_SIZE, seed $HOSTILE_SEED: $MAGPIE"
mkdir -m 700 "$MAGPIE_CACHE"
"$MAGPIE" devices > "$HOSTILE_WORK/devices" 2>&1 || { cat "$HOSTILE_WORK/devices" >&2; echo "hostile.sh: $MAGPIE does not run" >&2; exit 69; }

table=$(printf '%-14s %8s %8s %8s %8s %8s' suite tried held failed skipped seconds)
status=0
for suite in "${suites[@]}"; do
  begin=$SECONDS
  counts="0 0 0 0"
  bash "$here/$suite.sh" &
  current=$!
  wait "$current" || status=1
  current=
  read -r tried held failed skipped < "$HOSTILE_WORK/$suite.counts" || { echo "FAILED $suite: the suite itself broke off"; status=1; }
  [ "${failed:-1}" = 0 ] || status=1
  table+=$(printf '\n%-14s %8d %8d %8d %8d %8d' "$suite" "${tried:-0}" "${held:-0}" "${failed:-1}" "${skipped:-0}" $((SECONDS - begin)))
  tried= held= failed= skipped=
done
printf '\n%s\n' "$table"
exit $status
