#!/usr/bin/env bash
# Builds and runs the C++ tests of the device library, or those of another Maven module.
#
#   run-tests.sh [output folder] [name filter]
#
# MAGPIE_TEST_MODULE names the module's folder. Its tests lie in src/test/cpp; they include its headers in src/main/cuda,
# the library's, and the harness next to this script.
#
# test_*.cpp     one program each; built with g++ and run, exit status 0 means passed, in the flavors
#                  cpu       plain build of the cpu machine
#                  sim       plain build of the sim machine (always bounds-checked)
#                  cpu-asan  cpu, -DMAGPIE_CHECKED, AddressSanitizer and UndefinedBehaviorSanitizer
#                  sim-asan  sim, AddressSanitizer; test_platform_sim and test_platform_accessors, and the simulator's engine in
#                            them, with UndefinedBehaviorSanitizer, which doubles the time to compile: elsewhere cpu-asan has it
#                  cpu-tsan  cpu, ThreadSanitizer
#                A test that makes sense only in some of them says so in a line "// flavors: cpu sim".
#                Those that a line "// full flavors: sim" names are left out by MAGPIE_TEST_FULL=false, where other tests,
#                such as the facade's, run the same there, sim shows more, or compiling takes long.
# compile_*.cpp  only checked by the compiler, for cpu and for sim
# compile_*.cu   only compiled, for the device alone, by nvcc, skipped, and said so, where there is none; and checked by g++ in
#                those flavors that a line "// flavors: cpu sim nvcc" names. Where a line "// ptx: NAME.awk" names a
#                script, optimized code is made, and the script looks at it
#
# Each line "// build: -DNAME=VALUE ..." of a source is a build of its own with these flags added; "// build(cpu sim): ..." is
# one for these flavors alone. "// full build..." is one that MAGPIE_TEST_FULL=false leaves out: other policies, or what a build
# next to it shows more quickly.
#
# The plain C++ examples (src/example/cpp), benchmarks (src/bench/cpp) and litmus tests (src/litmus/cpp) are compiled by
# nvcc and g++, benchmarks only as far as to see their errors; the examples are run as well, the litmus tests shortly, on
# cpu and on sim with weak memory.
#
# Prints a line for each source when its last program has ended, and at the end what failed, with the end of its output.
#
# MAGPIE_TEST_FULL=false leaves out the three flavors with sanitizers, full builds, full flavors, and the litmus tests on cpu,
# compiles programs of the cpu flavor with -Og, which takes half the time, and what nvcc compiles without its optimizers, and
# has programs of the sim flavor take as few cases (test::scaled) as under sanitizers.
#
# The engine of the simulator is compiled once for each choice of sanitizers, optimized: programs are linked with it. With
# MAGPIE_TEST_FULL=false, g++ also reads the headers of the STM's tests once for each flavor (a precompiled header), which is a
# quarter of the time that a program takes; otherwise each program reads what it includes and nothing else.
#
# A program is built again only when the compiler, the flags, a header or its own source changed; it always
# runs. MAGPIE_CXX and MAGPIE_NVCC name the compilers (none: no nvcc), MAGPIE_TEST_JOBS the parallel jobs (2),
# MAGPIE_TEST_SECONDS the limit for one program (120).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
library=$(dirname "$(dirname "$here")")
module=$(cd "${MAGPIE_TEST_MODULE:-$here/../../..}" && pwd) || exit 2
sources_root=$module/src
tests=$sources_root/test/cpp
include=$library/main/cuda
out=${1:-$module/target/cpp-tests}
filter=${2:-}
cxx=${MAGPIE_CXX:-g++}
jobs=${MAGPIE_TEST_JOBS:-2}
seconds=${MAGPIE_TEST_SECONDS:-120}
full=${MAGPIE_TEST_FULL:-true}
includes=(-I "$include" -I "$here")
[ "$sources_root" = "$library" ] || includes+=(-I "$sources_root/main/cuda" -I "$tests")
common=(-std=c++20 -Wall -Wextra -Werror -pthread "${includes[@]}")
# Collecting garbage takes g++ a tenth of its time: not below half a gigabyte.
"$cxx" --version 2>/dev/null | grep -q clang || common+=(--param ggc-min-heapsize=500000)
# Address-space randomization beyond 28 bits makes ThreadSanitizer of older compilers refuse to start.
no_aslr=(); setarch -R true 2>/dev/null && no_aslr=(setarch -R)

command -v "$cxx" >/dev/null || { echo "run-tests: no C++ compiler '$cxx'; install g++ or set MAGPIE_CXX" >&2; exit 2; }
nvcc=${MAGPIE_NVCC:-}
if [ -z "$nvcc" ]; then
  for candidate in ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} "$(command -v nvcc)" /usr/local/cuda/bin/nvcc; do
    [ -x "$candidate" ] && { nvcc=$candidate; break; }
  done
