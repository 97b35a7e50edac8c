#!/usr/bin/env bash
# Attacks on the cache of compiled code: headers that change, entries that are damaged, swapped or planted, and folders
# that others can write to.
# shellcheck source=lib.sh
source "$(dirname "$0")/lib.sh"
msf=(msf --generate road:900 --device cpu:2)
other=54321 # a user without a name, and with nothing of its own

# A cache with the built-in modules that the forest needs, in ./cache.
warm() {
  export MAGPIE_CACHE=$folder/cache
  mkdir -m 700 cache
  "$MAGPIE" "${msf[@]}" > "$(out)" 2>&1 || problem "does not run with a new cache: $(first < "$(out)")"
}
cold() { export MAGPIE_CACHE=$HOSTILE_WORK/cache; }

entries() { find "$1" -name '*.so' -type f; }

# A library that tells when it is loaded.
evil() { # <file>
  printf '__attribute__((constructor)) static void run(void) { __builtin_trap(); }\n' > evil.c
  g++ -x c -shared -fPIC -o "$1" evil.c
}

# Gives an entry whatever content, with the checksum that would be its own.
plant() { # <library> <entry>
  cp "$1" "$2.new" && mv "$2.new" "$2"
  [ -e "$2.sha256" ] && sha256sum "$2" | cut -d' ' -f1 > "$2.sha256"
}

# Has two entries of ./cache change places.
swap() { # <name of a source> <name of another>
  local first second
  first=$(entries cache | grep "/$1") second=$(entries cache | grep "/$2")
  if ! { [ -f "$first" ] && [ -f "$second" ]; }; then
    problem "there is no entry each for $1 and $2, but: $(entries cache | tr '\n' ' ')"
    return
  fi
  cp "$first" kept
  plant "$second" "$first"
  plant kept "$second"
}

# ---- Headers: after one has changed, what was compiled with it must not be run again. Changed ones do not compile, which
# tells a second compilation from none, and takes less time.

headers() { # writes regions, and the header of each kind of inclusion
  mkdir path cpath
  for kind in plain comment digraph continued import macro nested; do echo "enum { from_$kind };" > "$kind.h"; done
  echo '#include "nested.h"' > outer.h
  echo 'enum { from_path };' > path/path.h
  echo 'enum { from_cpath };' > cpath/cpath.h
  cat > region.cu << 'END'
#include "plain.h"
#include/**/"comment.h"
%:include "digraph.h"
#\
include "continued.h"
#import "import.h"
#include "outer.h"
#include <path.h>
#include <cpath.h>
#if __has_include("asked.h")
#error CHANGED
#endif
END
  region >> region.cu
  { echo '#define HEADER "macro.h"' && sed '/#include\/\*/,/CHANGED/d; s/#include "plain.h"/#include HEADER/; /#endif/d' region.cu; } > macro.cu
}

compile() { # [source]
  run env CPLUS_INCLUDE_PATH="$folder/path" CPATH="$folder/cpath" "$MAGPIE" verify --region "${1:-region.cu}" "${cells[@]}" --items 1 --device cpu:1
}

noticed() { # <header> <source>: a header that no longer compiles
  compile "$2"
  [ "$code" = 3 ] && grep -q CHANGED "$(err)" || problem "stale code: runs what was compiled before $1 changed"
}

if begin "headers that change"; then
  headers
  compile
  status 0
  for header in plain.h comment.h digraph.h continued.h import.h nested.h path/path.h cpath/cpath.h; do
    cp "$header" kept
    echo '#error CHANGED' >> "$header"
    noticed "$header" region.cu
    cp kept "$header"
  done
  : > asked.h # for which __has_include asks
  noticed asked.h region.cu
  rm asked.h
  compile
  status 0
  end
fi
if all && begin "header named by a macro changes"; then
  headers
  compile macro.cu
  status 0
  echo '#error CHANGED' >> macro.h
  noticed macro.h macro.cu
  end
fi

# ---- Entries.

damaged() { # <case> <command on every entry>
  begin "$1" || return
  warm
  entries cache | while read -r entry; do eval "$2"; done
  run "$MAGPIE" "${msf[@]}"
  status 0
  entries cache | while read -r entry; do [ -s "$entry" ] || echo "$entry"; done > empty
  holds "the entries are made again" [ ! -s empty ]
  cold
  end
}
damaged "entries cut to half" 'truncate -s $(($(stat -c %s "$entry") / 2)) "$entry"'
if all; then
  damaged "one bit of each entry" 'printf "\377" | dd of="$entry" bs=1 seek=4000 conv=notrunc 2> /dev/null'
  damaged "empty entries and checksums" ': > "$entry"; [ ! -e "$entry.sha256" ] || : > "$entry.sha256"'
  damaged "entries that are folders" 'rm "$entry"; mkdir "$entry"; touch "$entry/file"'
  damaged "entries that lead nowhere" 'ln -sf /nonexistent "$entry"'
fi

if begin "planted entries with checksums of their own"; then
  warm
  evil evil.so
  entries cache | while read -r entry; do plant evil.so "$entry"; done
  run "$MAGPIE" "${msf[@]}"
  status 0
  cold
  end
fi

if begin "entries that change places with their checksums"; then
  warm
  "$MAGPIE" refine --points uniform:90 --device cpu:2 > /dev/null 2>&1
  swap msf mesh
  run "$MAGPIE" "${msf[@]}"
  status 0
  run "$MAGPIE" refine --points uniform:90 --device cpu:2
  status 0
  cold
  end
