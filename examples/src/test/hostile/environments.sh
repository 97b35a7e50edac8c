#!/usr/bin/env bash
# What surrounds the process: limits, folders, languages, streams, compilers and options for Java.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
msf=(msf --generate road:900 --device cpu:2)

# A process that got no Java or no memory must not look like a wrong result (1) or like a fault of Magpie (70).
not_a_verdict() {
  status 0 2 3 4 5 6 7 9 69
  failed_with_message
}

graph() { # <file>
  printf 'p sp 3 2\na 1 2 5\na 2 3 7\n' > "$1"
}

verify=(verify "${cells[@]}" --items 2 --device cpu-checked:2)

# Limits of the shell.
limited() { # <case> <limit> <command>...
  begin "$1" || return
  # shellcheck disable=SC2016
  run bash -c 'ulimit $0 || exit 0; exec "$@"' "$2" "$MAGPIE" "${@:3}"
  not_a_verdict
  end
}
limited "memory of 4 GiB" "-v 4194304" "${msf[@]}"
limited "24 open files" "-n 24" "${msf[@]}"
if all; then
  limited "memory of 1 GiB" "-v 1048576" "${msf[@]}"
  for files in 8 12 16 20 28 32 40 64; do limited "$files open files" "-n $files" "${msf[@]}"; done
  limited "stack of 256 KiB" "-s 256" "${msf[@]}"
  limited "no core, no locked memory" "-l 0" "${msf[@]}"
fi
if all && begin "files of at most 100 KiB"; then
  echo older > g.gr
  run bash -c 'ulimit -f 100; exec "$@"' - "$MAGPIE" generate road:100000 --out g.gr
  status 7
  holds "the older file is as it was" [ "$(cat g.gr)" = older ]
  end
fi
# Processes are counted for each user, and not for root.
if [ "$(id -u)" != 0 ]; then
  skip "12 processes" "counts all processes of this user: needs root, to be a user without any"
elif begin "12 processes"; then
  chmod 755 "$HOSTILE_WORK" "$home" "$folder"
  run setpriv --reuid 54322 --regid 54322 --clear-groups env HOME=/nonexistent MAGPIE_CACHE="$folder/cache" \
    bash -c 'ulimit -u 12; exec "$@"' - "$MAGPIE" "${msf[@]}"
  not_a_verdict
  end
fi

# Folders.
if begin "deleted working folder"; then
  mkdir gone
  run bash -c 'cd gone && rmdir ../gone && exec "$@"' - "$MAGPIE" "${msf[@]}"
  not_a_verdict
  end
fi
if all && begin "no HOME"; then
  run env -u HOME -u MAGPIE_CACHE XDG_CACHE_HOME="$folder/cache" "$MAGPIE" "${msf[@]}"
  status 0
  holds "the working folder holds nothing else" only . cache
  end
fi
if begin "HOME that nobody can write to"; then
  run env -u MAGPIE_CACHE HOME=/proc "$MAGPIE" "${msf[@]}"
  status 0
  holds "the working folder is empty" empty .
  end
fi
if all && begin "temporary folder that is missing"; then
  MAGPIE_JAVA_OPTIONS="$MAGPIE_JAVA_OPTIONS -Djava.io.tmpdir=/nonexistent" run "$MAGPIE" "${msf[@]}"
  not_a_verdict
  end
fi

# Languages.
if begin "C locale and a name outside ASCII"; then
  graph $'stra\303\237e.gr'
  run env -u LC_CTYPE -u LANG LC_ALL=C "$MAGPIE" msf --device cpu --graph $'stra\303\237e.gr'
  status 0 2 3
  [ "$code" = 0 ] || says 'LC_ALL|UTF-8|locale'
  never 'java\.'
  end
fi
if all; then
  for language in tr de ar; do
    if begin "language $language"; then
      MAGPIE_JAVA_OPTIONS="$MAGPIE_JAVA_OPTIONS -Duser.language=$language -Duser.country=XX" run "$MAGPIE" "${msf[@]}" --merge STM --json
      status 0
      prints '"weight" ?: ?[0-9]+'
      end
    fi
  done
  if begin "odd time zone and terminal"; then
    run env TZ=Mars/Olympus TERM=dumb COLUMNS=1 NO_COLOR=1 "$MAGPIE" --help
    status 0
    never $'\e'
    end
  fi
  if begin "no TERM, three columns"; then
    run env -u TERM COLUMNS=3 LINES=0 "$MAGPIE" refine --help
    status 0
    end
  fi
fi

# Streams.
stream() { # <case> <status> <redirection> <command>...
  begin "$1" || return
  run bash -c "exec \"\$@\" $3" - "$MAGPIE" "${@:4}"
  status "$2"
  end
}
stream "full standard output" 7 '> /dev/full' "${msf[@]}"
stream "closed standard output" 7 '>&-' devices
if all; then
  stream "full standard output, help" 7 '> /dev/full' --help
  stream "full standard output, JSON" 7 '> /dev/full' "${msf[@]}" --json
  stream "closed standard error" 0 '2>&-' "${msf[@]}"
  stream "full standard error, wrong usage" 2 '2> /dev/full' msf --bogus
  stream "closed standard input" 0 '<&-' "${msf[@]}"
  stream "all closed" 7 '<&- >&- 2>&-' "${msf[@]}"
  if begin "reader that leaves"; then
    run bash -c '"$@" | head -n 1; exit "${PIPESTATUS[0]}"' - "$MAGPIE" refine --help
    status 0 7 141
    end
  fi
