# Starts Java for the launchers of the clone and of the bundle, which source this file. Plain POSIX shell.
#
# A Java that cannot start, or runs out of the system's memory, ends with status 1, which is a verdict of Magpie's. So
# what keeps it from starting is looked for first, Java is tried where options or limits leave that in doubt, and it
# ends by SIGABRT where it gives up later; the pause is for the signal to arrive before Java exits.

fail() { # <status> <line>...
  status=$1
  shift
  printf 'magpie: %s\n' "$@" >&2
  exit "$status"
}

java_options="${MAGPIE_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}"

# Sets doubtful if options or limits may keep Java from starting, and heap to options for its size.
look_at_limits() {
  heap=-XX:MaxRAMPercentage=60
  doubtful=
  [ -z "${java_options#"${java_options%%[! ]*}"}" ] || doubtful=options
  [ -r /proc/self/limits ] || return 0
  while read -r limit; do
    # shellcheck disable=SC2086
    set -- $limit
    case $limit in
      'Max address space'* | 'Max data size'*)
        # Java would take half of it for the heap, and lack the rest.
        [ "$4" = unlimited ] || { doubtful=memory heap=-Xmx$(($4 / 4096))k; } ;;
      'Max processes'*) [ "$3" = unlimited ] || [ "$3" -ge 4096 ] || doubtful=processes ;;
      'Max open files'*) [ "$5" = unlimited ] || [ "$5" -ge 64 ] ||
        fail 69 "Only $5 files may be open at once (ulimit -n), and Magpie needs 64." ;;
    esac
  done < /proc/self/limits
}

# Sets collector to the option for the garbage collector, unless the user's name one: Java takes no two.
choose_collector() {
  collector=-XX:+UseParallelGC
  for option in $java_options; do
    case $option in -XX:+Use*GC) collector= ;; esac
  done
}

start() { # <java> <class path> <argument>...; MAGPIE_CLASSPATH goes behind the class path
  java=$1
  classes=$2${MAGPIE_CLASSPATH:+:$MAGPIE_CLASSPATH}
  shift 2
  pwd -P > /dev/null 2>&1 || fail 69 "The current folder does not exist any more; change to another one."
  # In the C locale Java cannot name a file with other than ASCII characters.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) { export LC_ALL=C.UTF-8; } 2> /dev/null ;;
  esac
  look_at_limits
  choose_collector
  # shellcheck disable=SC2086
  [ -z "$doubtful" ] || said=$("$java" $collector $heap ${MAGPIE_JAVA_OPTIONS:-} -version 2>&1) ||
    fail 69 "Java does not start with these options (MAGPIE_JAVA_OPTIONS) and limits (ulimit -a):" "$said"
  # shellcheck disable=SC2086
  exec "$java" $collector $heap '-XX:OnError=kill -ABRT %p; sleep 1' --enable-native-access=ALL-UNNAMED ${MAGPIE_JAVA_OPTIONS:-} \
    -cp "$classes" "$@"
}
