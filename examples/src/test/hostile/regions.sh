#!/usr/bin/env bash
# Regions that fault or never end, on each host device and under the explorer: faults.cu, slots.cu.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
source_folder=$(cd "$(dirname "$0")" && pwd)
region=(verify --region "$source_folder/faults.cu" --arg cells=objects:4 --arg value=zeros:4 --arg zero=0 --items 2)

on() { # <machine>: sets device
  case $1 in
    cpu) device=(--device cpu:2 --timeout 2) ;;
    cpu-checked) device=(--device cpu-checked:2 --timeout 2) ;;
    sim) device=(--device sim:1:4 --timeout 2) ;;
    explore) device=(--device sim:1:4 --explore random --runs 3 --steps 1000000 --timeout 10) ;;
  esac
}

both() { cat "$(out)" "$(err)"; }

# A fault that is told: its status, the region, the item where checks know it, and under the explorer the schedule that
# leads to it.
told() { # <machine>
  status 6
  both | grep -q stumble || problem "does not name the region: $(both | first)"
  [ "$1" = cpu ] || both | grep -qE '\bitem [0-9]' || problem "does not name the item: $(both | first)"
  [ "$1" != explore ] || both | grep -q 'explicit' || problem "shows no schedule: $(both | first)"
}

# On cpu, where nothing is checked, the process may end, but not without a word of its own.
told_on_cpu() {
  if [ "$code" = 6 ]; then
    told cpu
  else
    problems=()
    both | grep -qE '^magpie' || problem "ends by $code without a message: $(both | first)"
  fi
}

case_of() { # <machine> <name> <mode>
  on "$1"
  begin "$1 $2" || return
  run "$MAGPIE" "${region[@]}" --arg mode="$3" "${device[@]}"
}

fault() { # <name> <mode>
  for machine in "${machines[@]}"; do
    case_of "$machine" "$1" "$2" || continue
    if [ "$machine" = cpu ]; then told_on_cpu; else told "$machine"; fi
    end
  done
}

checked_fault() { # <name> <mode>: one that cpu, which is not checked, may pass over
  for machine in "${machines[@]}"; do
    [ "$machine" != cpu ] || continue
    case_of "$machine" "$1" "$2" || continue
    told "$machine"
    end
  done
}

endless() { # <name> <mode>: ends by itself, and says so
  for machine in "${machines[@]}"; do
    case_of "$machine" "$1" "$2" || continue
    status 1 6 8 9
    failed_with_message
    end
  done
}

machines=(sim explore)
all && machines=(sim explore cpu-checked cpu)

# Compiled once, with time enough; and right when nothing is wrong.
limit=600
for machine in "${machines[@]}"; do
  if case_of "$machine" "no fault" 0; then
    status 0
    end
  fi
done
limit=120

fault "division by zero" 1
checked_fault "index behind an array" 20
endless "loop that reads through tx" 11
if all; then
  fault "division that overflows" 2
  fault "null pointer" 3
  fault "wild pointer" 4
  fault "stack overflow" 5
  fault "call of nothing" 6
  endless "loop of its own" 10
  endless "retry for ever" 12
  endless "read by an unopened handle" 13
  checked_fault "index -1" 21
  checked_fault "object that there is not" 22
fi

# Pools, from Java. On cpu counts are checked after a launch, elsewhere each slot.
if all; then
  drivers
  slots=("no fault" "slot freed twice" "slot freed outside of a commit" "slot freed that nobody has" "slot freed that there is not")
  for machine in sim:1:4 cpu-checked:2 cpu:2; do
    for mode in "${!slots[@]}"; do
      begin "$machine ${slots[mode]}" || continue
      [ "$mode" = 0 ] && limit=600 || limit=120 # compiled by the first
      run "${java[@]}" -Xmx512m io.magpie.examples.cli.HostileSlots "$source_folder/slots.cu" $machine "$mode"
      if [ "$mode" = 0 ]; then
        status 0
      else
        status 6
        says spill
      fi
      end
    done
  done
fi
