#!/usr/bin/env bash
# Full disks: file systems of 300 KB for each output, for the cache, and for the temporary folder.
# shellcheck source=lib.sh

# Mounts of its own, which end with it; a plain user has them in a user namespace.
if [ -z "${HOSTILE_MOUNTS:-}" ]; then
  for namespace in "unshare -m" "unshare -r -m"; do
    # shellcheck disable=SC2086
    $namespace sh -c 'mount -t tmpfs -o size=300k none /mnt' 2> /dev/null && HOSTILE_MOUNTS=yes exec $namespace bash "$0"
  done
  source "$(dirname "$0")/lib.sh"
  skip '*' "no file system can be mounted here: needs root, or user namespaces (unshare -r -m)"
  exit
fi
source "$(dirname "$0")/lib.sh"

small() { # <folder>
  mkdir "$1" && mount -t tmpfs -o size=300k,mode=755 none "$1"
}

over() { # <file>...: what is to be replaced
  for file; do echo older > "full/$file"; done
}

untouched() { # <file>...: nothing but these and what fills the disk, and as they were
  [ "$(ls -A full | grep -vx filler | sort)" = "$(printf '%s\n' "$@" | sort)" ] || return
  for file; do [ "$(cat "full/$file")" = older ] || return; done
}

full() { # <case> <files that are there> <command>...
  local files
  begin "$1" || return
  read -ra files <<< "$2"
  shift 2
  small full
  over "${files[@]}"
  run "$MAGPIE" "$@"
  status 7
  says 'full/.*No space left'
  holds "the older files are as they were, and nothing else is there" untouched "${files[@]}"
  end
}

full "generate" "graph.gr" generate road:100000 --out full/graph.gr
all && full "generate, compressed" "graph.gr.gz" generate road:100000 --out full/graph.gr.gz
full "refine" "m.node m.ele m.poly" refine --points uniform:20k --device cpu --out full/m
all && full "refine, new" "" refine --points uniform:20k --device cpu --out full/m
all && full "refine, second file" "m.node m.ele m.poly" refine --points uniform:4k --device cpu --out full/m
all && full "refine, picture" "a.png" refine --points uniform:20k --device cpu --png full/a.png
all && full "msf" "f.wel" msf --generate road:100000 --device cpu --out full/f.wel
all && full "partition" "p" partition --generate grid:400 -k 2 --device cpu --out full/p
all && full "verify" "h" verify --workload drawn --transactions 10000 --device cpu --save full/h

filled() { dd if=/dev/zero of="$1/filler" bs=4k 2> /dev/null; true; } # <folder>

# Each of two outputs is of the same state, also when the second does not fit.
if begin "compare"; then
  small full
  over c.json c.csv
  filled full
  run "$MAGPIE" compare msf --generate road:900 --devices cpu --json full/c.json --csv full/c.csv
  status 7
  holds "the older files are as they were" untouched c.csv c.json
  end
fi
if all && begin "json"; then
  small full
  over f.json
  filled full
  run "$MAGPIE" msf --generate road:900 --device cpu --json full/f.json
  status 7
  holds "the older file is as it was" untouched f.json
  end
fi

if begin "cache"; then
  small full
  MAGPIE_CACHE=$folder/full/cache run "$MAGPIE" msf --generate road:900 --device cpu
  status 0
  says 'MAGPIE_CACHE'
  end
fi
if begin "cache and temporary folder"; then
  small full
  small temporary
  MAGPIE_CACHE=$folder/full/cache MAGPIE_JAVA_OPTIONS="$MAGPIE_JAVA_OPTIONS -Djava.io.tmpdir=$folder/temporary" \
    run "$MAGPIE" msf --generate road:900 --device cpu
  status 7
  says 'MAGPIE_CACHE'
  holds "the temporary folder is empty" empty temporary
  end
fi