fi
[ "$nvcc" != none ] || nvcc=

mkdir -p "$out/bin" "$out/log" && out=$(cd "$out" && pwd) || exit 2
case $nvcc$include$here$tests$out in
  *[!A-Za-z0-9_@%+=:,./-]*)
    [ -z "$nvcc" ] || echo "run-tests: without nvcc, which hands the names of these folders to a shell: $module, $out" >&2
    nvcc= ;;
esac
rm -f "$out"/log/*.status
rm -rf "$out"/log/*.told
headers=$(find "$include" "$here" "$sources_root" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.cuh' \) -print0 | sort -zu |
          xargs -0r sha256sum | sha256sum | cut -c1-32)

# Compiling takes many times as long as running, and most of it is the optimizer's: regions are optimized in the cpu flavor
# alone, where threads really meet, and nothing under a sanitizer but what the simulator would run for too long. What only an
# optimizer shows elsewhere is seen by the modules, which Maven builds with -O2 and -O3. Left out of the undefined-behavior
# sanitizer is what the address sanitizer sees as well. -g1: names and lines for reports, without variables.
address_sanitizer="-g1 -fsanitize=address -fno-sanitize-recover=all"
undefined_sanitizer="-fsanitize=undefined -fno-sanitize=null,object-size,vptr"
flags_of() { # <flavor> <name of the test>
  local level=-O1
  local undefined=$undefined_sanitizer
  [[ $1 == cpu && $full == false ]] && level="-Og -Wno-maybe-uninitialized" # which needs -O1
  [[ $1 == cpu-?san || $1 == sim* && $2 == test_stm_* || $2 == test_stm_rounds_mutants* || $2 == test_stm_history* ]] && level=-O0
  local fewer=; [[ $full == true ]] || fewer=" -DMAGPIE_TEST_FEWER"
  [[ $1 == sim-asan && $2 != test_platform_sim && $2 != test_platform_accessors ]] && undefined=
  case $1 in
    cpu)      echo "$level" ;;
    sim)      echo "$level -DMAGPIE_MACHINE_SIM -DMAGPIE_SIM_SEPARATE$fewer" ;;
    cpu-asan) echo "$level -DMAGPIE_CHECKED $address_sanitizer $undefined" ;;
    sim-asan) echo "$level -DMAGPIE_MACHINE_SIM -DMAGPIE_SIM_SEPARATE $address_sanitizer $undefined" ;;
    cpu-tsan) echo "$level -g1 -fsanitize=thread" ;;
    example)  echo "-O1 -x c++" ;;
    bench)    echo "-fsyntax-only -x c++" ;;
    litmus-cpu) echo "-O2 -x c++" ;;
    litmus-sim) echo "-O0 -x c++ -DMAGPIE_MACHINE_SIM -DMAGPIE_SIM_SEPARATE" ;;
  esac
}

# engine_of <flags of a program>: the object that it is linked with, or nothing. The first program that needs it makes it,
# and others wait meanwhile. Under the sanitizers of the program, which are linked as it says.
engine_of() {
  [[ $1 == *MAGPIE_SIM_SEPARATE* ]] || return 0
  local name=engine flags="-O2 -DMAGPIE_MACHINE_SIM -DMAGPIE_SIM_SEPARATE" key object
  [[ $1 != *-fsanitize=address* ]] || { name+=-address flags+=" $address_sanitizer"; }
  [[ $1 != *-fsanitize=undefined* ]] || { name+=-undefined flags+=" $undefined_sanitizer"; }
  key=$(echo "$headers $("$cxx" --version) ${common[*]} $flags" | sha256sum | cut -c1-32)
  object=$out/bin/$name.$key.o
  (
    flock 9
    [ -e "$object" ] && exit
    rm -f "$out/bin/$name".*.o "$out/bin/$name".*.tmp # not the lock
    # shellcheck disable=SC2086
    "$cxx" "${common[@]}" $flags -c "$here/engine.cpp" -o "$object.tmp" && mv "$object.tmp" "$object"
  ) 9> "$out/bin/$name.lock" || return
  echo "$object"
}

# headers_of <source> <flags of a program> <flags of its build>: the file to include for stm_test.hpp as g++ has read it before,
# or nothing. Made like the engine, by the same flags without those of the build, of which the headers must not know any. A
# source that defines a macro for them reads them itself.
headers_of() {
  [[ $full == false && $(basename "$1") == test_stm_* ]] && [[ -z $3 || $3 == -DMAGPIE_TEST_PLAIN ]] || return 0
  [ "$(grep -m 1 -E '^ *#(define MAGPIE_|include "stm_test)' "$1")" = '#include "stm_test.hpp"' ] || return 0
  "$cxx" --version 2> /dev/null | grep -q clang && return 0
  local flags=${2% "$3"} key folder
  key=$(echo "$headers $("$cxx" --version) ${common[*]} $flags" | sha256sum | cut -c1-32)
  folder=$out/bin/headers.$(echo "$flags" | tr -cs 'A-Za-z0-9_\n' -)
  (
    flock 9
    [ -e "$folder/$key.hpp.gch" ] && exit
    rm -rf "$folder" && mkdir "$folder" && echo '#include "stm_test.hpp"' > "$folder/$key.hpp"
    # shellcheck disable=SC2086
    "$cxx" "${common[@]}" $flags -x c++-header "$folder/$key.hpp" -o "$folder/$key.tmp" && mv "$folder/$key.tmp" "$folder/$key.hpp.gch"
  ) 9> "$folder.lock" || return
  echo "$folder/$key.hpp"
}

# one <source> <flavor> <flags> <programs of the source>: builds what is out of date, runs it, leaves <log>.status
# ("passed" or "FAILED ...").
one() {
  local source=$1 flavor=$2 build=$3 programs=$4 name flags key binary engine ready log begin status=passed
  name=${build##*[ =]}; name=${name:+.${name#-D}}
  name=$(basename "${source%.*}")$name
  log=$out/log/$name.$flavor
  begin=$(date +%s%N)
  if [ "$flavor" = nvcc ]; then
    flags="-std=c++20 -O1 -gencode arch=compute_75,code=compute_75 $build"
    local script; script=$(sed -n 's|^// ptx: *||p' "$source")
    if [ -n "$script" ]; then
      flags="-std=c++20 -O3 -arch=sm_90 -ptx $build"
    elif [[ $name == compile_* || $source == */bench/* ]]; then
      flags="$flags -ptx -Xcicc -O0"
    elif [ "$full" = false ]; then # nobody runs it
      flags="${flags/ -O1 / -O0 } -c -Xcicc -O0"
    else
      flags="$flags -c"
    fi
    key=$(echo "$headers $("$nvcc" --version) $flags $(sha256sum < "$source")" | sha256sum | cut -c1-32)
    binary=$out/bin/$name.nvcc.$key
    if [ ! -e "$binary" ]; then
      rm -f "$out/bin/$name.nvcc".*
      # shellcheck disable=SC2086
      "$nvcc" $flags "${includes[@]}" "$source" -o "$binary.tmp" > "$log" 2>&1 && mv "$binary.tmp" "$binary" || status="FAILED to compile"
    fi
    if [ "$status" = passed ] && [ -n "$script" ]; then
      awk -f "$tests/$script" "$binary" > "$log" 2>&1 || status="FAILED, $script"
    fi
  else
    flags="$(flags_of "$flavor" "$name") $build"
    [[ $name == compile_* ]] && flags="$flags -fsyntax-only -x c++"
    key=$(echo "$headers $("$cxx" --version) ${common[*]} $flags $(sha256sum < "$source")" | sha256sum | cut -c1-32)
    binary=$out/bin/$name.$flavor.$key
    if [ ! -e "$binary" ]; then
      rm -f "$out/bin/$name.$flavor".*
      : > "$binary.tmp" # checking alone writes nothing
      # shellcheck disable=SC2086
      engine=$([[ $name == compile_* ]] || engine_of "$flags" 2> "$log") &&
        ready=$(headers_of "$source" "$flags" "$build" 2> "$log") &&
        "$cxx" "${common[@]}" $flags ${ready:+-include "$ready"} "$source" ${engine:+-x none "$engine"} -o "$binary.tmp" > "$log" 2>&1 && mv "$binary.tmp" "$binary" || status="FAILED to compile"
    fi
    if [ "$status" = passed ] && { [[ $name == test_* || $source == */example/* || $source == */litmus/* ]]; }; then
      local arguments=(); [[ $source == */litmus/* ]] && arguments=(0.02)  # seconds a test
      local runner=(); [ "$flavor" = cpu-tsan ] && runner=("${no_aslr[@]}")
      (cd "$out" && exec timeout -k 5 "$seconds" "${runner[@]}" "$binary" "${arguments[@]}") > "$log" 2>&1
      local code=$?
      [ $code = 0 ] || status="FAILED, exit $code"
      { [ $code = 124 ] || [ $code = 137 ]; } && status="FAILED, over $seconds s"
    fi
  fi
  printf '%-44s %-9s %6d ms  %s\n' "$name" "$flavor" $(( ($(date +%s%N) - begin) / 1000000 )) "$status" > "$log.status.new"
  mv "$log.status.new" "$log.status"
  tell "$(basename "${source%.*}")" "$programs"
}

# tell <name of a source> <its programs>: a line about them, if all have ended and nobody told it before.
tell() {
  local statuses=("$out/log/$1".*.status)
  [ ${#statuses[@]} = "$2" ] && mkdir "$out/log/$1.told" 2> /dev/null || return 0
  awk -v name="$1" '{ millis += $3; if ($NF == "passed") passed++ }
    END { printf "%-32s %3d of %3d passed %8d ms\n", name, passed, NR, millis }' "${statuses[@]}"
}

# is_built <flavor> <FLAVORS:FLAGS of a build>
is_built() { case " ${2%%:*} " in '  ' | *" $1 "*) return 0 ;; *) return 1 ;; esac }

shopt -s nullglob
# What takes longest to compile comes first, so that at the end no compiler runs alone.
sources=("$sources_root"/litmus/cpp/*.cu "$sources_root"/bench/cpp/*.cu "$sources_root"/example/cpp/*.cu
         "$tests"/compile_*.cu "$tests"/test_*.cpp "$tests"/compile_*.cpp)
[ ${#sources[@]} = 0 ] || [ -d "$include" ] || { echo "run-tests: no headers in $include" >&2; exit 2; }
skipped=0
left_out=0
for source in "${sources[@]}"; do
  name=$(basename "$source")
  [[ $name == *"$filter"* ]] || continue
  flavors=$(sed -n 's|^// flavors: *||p' "$source" | head -1)
  case $source in
    */example/cpp/*) flavors="example nvcc" ;;
    */bench/cpp/*) flavors="bench nvcc" ;;
    */litmus/cpp/*) flavors="litmus-cpu litmus-sim nvcc" ;;
    *.cu) flavors=${flavors:-nvcc} ;;
    */compile_*) flavors="cpu sim" ;;
    *) flavors=${flavors:-cpu sim cpu-asan sim-asan cpu-tsan} ;;
  esac
  mapfile -t builds < <(sed -nE 's|^// (full )?build(\(([a-z -]+)\))?: *|\3:|p' "$source") # FLAVORS:FLAGS
  [ ${#builds[@]} -gt 0 ] || builds=(":")
  if [ "$full" = false ]; then
    all_builds=("${builds[@]}") all_flavors=$flavors
    thin=$(sed -n 's|^// full flavors: *||p' "$source" | head -1)
    flavors=$(printf '%s\n' $flavors | grep -vE -- '-.san$|^litmus-cpu$' | grep -vxF "$(printf '%s\n' ${thin:-none})")
    if grep -q '^// full build' "$source"; then
      mapfile -t builds < <(sed -nE 's|^// build(\(([a-z -]+)\))?: *|\2:|p' "$source")
    fi
    for flavor in $all_flavors; do
      for build in "${all_builds[@]}"; do is_built "$flavor" "$build" && left_out=$((left_out + 1)); done
    done
    for flavor in $flavors; do
      for build in "${builds[@]}"; do is_built "$flavor" "$build" && left_out=$((left_out - 1)); done
    done
  fi
  programs=0
  for flavor in $flavors; do
    [ "$flavor" = nvcc ] && [ -z "$nvcc" ] && continue
    for build in "${builds[@]}"; do
      is_built "$flavor" "$build" && programs=$((programs + 1))
    done
  done
  for flavor in $flavors; do
    if [ "$flavor" = nvcc ]; then
      [ -n "$nvcc" ] || { skipped=$((skipped + 1)); continue; }
    elif [ -z "$(flags_of "$flavor" "$name")" ]; then
      echo "run-tests: $name asks for the unknown flavor '$flavor'" >&2; exit 2
    fi
    for build in "${builds[@]}"; do
      is_built "$flavor" "$build" || continue
      while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
      one "$source" "$flavor" "${build#*:}" "$programs" &
    done
  done
done
wait

failed=0; passed=0
for status in "$out"/log/*.status; do
  if grep -q ' passed$' "$status"; then passed=$((passed + 1)); continue; fi
  failed=$((failed + 1))
  echo; echo "--- $(cat "$status")"; tail -n 40 "${status%.status}"
done
[ $skipped = 0 ] || echo "$skipped not compiled: no nvcc on this machine (set MAGPIE_NVCC or CUDA_HOME)"
[ $left_out = 0 ] || echo "$left_out left out: mvn -Pfull runs them too"
echo "C++ tests: $passed passed, $failed failed"
[ $failed = 0 ]