fi

if all && begin "a region's entries that change places"; then
  warm
  headers
  sed 's/\badd\b/second/' region.cu > second.cu
  sed -i '/CHANGED/d;/__has/d;/endif/d' region.cu second.cu
  for source in region second; do
    CPLUS_INCLUDE_PATH=$folder/path CPATH=$folder/cpath "$MAGPIE" verify --region $source.cu "${cells[@]}" --items 1 --device cpu:1 > "$(out)" 2>&1 || problem "does not run"
  done
  swap region second
  compile
  status 0
  cold
  end
fi

if begin "two first starts at once"; then
  export MAGPIE_CACHE=$folder/cache
  timeout "$limit" "$MAGPIE" "${msf[@]}" > other 2>&1 &
  run "$MAGPIE" "${msf[@]}"
  status 0
  holds "the other one ends well" wait $!
  cold
  end
fi

# ---- Folders.

if begin "folder that everybody can write to"; then
  mkdir -m 1777 cache
  MAGPIE_CACHE=$folder/cache run "$MAGPIE" "${msf[@]}"
  status 0
  [ -s "$(err)" ] || holds "said, or mended" [ "$(($(stat -c '0%a' cache) & 022))" = 0 ]
  end
fi

if begin "umask 000"; then
  MAGPIE_CACHE=$folder/cache run bash -c 'umask 000; exec "$@"' - "$MAGPIE" "${msf[@]}"
  status 0
  find cache ! -type l -perm /022 > open
  holds "nothing in the cache is open to others: $(head -n 1 open)" [ ! -s open ]
  holds "the cache is private" [ "$(stat -c %a cache)" = 700 ]
  end
fi

if begin "relative XDG_CACHE_HOME"; then
  mkdir home
  run env -u MAGPIE_CACHE HOME="$folder/home" XDG_CACHE_HOME=relative "$MAGPIE" "${msf[@]}"
  status 0
  holds "nothing is made in the working folder" only . home
  end
fi
if all && begin "absolute XDG_CACHE_HOME"; then
  run env -u MAGPIE_CACHE XDG_CACHE_HOME="$folder/xdg" "$MAGPIE" "${msf[@]}"
  status 0
  holds "the cache is there" [ -n "$(entries xdg)" ]
  end
fi
if all && begin "HOME of another place than the passwd entry's"; then
  mkdir home
  run env -u MAGPIE_CACHE -u XDG_CACHE_HOME HOME="$folder/home" "$MAGPIE" "${msf[@]}"
  status 0
  holds "the cache is there" [ -n "$(entries home)" ]
  end
fi

if [ "$(id -u)" != 0 ]; then
  skip "planted by another user" "needs root, to be two users"
  skip "user without passwd entry" "needs root, to be another user"
else
  # Whoever can write to the folder plants before or after: the name of an entry is no secret.
  planted() { # <case> <mode> <owner of the folder>
    begin "$1" || return
    warm
    evil evil.so
    entries cache | while read -r entry; do plant evil.so "$entry"; done
    chown -R $other cache
    chown "$3" cache
    chmod "$2" cache
    run "$MAGPIE" "${msf[@]}"
    status 0
    cold
    end
  }
  planted "planted by another user, folder open to all" 1777 root
  all && planted "planted by another user, folder of that user" 755 $other

  homeless() { # <case> <options for env>...
    begin "$1" || return
    chmod 755 "$HOSTILE_WORK" "$home"
    chown $other "$folder"
    run setpriv --reuid $other --regid $other --clear-groups env -u MAGPIE_CACHE -u XDG_CACHE_HOME "${@:2}" "$MAGPIE" "${msf[@]}"
    status 0
    holds "nothing is made in the working folder" empty .
    end
  }
  if setpriv --reuid $other --regid $other --clear-groups test -r "$MAGPIE" -a -x "$MAGPIE"; then
    homeless "user without passwd entry, HOME that is not there" HOME=/nonexistent
    all && homeless "user without passwd entry and HOME" -u HOME
  else
    skip "user without passwd entry" "another user cannot read $MAGPIE"
  fi
fi

# ---- Names of sources that a shell would take for commands.

names=('x$(touch PWNED).cu' 'a;touch PWNED;.cu')
all && names+=('x`touch PWNED`.cu' "a'b.cu" 'a"b.cu' '-o.cu' '@a.cu' 'a b.cu' $'a\nb.cu' 'a*b.cu' 'a,b.cu' 'a:b.cu' 'a|touch PWNED.cu' 'a&touch PWNED&.cu')
for source in "${names[@]}"; do
  if begin "source called ${source//$'\n'/ }"; then
    echo '#error NOTHING' > "./$source"
    run "$MAGPIE" verify --region "./$source" --arg a=1 --items 1 --device cpu:1
    status 3
    says NOTHING
    holds "no command is run" [ ! -e PWNED ]
    end
  fi
done

nvcc=${MAGPIE_NVCC:-$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")}
if ! [ -x "$nvcc" ]; then
  skip "source for nvcc" "there is no nvcc"
elif all && begin "source for nvcc whose name holds a command"; then
  drivers
  echo '#error NOTHING' > 'x$(touch PWNED).cu'
  run "${java[@]}" io.magpie.stm.internal.toolchain.PrecompileSources "$folder/made" "$folder/"'x$(touch PWNED).cu'
  problems=() # this is a tool of the build, which may show where it failed
  holds "no command is run" [ ! -e PWNED ]
  end
fi
