#!/usr/bin/env bash
# SIGKILL while results are written over older ones, and the signals that ask a process to end.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"

# What writes, and the files it writes; on one thread the same call makes the same files, times in a comparison aside.
commands=(generate msf refine partition compare)
writer() { # <command>: sets writer and files
  case $1 in
    generate) writer=(generate road:100000 --out g.gr) files=(g.gr) ;;
    msf) writer=(msf --generate road:100000 --device cpu:1 --out f.wel) files=(f.wel) ;;
    refine) writer=(refine --points uniform:20k --device cpu:1 --out m) files=(m.node m.ele m.poly) ;;
    partition) writer=(partition --generate grid:200 -k 8 --device cpu:1 --out p) files=(p) ;;
    compare) writer=(compare msf --generate road:20000 --devices cpu:1 --repeats 2 --json c.json --csv c.csv) files=(c.json c.csv) ;;
  esac
}

# A complete run: its files to compare with, and its duration in milliseconds.
reference() { # <command>
  reference=$home/$1
  [ -d "$reference" ] && return
  mkdir "$reference" && cd "$reference" || exit 1
  local begin=${EPOCHREALTIME/./}
  "$MAGPIE" "${writer[@]}" > /dev/null 2>&1 || echo "FAILED kills/$1: does not run undisturbed"
  echo $(((${EPOCHREALTIME/./} - begin) / 1000)) > duration
}

older() { # files that are to be replaced, readable by their owner alone
  for file in "${files[@]}"; do
    echo "older $file" > "$file"
    chmod 600 "$file"
  done
}

# What a file is: older, complete or damaged. A comparison is complete if it has as many whole lines as another.
state() { # <command> <file>
  if cmp -s <(echo "older $2") "$2"; then
    echo older
  elif [ "$1" = compare ] && [ "$(wc -l < "$2")" = "$(wc -l < "$reference/$2")" ] && [ -z "$(tail -c 1 "$2" | tr -d '\n')" ]; then
    echo complete
  elif [ "$1" != compare ] && cmp -s "$2" "$reference/$2"; then
    echo complete
  else
    echo damaged
  fi
}

# Each file is older or complete, all of them the same, and nobody else may read what only the owner could.
judge() { # <command>
  local file states=()
  for file in "${files[@]}"; do
    states+=("$(state "$1" "$file")")
    holds "$file keeps mode 600" [ "$(stat -c %a "$file")" = 600 ]
  done
  [[ " ${states[*]} " != *" damaged "* ]] || problem "damaged: ${files[*]} are ${states[*]}"
  # The two of a comparison take their places one right after the other: a kill can come between.
  [ "$1 ${states[*]}" = "compare older complete" ] ||
    [ "$(printf '%s\n' "${states[@]}" | sort -u | wc -l)" = 1 ] || problem "of two states: ${files[*]} are ${states[*]}"
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); } # <milliseconds>

leftovers() { ls -A | grep -vxF "$(printf '%s\n' "${files[@]}")"; }

start() {
  ran=$(printf '%q ' "$MAGPIE" "${writer[@]}")
  # Interrupts are ignored in the background of a script unless asked for.
  env --default-signal=INT,HUP,TERM timeout --kill-after=5 "$limit" "$MAGPIE" "${writer[@]}" > "$folder.out" 2> "$folder.err" < /dev/null &
  job=$!
  # The process to end: timeout's child, which the launcher becomes.
  until target=$(cat "/proc/$job/task/$job/children" 2> /dev/null) && [ -n "$target" ]; do
    kill -0 "$job" 2> /dev/null || break
  done
  target=${target%% *}
}

killed() { # <command> <round>
  reference "$1"
  local duration
  duration=$(cat "$reference/duration")
  cd "$folder" || exit 1
  older
  start
  if [ $(($2 % 2)) = 1 ]; then # while it writes: as soon as there is something new
    local until=$((${EPOCHREALTIME/./} + duration * 5000))
    while [ -z "$(leftovers)" ] && kill -0 "$job" 2> /dev/null && [ "${EPOCHREALTIME/./}" -lt $until ]; do :; done
    sleep "0.00$(random 10)"
  else
    sleep "$(seconds "$(random "$duration")")"
  fi
  kill -KILL "$target" 2> /dev/null
  wait "$job" 2> /dev/null
  judge "$1"
  leftovers_go
}

# What an ended process leaves is named after its file, as private as it, and gone after the next write.
leftovers_go() {
  local left file found
  for left in $(leftovers); do
    found=
    for file in "${files[@]}"; do [[ $left == *"$file"* ]] && found=yes; done
    [ -n "$found" ] || problem "left $left, whose name does not tell of which file"
    holds "$left is as private as the file it becomes" [ "$(stat -c %a "$left")" = 600 ]
  done
  [ -n "$(leftovers)" ] || return
  run "$MAGPIE" "${writer[@]}"
  status 0
  holds "the next write removes what a killed one left" [ -z "$(leftovers)" ]
}

signaled() { # <command> <signal> <status>
  reference "$1"
  cd "$folder" || exit 1
  older
  start
  local duration
  duration=$(cat "$reference/duration")
  sleep "$(seconds $((duration * (40 + $(random 50)) / 100)))"
  kill "-$2" "$target" 2> /dev/null && sent=yes || sent=
  wait "$job" 2> /dev/null
  code=$?
  sound_signal "$3"
  # A comparison keeps what it has measured: its files are then shorter, and whole lines.
  if [ "$1" = compare ]; then
    for file in "${files[@]}"; do holds "$file ends with a line" [ -z "$(tail -c 1 "$file" | tr -d '\n')" ]; done
  else
    judge "$1"
  fi
  leftovers_go
}

sound_signal() { # <status>
  if [ "$code" = 0 ] || [ -z "$sent" ]; then return; fi # it was over before
  [ "$code" = "$1" ] || problem "status $code, not $1: $(first < "$folder.err")"
  never $'\tat |fault of Magpie|fatal error'
}

rounds=1
all && rounds=20
for command in "${commands[@]}"; do
  writer "$command"
  for ((round = 1; round <= rounds; round++)); do
    if begin "$command killed $round"; then killed "$command" "$round"; end; fi
  done
done

signals=("msf INT 130" "refine TERM 143" "compare HUP 129")
all && for command in "${commands[@]}"; do signals+=("$command INT 130" "$command TERM 143" "$command HUP 129"); done
for each in $(printf '%s\n' "${signals[@]}" | sort -u | tr ' ' ,); do
  IFS=, read -r command signal expected <<< "$each"
  writer "$command"
  if begin "$command $signal"; then signaled "$command" "$signal" "$expected"; end; fi
done