fi

# Compilers.
compiler() { # <case> <what must be said> <compiler>
  begin "compiler $1" || return
  region > add.cu
  MAGPIE_CXX=$3 run "$MAGPIE" "${verify[@]}" --region add.cu
  status 3 4
  says "$2"
  never 'Cannot write'
  holds "nothing was run" [ ! -e PWNED ]
  holds "only the region is here" only . add.cu
  end
}
compiler "that makes nothing" '/bin/true' /bin/true
compiler "with a command behind it" 'g\+\+;touch' 'g++;touch PWNED'
if all; then
  compiler "that fails without a word" '/bin/false' /bin/false
  compiler "that is missing" '/nonexistent/g\+\+' /nonexistent/g++
  compiler "that is a folder" '/tmp' /tmp
  compiler "that is no program" '/etc/passwd' /etc/passwd
  compiler "that prints much" '/bin/cat' /bin/cat
  if begin "compiler none, built-in modules"; then
    MAGPIE_CXX=none MAGPIE_NVCC=none run "$MAGPIE" "${msf[@]}"
    status 0
    end
  fi
fi

# Options for Java.
java_options() { # <case> <options>
  begin "$1" || return
  MAGPIE_JAVA_OPTIONS=$2 run "$MAGPIE" "${msf[@]}"
  not_a_verdict
  end
}
java_options "second garbage collector" -XX:+UseG1GC
java_options "option that Java does not know" -XX:+Bogus
if all; then
  java_options "heap without a size" -Xmx
  java_options "heap larger than addresses" -Xmx999999g
  for heap in 2 5 8; do
    if begin "heap of $heap MiB"; then
      MAGPIE_JAVA_OPTIONS=-Xmx${heap}m run "$MAGPIE" "${msf[@]}"
      status 0 5 69
      failed_with_message
      end
    fi
  done
  if begin "heap that is too small for the graph"; then
    MAGPIE_JAVA_OPTIONS=-Xmx24m run "$MAGPIE" msf --generate road:2000000 --device cpu
    status 5
    says 'MAGPIE_JAVA_OPTIONS'
    end
  fi
  if begin "banner of Java beside JSON"; then
    JAVA_TOOL_OPTIONS=-Dmagpie.hostile=1 run "$MAGPIE" "${msf[@]}" --json
    status 0
    holds "the output begins as JSON" [ "$(head -c 1 "$(out)")" = "{" ]
    end
  fi
  if begin "no Java"; then
    JAVA_HOME=/nonexistent run "$MAGPIE" devices
    if [ -x "$(dirname "$MAGPIE")/../runtime/bin/java" ]; then status 0; else status 69; says 'JAVA_HOME'; fi
    end
  fi
  if begin "empty PATH"; then
    run env PATH=/nonexistent "$(command -v bash)" "$MAGPIE" devices
    status 69 127 # the shell's own, for a command that is not found
    end
  fi
  for device in cpu:1024 cpu:1 cpu-checked:64 sim:9:1 sim:9:32; do
    if begin "device $device"; then
      run "$MAGPIE" msf --generate road:200 --device "$device" --verify
      status 0
      end
    fi
  done
fi

# Names that reach the terminal.
if begin "control characters in a file's name"; then
  run "$MAGPIE" msf --device cpu --graph $'missing\e[31m\a.gr'
  status 3
  end
fi
if all && begin "control characters in an option"; then
  run "$MAGPIE" msf $'--bo\e[2Jgus'
  status 2
  end
fi

# Input that is no file.
if begin "named pipe"; then
  mkfifo pipe.gr
  graph three.gr
  timeout 60 cp three.gr pipe.gr &
  run "$MAGPIE" msf --device cpu --graph pipe.gr
  status 0
  kill $! 2> /dev/null # if nobody has read
  end
fi
if all && begin "standard input"; then
  graph three.gr
  run bash -c '"$@" < three.gr' - "$MAGPIE" msf --device cpu --graph /dev/stdin --format gr
  status 0
  end
fi
if all && begin "process substitution"; then
  graph three.gr
  run bash -c '"$@" --graph <(cat three.gr)' - "$MAGPIE" msf --device cpu --format gr
  status 0
  end
fi
if all && begin "named pipe without a writer is waited for, and ends when told"; then
  mkfifo pipe.gr
  run bash -c 'timeout -s INT -k 9 4 "$@"; [ $? = 124 ]' - env --default-signal=INT "$MAGPIE" msf --device cpu --graph pipe.gr
  status 0
  end
fi
if all && begin "region whose name has a number sign"; then
  region > 'a#b.cu'
  run "$MAGPIE" "${verify[@]}" --region 'a#b.cu'
  status 0
  end
fi
