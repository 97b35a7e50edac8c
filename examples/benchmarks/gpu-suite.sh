#!/usr/bin/env bash
# Everything that needs a GPU, in one go: tests, memory checker, benchmarks; results as files.
#
#   examples/benchmarks/gpu-suite.sh BUNDLE OUTPUT [PART...]
#
# BUNDLE  an unpacked bundle (mvn -Pbundle package; examples/target/magpie-bundle)
# OUTPUT  folder for the results; the JSON Lines belong into examples/results
# PART    of: tests sanitizer transfers orders msf tutorial; default all of them
#
# Needs the repository's checkout, nvcc for the C++ benchmarks and compute-sanitizer. Every step has a time limit, and a
# failing one makes the exit status 1 without ending the others.
set -u
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bundle=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
parts=${*:-tests sanitizer transfers orders msf tutorial}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

step() { # <limit in s> <name> <command>...
  local limit=$1 name=$2 start=$SECONDS
  shift 2
  timeout -k 10 "$limit" "$@" > "$work/log" 2>&1
  local code=$?
  printf '%-28s exit %d, %d s\n' "$name" "$code" $((SECONDS - start)) | tee -a "$out/steps.txt"
  [ $code = 0 ] || { failed=1; tail -n 25 "$work/log"; }
  cp "$work/log" "$out/$name.txt"
}

build() { # <folder> <name>: a plain C++ program, for this GPU
  step 90 "build-$2" nvcc -std=c++20 -O3 -arch=native -I "$repository/stm-kernels/src/main/cuda" \
    "$repository/stm-kernels/src/$1/cpp/$2.cu" -o "$work/$2"
}

msf() { # <name> <graph> <heap>
  MAGPIE_JAVA_OPTIONS="-Xmx$3" step 150 "msf-$1" "$bundle/bin/magpie" compare msf --generate "$2" --devices cuda \
    --variants merge=stm,atomic reads=validated,unvalidated statistics=on,off --repeats 7 --warmups 1 --measure kernels \
    --verify first --json "$out/msf-$1.jsonl"
}

for part in $parts; do
  case $part in
    tests) step 240 tests "$bundle/bin/magpie-test" ;;
    tutorial)
      step 60 tutorial "$bundle/bin/magpie" run 01-bank-transfer
      step 60 tutorial-verify "$bundle/bin/magpie" run 02-verify-your-region ;;
    sanitizer)
      build example bank_transfer
      step 120 memcheck-bank-transfer compute-sanitizer --tool memcheck --error-exitcode 9 "$work/bank_transfer"
      for merge in stm atomic; do
        for traversal in edge vertex; do
          step 120 "memcheck-msf-$merge-$traversal" compute-sanitizer --tool memcheck --error-exitcode 9 \
            --target-processes all "$bundle/bin/magpie" msf --generate road:20000 --device cuda --merge "$merge" \
            --traversal "$traversal" --verify
        done
      done ;;
    transfers)
      build bench transfers
      step 120 transfers sh -c "$work/transfers > $out/transfers.jsonl" ;;
    orders)
      build bench opposite_orders
      step 280 opposite-orders sh -c "$work/opposite_orders 1000 > $out/opposite-orders.jsonl" ;;
    msf)
      msf road road:24M 8g
      msf rmat rmat:22,edges=33M 8g
      msf random random:n=15M,m=75M 12g ;;
    *) echo "unknown part '$part'" >&2; exit 2 ;;
  esac
done
exit $failed
