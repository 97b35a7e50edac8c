#!/usr/bin/env bash
# What other tools say of the regions that are wrong on purpose, and of right ones.
#
#   other-tools.sh TOOL [FILE.cu...]
#
# TOOL is tsan, ThreadSanitizer over the regions on the processor, or one of compute-sanitizer's that look at a
# GPU: memcheck, racecheck, initcheck, synccheck. Without files: all in the folders wrong and right next to this script.
#
# Each region is compiled into a program of its own, by g++ or nvcc, which launches it 1,000 times (a GPU: 20 times) with the arguments
# in the head of its file. Found is what the tool reports; a program that ends otherwise, or not within 60 seconds, is
# "failed". Prints a line for each region, and the sums.
#
# Environment: MAGPIE_CXX and MAGPIE_NVCC name the compilers, MAGPIE_INCLUDE the library's folder of headers, by default that
# of this clone or bundle. Exit status: 2 for wrong usage, 69 if a compiler or the tool is missing, else 0.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

[ $# -gt 0 ] || { sed -n '2,/^set -u/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
tool=$1
shift
[ $# -gt 0 ] || set -- "$here"/wrong/*.cu "$here"/right/*.cu

need() { command -v "$1" > /dev/null || { echo "other-tools.sh: there is no $1" >&2; exit 69; }; }

include=${MAGPIE_INCLUDE:-$here/../../../../stm-kernels/src/main/cuda}
case $tool in
  tsan)
    compiler=${MAGPIE_CXX:-g++}
    need "$compiler"
    compile=("$compiler" -std=c++20 -O1 -g -fsanitize=thread -pthread -x c++)
    watch=(env TSAN_OPTIONS=exitcode=66)
    # Address-space randomization beyond 28 bits makes older versions refuse to start.
    ! setarch -R true 2> /dev/null || watch=(setarch -R "${watch[@]}")
    launches=1000 ;;
  memcheck | racecheck | initcheck | synccheck)
    compiler=${MAGPIE_NVCC:-nvcc}
    need "$compiler"
    need compute-sanitizer
    compile=("$compiler" -std=c++20 -O1 -lineinfo -arch=native)
    watch=(compute-sanitizer --tool "$tool" --error-exitcode 66)
    launches=20 ;;
  *) echo "other-tools.sh: no tool '$tool': tsan, memcheck, racecheck, initcheck or synccheck" >&2; exit 2 ;;
esac

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# said FILE WORD: what the head of a region's file says behind a word.
said() { sed -n "s,^// $2: ,,p" "$1" | head -n 1; }

found=0 wrong=0 alarms=0 right=0 failed=0
printf '%-40s %-9s  %s\n' region found 'says'
for file in "$@"; do
  name=$(sed -nE 's/^MAGPIE_REGION\((\w+)\).*/\1/p' "$file" | head -n 1)
  says=
  if ! "${compile[@]}" -I "$include" "-DMAGPIE_REGION_FILE=\"$(realpath "$file")\"" "-DMAGPIE_REGION_NAME=$name" \
    "$here/region_program.cu" -o "$work/program" > "$work/log" 2>&1; then
    result=failed says=$(grep -m 1 error "$work/log")
  else
    read -ra arguments <<< "$(said "$file" arguments)"
    timeout -k 5 60 "${watch[@]}" "$work/program" "$launches" "$(said "$file" items)" "${arguments[@]}" > "$work/log" 2>&1
    status=$?
    case $status in
      0) result=nothing ;;
      66) result=found says=$(grep -m 1 -E 'WARNING: ThreadSanitizer|========= (Error|Invalid|Uninit|Warning|Barrier)' "$work/log") ;;
      *)
        result=failed says=$(grep -v '^=========' "$work/log" | tail -n 1)
        says=${says:-exit status $status} ;;
    esac
  fi
  printf '%-40s %-9s  %s\n' "$(basename "$file")" "$result" "$says"
  [ "$result" != failed ] || failed=$((failed + 1))
  case $file in
    */wrong/*) wrong=$((wrong + 1)); [ "$result" != found ] || found=$((found + 1)) ;;
    *) right=$((right + 1)); [ "$result" != found ] || alarms=$((alarms + 1)) ;;
  esac
done
echo "$tool: $found of $wrong wrong regions found, $alarms false alarms of $right; $failed failed"
