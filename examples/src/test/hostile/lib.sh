# What the suites share: a case is begun, runs commands, is checked and ended.
#
#   if begin "onto a full disk"; then
#     run "$MAGPIE" generate road:9 --out full/graph.gr
#     status 7
#     says 'No space left'
#     holds "nothing is left behind" empty full
#     end
#   fi
#
# A case has a folder of its own, which it is in. Besides what it asks for, every run must end in time and without a
# stack trace, a crash, a fault of Magpie's own, "null" or control characters.
set -u
: "${HOSTILE_WORK:?is set by hostile.sh: start that}"
suite=$(basename "$0" .sh)
home=$HOSTILE_WORK/$suite
tried=0 held=0 failed=0 skipped=0
limit=600 # seconds that one command may take: it may have to compile first, on a busy machine
mkdir -p "$home"

job=
trap '[ -z "$job" ] || kill "$job" 2> /dev/null; exit 143' TERM

count() { echo "$tried $held $failed $skipped" > "$HOSTILE_WORK/$suite.counts"; }
trap count EXIT

all() { [ "$HOSTILE_SIZE" = all ]; }

begin() { # <case>; false if it was not asked for
  name=$suite/$1
  # shellcheck disable=SC2053 # a pattern
  [[ $name == $HOSTILE_CASE ]] || return 1
  tried=$((tried + 1))
  problems=()
  ran=
  folder=$home/case-$tried
  mkdir "$folder" && cd "$folder" || exit 1
  RANDOM=$(($(cksum <<< "$HOSTILE_SEED $name" | cut -d' ' -f1) % 32768))
}

