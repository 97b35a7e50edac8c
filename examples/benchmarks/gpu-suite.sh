#!/usr/bin/env bash
# Everything that needs a GPU, in one go: tests, memory checker, benchmarks; results as files.
#
#   examples/benchmarks/gpu-suite.sh BUNDLE OUTPUT [PART...]
#
# BUNDLE  an unpacked bundle (mvn -Pbundle package; examples/target/magpie-bundle)
# OUTPUT  folder for the results; the JSON Lines belong in examples/results
# PART    of: tests sanitizer primitives transfers orders barriers children msf forests refine ladder paths partition social
#         levels balance cost tutorial litmus verify mutants workloads systems; default all of them but barriers, children, forests,
#         ladder, paths, workloads and systems, which stands for the parts sat, pointsto, nbody and streams: all variants of each,
#         verified
#
# MAGPIE_GRAPHS: folder of graphs to partition in addition to generated ones (NAME.graph.xz, unweighted).
# MAGPIE_DATA: folder of which social takes graphs (graphs/NAME.graph.gz).
# MAGPIE_DEVICE: where forests, paths, partition, social, levels, balance, workloads and systems run (cuda); cost runs on the
# simulator. A policy that promises no end may leave a workload unfinished: exit status 1.
# MAGPIE_LITMUS_SECONDS: of each litmus test (1.5). MAGPIE_MUTANT_TRANSACTIONS, MAGPIE_MUTANT_TIMEOUT: transactions (50000)
# and seconds (0.25) that each run of a mutant takes at most.
#
# Needs the repository's checkout, nvcc for the C++ benchmarks and compute-sanitizer. Every step has a time limit, and a
# failing one makes the exit status 1 without ending the others.
set -u
[ $# -ge 2 ] || { sed -n '2,22s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bundle=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
parts=${*:-tests sanitizer primitives transfers orders msf refine partition social levels balance cost tutorial litmus verify mutants}
parts=${parts//systems/sat pointsto nbody streams}
case $repository in
  *[!A-Za-z0-9_@%+=:,./-]*) echo "gpu-suite: nvcc hands the folder's name to a shell; move the clone: $repository" >&2; exit 2 ;;
esac
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

build() { # <folder> <name> <flags of nvcc>...: a plain C++ program, for this GPU
  local folder=$1 name=$2
  shift 2
  step 90 "build-$name" nvcc -std=c++20 -O3 -arch=native "$@" -I "$repository/stm-kernels/src/main/cuda" \
    "$repository/stm-kernels/src/$folder/cpp/$name.cu" -o "$work/$name"
}

msf() { # <name> <graph> <heap>
  MAGPIE_JAVA_OPTIONS="-Xmx$3" step 150 "msf-$1" "$bundle/bin/magpie" compare msf --generate "$2" --devices cuda \
    --variants merge=stm,atomic reads=validated,unvalidated --repeats 7 --warmups 1 --measure kernels \
    --verify first --json "$out/msf-$1.jsonl"
}

forests() { # <name> <graph>
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step 400 "forests-$1" "$bundle/bin/magpie" compare msf \
    --generate "$2" --ladder forms --devices "${MAGPIE_DEVICE:-cuda}" --repeats 7 --warmups 1 --measure kernels \
    --verify first --json "$out/forests-$1.jsonl"
}

paths() { # <name> <ladder> <graph>; $limit: seconds that it may take
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step "${limit:-300}" "paths-$1-$2" "$bundle/bin/magpie" compare paths \
    --digraph "$3" --ladder "$2" --devices "${MAGPIE_DEVICE:-cuda}" --repeats 7 --warmups 1 --measure kernels \
    --verify first --json "$out/paths-$1-$2.jsonl"
}

verify() { # <name> <policy> <objects> <accesses> <transactions> <option>...
  local name=$1 policy=$2 objects=$3 accesses=$4 transactions=$5
  shift 5
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step 200 "verify-$name" "$bundle/bin/magpie" verify \
    --workload "drawn:objects=$objects,accesses=$accesses,writes=50,words=2" --device cuda --policy "$policy" \
    --transactions "$transactions" --json "$out/verify-$name.json" "$@"
}

tests() { # <name> <module> <option of JUnit's console launcher>...
  local name=$1 module=$2 start=$SECONDS
  shift 2
  # Each test's start and end as they come: what a time limit cuts off has shown how far it got.
  timeout -k 10 "${MAGPIE_TEST_LIMIT:-540}" "$bundle/bin/magpie-test" --modules "$module" --details testfeed "$@" \
    > "$out/tests-$name.txt" 2>&1
  echo "tests-$name exit $?, $((SECONDS - start)) s" >> "$out/tests-steps.txt"
}

refine() { # <name> <points> <repeats> <option>...; $limit: seconds that it may take, $check: which results are verified
  local name=$1 points=$2 repeats=$3
  shift 3
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step "${limit:-200}" "refine-$name" "$bundle/bin/magpie" compare refine \
    --points "$points" --devices cuda --repeats "$repeats" --warmups 1 --measure kernels \
    --verify "${check:-first}" --json "$out/refine-$name.jsonl" "$@"
}

csv() { # <name> <class among the tests of algorithms> <argument>...: its output is <name>.csv
  local name=$1 class=$2
  shift 2
  step 300 "$name" sh -c "'$bundle/runtime/bin/java' -Xmx8g -Djava.library.path='$bundle/native' \
    -Djna.boot.library.path='$bundle/native' -Djna.nounpack=true \
    -cp '$bundle/modules/algorithms/target/test-classes:$bundle/lib/*' io.magpie.algorithms.$class $* > '$out/$name.csv'"
}

partition() { # <name> <repeats> <heap> <option>...; $limit: seconds that it may take
  local name=$1 repeats=$2 heap=$3
  shift 3
  MAGPIE_JAVA_OPTIONS="-Xmx$heap" step "${limit:-200}" "partition-$name" "$bundle/bin/magpie" compare partition \
    --devices "${MAGPIE_DEVICE:-cuda}" --repeats "$repeats" --warmups 1 --json "$out/partition-$name.jsonl" "$@"
}

workload() { # <name> <specification> <option>...: a benchmark of transactions
  local name=$1 workload=$2
  shift 2
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step "${limit:-300}" "workload-$name" "$bundle/bin/magpie" \
    compare transactions --workload "$workload" --devices "${MAGPIE_DEVICE:-cuda}" --repeats 7 --warmups 1 --measure kernels \
    --verify first --json "$out/workload-$name.jsonl" "$@"
}

system() { # <name> <algorithm> <repeats> <input and variants>...; $limit, $check: as of refine; $warmups: rounds before
  local name=$1 algorithm=$2 repeats=$3
  shift 3
  MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step "${limit:-300}" "$name" "$bundle/bin/magpie" compare "$algorithm" \
    --devices "${MAGPIE_DEVICE:-cuda}" --repeats "$repeats" --warmups "${warmups:-1}" --measure kernels \
    --verify "${check:-each}" --json "$out/$name.jsonl" "$@"
}

stream() { # <name> <edges> <chunk>: a forest of edges in chunks; $limit: seconds that each may take
  local name=$1 edges=$2 chunk=$3 merge
  for merge in stm atomic; do
    MAGPIE_JAVA_OPTIONS="-Xmx${MAGPIE_VERIFY_HEAP:-48g}" step "${limit:-300}" "streams-$name-$merge" "$bundle/bin/magpie" msf \
      --engine stream --generate "$edges" --chunk "$chunk" --merge "$merge" --device "${MAGPIE_DEVICE:-cuda}" --verify --details \
      --json="$out/streams-$name-$merge.json"
  done
}

for part in $parts; do
  case $part in
    tests)
      # A module each at the same time; the classes apart that take minutes on processors alone, or to compile.
      tests stm-core stm-core & tests examples examples &
      tests algorithms algorithms --exclude-package io.magpie.algorithms.partition \
        --exclude-classname '.*(RecordedRegions|MeshMutants)Test' &
      tests algorithms-partition algorithms --include-package io.magpie.algorithms.partition &
      tests algorithms-recorded algorithms --include-classname '.*RecordedRegionsTest' &
      tests algorithms-mutants algorithms --include-classname '.*MeshMutantsTest' &
      tests verification-gate verification --include-classname '.*MutationGateTest' &
      tests verification-stress verification --include-classname '.*MutantStressTest' &
      tests verification verification --include-classname '.*(Test|Properties)' --exclude-classname '.*(MutationGate|MutantStress)Test' &
      wait
      grep -q 'exit [1-9]' "$out"/tests-steps.txt && failed=1
      cat "$out"/tests-steps.txt ;;
    tutorial)
      step 60 tutorial "$bundle/bin/magpie" run 01-bank-transfer
      step 60 tutorial-verify "$bundle/bin/magpie" run 02-verify-your-region ;;
    sanitizer)
      build example bank_transfer
      for tool in memcheck initcheck synccheck; do
        step 120 "$tool-bank-transfer" compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/bank_transfer"
      done
      for tool in initcheck synccheck; do
        step 120 "$tool-msf" compute-sanitizer --tool "$tool" --error-exitcode 9 --target-processes all \
          "$bundle/bin/magpie" msf --generate road:20000 --device cuda --verify
      done
      step 120 memcheck-verify compute-sanitizer --tool memcheck --error-exitcode 9 --target-processes all \
        "$bundle/bin/magpie" verify --workload drawn:objects=1024,accesses=4 --device cuda --transactions 20000 --skew 10000
      for tool in memcheck initcheck synccheck; do
        for sync in transactions marks; do
          step 120 "$tool-refine-$sync" compute-sanitizer --tool "$tool" --error-exitcode 9 --target-processes all \
            "$bundle/bin/magpie" refine --points uniform:2000 --device cuda --sync "$sync" --verify
        done
        for refinement in atomic stm-reserved; do
          step 120 "$tool-partition-$refinement" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            --target-processes all "$bundle/bin/magpie" partition --generate grid:40,weights=none -k 8 --device cuda \
            --refinement "$refinement" --verify
        done
      done
      for merge in stm atomic; do
        for traversal in edge vertex; do
          step 120 "memcheck-msf-$merge-$traversal" compute-sanitizer --tool memcheck --error-exitcode 9 \
            --target-processes all "$bundle/bin/magpie" msf --generate road:20000 --device cuda --merge "$merge" \
            --traversal "$traversal" --verify
        done
      done
      for traversal in cycle component-space scan; do
        step 120 "memcheck-msf-$traversal" compute-sanitizer --tool memcheck --error-exitcode 9 --target-processes all \
          "$bundle/bin/magpie" msf --generate road:20000 --device cuda --traversal "$traversal" --verify
      done
      for tool in memcheck initcheck synccheck; do
        set -- compute-sanitizer --tool "$tool" --error-exitcode 9 --target-processes all "$bundle/bin/magpie"
        # All variants of each, by comparisons: these do not fail where a formula is not solved.
        step 240 "$tool-sat" "$@" compare sat --cnf ksat:n=500,ratio=4.2 --devices cuda --repeats 1 --warmups 0 \
          --variants decimation=all flips=all flips-per-variable=2
        step 240 "$tool-pointsto" "$@" compare pointsto --constraints cycles:vars=500 --devices cuda --repeats 1 --warmups 0 \
          --ladder collapse
        step 240 "$tool-nbody" "$@" compare nbody --bodies plummer:n=2000 --devices cuda --repeats 1 --warmups 0 \
          --variants tree=all precision=all steps=2
        for merge in stm atomic; do
          step 120 "$tool-streams-$merge" "$@" msf --engine stream --generate random:n=2000,m=20000 --chunk 3000 --device cuda \
            --merge "$merge" --verify
        done
      done ;;
    primitives)
      step 200 primitives sh -c "'$bundle/runtime/bin/java' -Xmx8g --enable-native-access=ALL-UNNAMED \
        -Djava.library.path='$bundle/native' -Djna.boot.library.path='$bundle/native' -Djna.nounpack=true \
        -cp '$bundle/modules/stm-core/target/test-classes:$bundle/lib/*' io.magpie.stm.parallel.PrimitivesBenchmark cuda \
        1000000 32000000 > '$out/primitives.jsonl'" ;;
    transfers)
      build bench transfers
      step 120 transfers sh -c "$work/transfers > $out/transfers.jsonl" ;;
    orders)
      build bench opposite_orders
      step 280 opposite-orders sh -c "$work/opposite_orders 1000 > $out/opposite-orders.jsonl" ;;
    barriers)
      build bench barriers
      step 60 barriers sh -c "$work/barriers > $out/barriers.jsonl" ;;
    children)
      build bench child_launches -rdc=true
      step 300 children sh -c "$work/child_launches > $out/child-launches.csv" ;;
    litmus)
      build litmus litmus
      step 120 litmus sh -c "$work/litmus ${MAGPIE_LITMUS_SECONDS:-1.5} > $out/litmus.jsonl" ;;
    refine)
      refine uniform-1M uniform:500k 5 --variants sync=transactions,marks
      refine uniform-2M uniform:1M 5 --variants sync=transactions,marks
      refine uniform-10M uniform:5M 5 --variants sync=transactions,marks
      refine uniform-50M uniform:25M 1 --variants sync=transactions,marks
      refine angles uniform:500k 1 --variants sync=transactions,marks angle=20,25,33
      # Each run's mesh verified.
      check=each limit=300 refine hundred uniform:500k 100 --variants sync=transactions ;;
    ladder)
      limit=500 refine ladder-1M uniform:500k 5 --ladder optimizations
      limit=500 refine stages-5.6M uniform:2800k 5 --ladder stages
      limit=500 refine ladder-10M uniform:5M 3 --ladder optimizations ;;
    paths)
      # The first two have about the largest degrees that Kumar and Vadhiyar tell of theirs, 1,181 and 255: the busiest vertex of the
      # first has 1,170 arcs, and 8M * (a + b)^20 are to be expected; 255 is the cap of web.
      for ladder in split-bfs split-sssp virtual-bfs virtual-sssp heavy-bfs heavy-sssp; do
        paths hubs "$ladder" rmat:scale=20,edges=8M,a=0.493,b=0.15,c=0.15,directed,weights=1..100
        paths web "$ladder" web:n=1M,m=8M,directed,weights=1..100
        paths gtgraph "$ladder" rmat:scale=20,edges=8M,a=0.45,b=0.15,c=0.15,directed,weights=1..100
        paths graph500 "$ladder" rmat:scale=20,edges=8M,directed,weights=1..100
        limit=900 paths large "$ladder" rmat:scale=23,edges=128M,directed,weights=1..100
      done ;;
    partition)
      # Each run takes the next seed, and is verified.
      for k in 8 64; do
        for graph in "${MAGPIE_GRAPHS:-/nowhere}"/*.graph.xz; do
          [ -e "$graph" ] || continue
          partition "$(basename "$graph" .graph.xz)-$k" 5 16g --graph "$graph" --variants parts=$k effort=fast,default,ultra
        done
        partition "grid-$k" 5 16g --generate grid:1000,weights=none --variants parts=$k effort=fast,default,ultra
        partition "grid3-$k" 5 16g --generate grid3:100,weights=none --variants parts=$k effort=fast,default,ultra
        partition "rgg-$k" 5 16g --generate rgg:1048576,weights=none --variants parts=$k effort=fast,default,ultra
        partition "grid3-256-$k" 2 48g --generate grid3:256,weights=none --variants parts=$k effort=fast,default
      done
      partition variants-refinement 5 16g --generate grid3:60,weights=none --variants parts=8,64 refinement=all
      partition variants-matching 5 16g --generate grid3:60,weights=none --variants parts=64 matching=all coarsening=all
      partition 10M 2 48g --generate grid:3163,weights=none --variants parts=64 effort=fast,default,ultra
      partition 50M 1 64g --generate grid:7072,weights=none --variants parts=64 effort=fast,default ;;
    social)
      # Graphs of which few vertices have most of the edges, and two meshes: all ways to refine are to cut alike.
      set -- --variants parts=16 refinement=all
      partition social-rmat-15 3 16g --generate rmat:15,edges=300k,weights=none "$@"
      partition social-powerlaw 3 16g --generate powerlaw:30k,weights=none "$@"
      partition social-ba 3 16g --generate ba:30k,weights=none "$@"
      partition social-grid3 3 16g --generate grid3:60,weights=none "$@"
      for name in facebook ca-AstroPh copter2; do
        graph=${MAGPIE_DATA:-/nowhere}/graphs/$name.graph.gz
        [ ! -e "$graph" ] || partition "social-$name" 3 16g --graph "$graph" "$@"
      done
      # Without stm: there every move waits for the weights of the same 16 parts.
      limit=540 partition social-rmat-20 3 32g --generate rmat:20,weights=none \
        --variants parts=16 refinement=atomic,stm-reserved,atomic-free ;;
    levels)
      # How fast graphs of four kinds get smaller, and the memory that it takes.
      for graph in star:1M rmat:scale=18,edges=4M road:1M grid:1000; do
        step 200 "levels-${graph%%:*}" "$bundle/bin/magpie" partition --generate "$graph,weights=none" -k 64 --verify --details \
          --device "${MAGPIE_DEVICE:-cuda}"
      done ;;
    balance)
      csv balance partition.BalanceMatrix "${MAGPIE_DEVICE:-cuda}" ;;
    cost)
      csv cost partition.CostModelBenchmark 8
      csv cost-parts partition.CostModelBenchmark 64 grid3:8 rmat:scale=9,edges=4000 ;;
    verify)
      verify 64 hand_off 64 4 2000000
      verify 1k hand_off 1024 4 10000000
      verify 64k hand_off 65536 8 40000000
      verify 1M hand_off 1048576 8 60000000
      verify 64k-counter hand_off 65536 8 5000000 --clock counter
      verify 1k-counter hand_off 1024 4 2000000 --clock counter
      verify 1M-priority priority_rule 1048576 8 10000000 ;;
    mutants)
      step 180 mutants "$bundle/bin/magpie" mutants --device cuda --rounds 1 --csv "$out/mutants.csv" \
        --transactions "${MAGPIE_MUTANT_TRANSACTIONS:-50000}" --timeout "${MAGPIE_MUTANT_TIMEOUT:-0.25}" ;;
    msf)
      msf road road:24M 8g
      msf rmat rmat:22,edges=33M 8g
      msf random random:n=15M,m=75M 12g ;;
    forests)
      forests road road:24M
      forests rmat rmat:22,edges=33M
      forests random random:n=15M,m=75M
      forests ties random:n=15M,m=75M,weights=1..3 ;;
    workloads)
      for level in low medium high; do
        workload "bank-$level" "bank:contention=$level,transactions=4M,scans=10" \
          --variants synchronization=stm,locks policy=all timeout=5
        for name in hash-table sorted-list kmeans; do
          workload "$name-$level" "$name:contention=$level" --variants synchronization=stm,lock-free policy=all timeout=5
        done
        for name in skip-list b-tree vacation tpc-c labyrinth; do
          workload "$name-$level" "$name:contention=$level" --variants policy=all timeout=5
        done
      done
      for zipf in 0 0.5 0.8 0.9 0.99; do
        workload "ycsb-$zipf" "ycsb:zipf=$zipf" --variants policy=all timeout=5
      done
      for ladder in threads back-off locks; do
        for level in low high; do
          limit=500 workload "$ladder-$level" "bank:contention=$level,transactions=4M" --ladder "$ladder"
        done
      done ;;
    sat)
      # The clauses for each variable are those of Nasre, Burtscher and Pingali. With k = 6 they are above the threshold of
      # satisfiability: an unsolved formula is the expected result.
      for kind in k=3,ratio=4.2 k=4,ratio=9.9 k=5,ratio=21.1 k=6,ratio=43.4; do
        name=${kind%,*} name=sat-${name#k=}
        set -- --variants decimation=all flips=all
        system "$name-10k" sat 5 --cnf "ksat:n=10k,$kind" "$@"
        limit=600 system "$name-100k" sat 3 --cnf "ksat:n=100k,$kind" "$@"
        limit=900 warmups=0 system "$name-1M" sat 1 --cnf "ksat:n=1M,$kind" "$@"
      done ;;
    pointsto)
      for program in crafty gzip bzip2 mcf equake art; do
        system "pointsto-$program" pointsto 7 --constraints "$program" --ladder collapse --with worklist
      done
      system pointsto-cycles-20k pointsto 5 --constraints cycles:vars=20k --ladder collapse --with worklist
      system pointsto-sets-20k pointsto 5 --constraints cycles:vars=20k --ladder sets
      limit=600 check=first system pointsto-cycles-100k pointsto 3 --constraints cycles:vars=100k --ladder collapse ;;
    nbody)
      # The steps are those of Burtscher and Pingali's program.
      for size in 30k:50:5 300k:10:3 3M:2:3; do
        IFS=: read -r bodies steps repeats <<< "$size"
        limit=600 system "nbody-$bodies" nbody "$repeats" --bodies "plummer:n=$bodies" \
          --variants tree=all precision=double,float "steps=$steps"
      done ;;
    streams)
      for chunk in 1000000 4000000 16000000; do
        stream "rmat-${chunk%000000}M" rmat:scale=22,edges=33M "$chunk"
      done
      limit=600 stream random random:n=15M,m=75M 16000000
      limit=600 stream floats random:n=15M,m=75M,weights=float:-1..1 16000000
      limit=600 stream long rmat:scale=20,edges=256M 4000000 ;;
    *) echo "unknown part '$part'" >&2; exit 2 ;;
  esac
done
exit $failed