end() {
  cd "$home" || exit 1
  if [ ${#problems[@]} = 0 ]; then
    held=$((held + 1))
    remove "$folder"
    return
  fi
  failed=$((failed + 1))
  local what
  what=$(printf '%s; ' "${problems[@]:0:3}")
  [ ${#problems[@]} -le 3 ] || what+="and $((${#problems[@]} - 3)) more; "
  printf 'FAILED %s: %sby: %s repeat: %q --seed %s --case %q all %s\n' "$name" "$what" "$ran" \
    "$(dirname "$0")/hostile.sh" "$HOSTILE_SEED" "$name" "$suite"
  count
}

remove() {
  if [ -n "${HOSTILE_MOUNTS:-}" ]; then umount "$1"/*/ 2> /dev/null; fi
  chmod -R u+rwX "$1" 2> /dev/null
  rm -rf "$1"
}

skip() { # <cases> <reason>
  # shellcheck disable=SC2053
  [[ $suite/$1 == $HOSTILE_CASE ]] || return 0
  skipped=$((skipped + 1))
  echo "skipped $suite/$1: $2"
}

problem() { problems+=("$1"); }

out() { echo "$folder.out"; }
err() { echo "$folder.err"; }

# Runs a command: its output goes to files, its status to $code.
run() {
  ran=$(printf '%q ' "$@")
  exec 3>&2 2> /dev/null # bash would tell of a signal
  timeout --kill-after=10 "$limit" "$@" > "$folder.out" 2> "$folder.err" 3>&- < /dev/null &
  job=$!
  wait "$job"
  code=$?
  job=
  exec 2>&3 3>&-
  sound
}

# What no command may do.
sound() {
  case $code in
    124 | 137) problem "did not end within $limit s" ;;
    13[2-69] | 70) problem "status $code" ;;
  esac
  local both
  both=$(tr -d '\000' < "$folder.err" | head -c 100000)
  [[ $both != *$'\tat '* ]] || problem "a stack trace"
  [[ $both != *"fault of Magpie"* ]] || problem "blames itself: $(first <<< "$both")"
  [[ $both != *$'\e'* ]] || problem "a raw escape character"
  [[ ! $both =~ (: null|=null|\'null\'|^null) ]] || problem "says null: $(first <<< "$both")"
  grep -q 'A fatal error has been detected' "$folder.out" && problem "the JVM crashed"
  compgen -G "$folder/hs_err*" > /dev/null && problem "left a crash log"
  return 0
}

first() { grep -m1 . | tr -d '[:cntrl:]' | cut -c1-200; }

status() { # <status>...: one of these
  [[ " $* " == *" $code "* ]] || problem "status $code, not ${*// / or }: $(cat "$folder.err" "$folder.out" | first)"
}

says() { # <extended regular expression>, in the standard error
  grep -qE -- "$1" "$folder.err" || problem "does not say '$1' but '$(first < "$folder.err")'"
}

prints() { # the same in the standard output
  grep -qE -- "$1" "$folder.out" || problem "does not print '$1' but '$(first < "$folder.out")'"
}

never() { # neither
  ! grep -qhE -- "$1" "$folder.err" "$folder.out" || problem "says '$(grep -hE -- "$1" "$folder.err" "$folder.out" | first)'"
}

failed_with_message() { # a status other than 0 comes with a sentence
  [ "$code" = 0 ] || grep -q . "$folder.err" || grep -q . "$folder.out" || problem "status $code without a word"
}

holds() { # <what> <command>...: a condition
  local what=$1
  shift
  "$@" > /dev/null 2>&1 || problem "not true: $what"
}

empty() { [ -z "$(ls -A "$1")" ]; }

only() { # <folder> <name>...: nothing else is in it
  local folder=$1
  shift
  [ "$(ls -A "$folder" | sort)" = "$(printf '%s\n' "$@" | sort)" ]
}

random() { # <n>: from 0 to n - 1, n up to 2^30
  echo $(((RANDOM << 15 | RANDOM) % $1))
}

# A region that reads and writes, as only those are verified, and the arguments that it takes.
region() {
  cat << 'END'
#include "magpie/stm.cuh"
struct add {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t) const {
    using magpie::stm::outcome;
    const auto cell = tx.open(cells, 0);
    std::uint32_t x;
    return tx.read(cell, &value[0], x) && tx.write(cell, &value[0], x + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(add)
END
}
cells=(--arg cells=objects:1 --arg value=zeros:1)

# Class path and options of the Java that the launcher runs, to run other classes by.
drivers() {
  local root
  root=$(dirname "$(dirname "$MAGPIE")")
  if [ -x "$root/runtime/bin/java" ]; then
    java=("$root/runtime/bin/java" -Djava.library.path="$root/native" -Djna.boot.library.path="$root/native"
      -Dmagpie.precompiled="$root/precompiled" -cp "$root/modules/examples/target/test-classes:$root/lib/*")
    classes=$root/modules/examples/target/test-classes
  else
    root=$(dirname "$MAGPIE")/target
    classes=$root/test-classes
    java=("${JAVA_HOME:+$JAVA_HOME/bin/}java" -Djava.library.path="$root/native" -Djna.boot.library.path="$root/native"
      -cp "$classes:$root/*:$root/lib/*")
  fi
  java+=(-Djna.nounpack=true -Dmagpie.command="$MAGPIE" -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED)
}

# Runs a driver: a Java class that tries many cases in one process, and ends with the counts of them.
drive() { # <class> <argument>...
  local class=$1
  shift
  drivers
  if ! [ -f "$classes/io/magpie/examples/cli/$class.class" ]; then
    skip '*' "there is no $class in $classes: mvn package -DskipTests"
    return
  fi
  # shellcheck disable=SC2086
  (cd "$home" && exec timeout --kill-after=10 "$limit" "${java[@]}" -Xmx512m "io.magpie.examples.cli.$class" \
    --seed "$HOSTILE_SEED" --case "${HOSTILE_CASE#"$suite"/}" "$@" > driver.out 2> driver.err < /dev/null) &
  job=$!
  wait "$job"
  local code=$? a b c
  job=
  grep -v '^counts ' "$home/driver.out"
  if read -r _ a b c < <(grep '^counts ' "$home/driver.out"); then
    tried=$((tried + a)) held=$((held + b)) failed=$((failed + c))
  else
    tried=$((tried + 1)) failed=$((failed + 1))
    echo "FAILED $suite/$class: the driver ended with status $code: $(tail -n 3 "$home/driver.err" | tr '\n' ' ')"
  fi
}
