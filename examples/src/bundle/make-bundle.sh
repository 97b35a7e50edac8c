#!/usr/bin/env bash
# Assembles the self-contained bundle: Maven's profile "bundle" calls this after packaging.
#
#   make-bundle.sh <folder of all tests' jars> <folder of the command line's jars> <examples jar> <output folder>
#
# The Java runtime is cut from MAGPIE_BUNDLE_JDK, else from a Temurin 25 in /usr/lib/jvm (it needs only glibc 2.17 on
# the target machine), else from the JDK that runs Maven.
set -euo pipefail
test_jars=$1 jars=$2 examples_jar=$3 output=$4
[ -f "$output/bundle-bom.json" ] || {
  echo "make-bundle: no $output/bundle-bom.json, which Maven does not make with -o: build once without it" >&2
  exit 1
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
bundle=$output/magpie-bundle
modules=java.base,java.logging,java.management,java.xml,jdk.unsupported,jdk.zipfs,jdk.management

jdk=${MAGPIE_BUNDLE_JDK:-}
for candidate in /usr/lib/jvm/temurin-25-jdk* "${JAVA_HOME:-}"; do
  [ -n "$jdk" ] && break
  [ -x "$candidate/bin/jlink" ] && jdk=$candidate
done
command -v xz > /dev/null || { echo "make-bundle: no xz to compress the archive with; install it (Debian: xz-utils)" >&2; exit 1; }
[ -x "$jdk/bin/jlink" ] || { echo "make-bundle: no jlink in '$jdk'; set MAGPIE_BUNDLE_JDK to a JDK" >&2; exit 1; }

rm -rf "$bundle" "$bundle.tar.xz"
mkdir -p "$bundle"/{bin,lib,test-lib,native,modules}
# Classes of Java itself as this runtime keeps them in memory, where jlink can: see below.
archive=$("$jdk/bin/jlink" --list-plugins | grep -o -m 1 -e '--generate-cds-archive' || :)
"$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages ${archive:+"$archive"} \
  --output "$bundle/runtime" > /dev/null
rm -f "$bundle/runtime/lib/server/classes_nocoops.jsa" # for heaps of 32 GB and more, which start slower
strip --strip-unneeded "$bundle/runtime/lib/server/libjvm.so"

cp "$jars"/*.jar "$examples_jar" "$bundle/lib/"
# The checks of the architecture judge the sources' packages, on any machine alike: they and their library stay behind.
for jar in "$test_jars"/*.jar; do
  case $(basename "$jar") in archunit*) continue ;; esac
  [ -e "$bundle/lib/$(basename "$jar")" ] || cp "$jar" "$bundle/test-lib/"
done

# Natives on the library path: JCuda and JNA then unpack nothing.
unpack() { # <jar pattern> <entry pattern>
  local jar
  for jar in "$bundle"/lib/$1; do
    (cd "$bundle/native" && "$jdk/bin/jar" --extract --file "$jar" $("$jdk/bin/jar" --list --file "$jar" | grep -E "$2"))
  done
}
unpack 'jcuda-natives-*linux-x86_64.jar' 'libJCudaDriver'
unpack 'jna-[0-9]*.jar' '^com/sun/jna/linux-x86-64/'
find "$bundle/native" -mindepth 2 -name '*.so' -exec mv {} "$bundle/native/" \;
find "$bundle/native" -mindepth 1 -type d -empty -delete
jna=$(compgen -G "$bundle/lib/jna-[0-9]*.jar")
parts=$(mktemp -d)
(cd "$parts" && "$jdk/bin/jar" --extract --file "$jna" com/sun/jna META-INF && find com/sun/jna -name '*jnidispatch*' -delete &&
  "$jdk/bin/jar" --create --no-manifest --file "$jna" META-INF com)
rm -rf "$parts"
rm -f "$bundle"/lib/jcuda-natives-*.jar "$bundle"/test-lib/jcuda-natives-*.jar
for needed in libJCudaDriver libjnidispatch; do
  compgen -G "$bundle/native/$needed*" > /dev/null || { echo "make-bundle: no $needed among the jars" >&2; exit 1; }
done

# Each module's tests with the files they read, laid out as in the repository.
for module in stm-core algorithms verification examples; do
  [ -d "$root/$module/target/test-classes" ] || continue
  mkdir -p "$bundle/modules/$module/target"
  cp -r "$root/$module/target/test-classes" "$bundle/modules/$module/target/"
  for folder in src/test/cuda src/test/regions src/test/resources src/main/cuda; do
    [ -d "$root/$module/$folder" ] || continue
    mkdir -p "$bundle/modules/$module/$folder"
    cp -r "$root/$module/$folder/." "$bundle/modules/$module/$folder/"
  done
done
mkdir -p "$bundle/modules/stm-kernels/src/main"
cp -r "$root/stm-kernels/src/main/cuda" "$bundle/modules/stm-kernels/src/main/"
ln -s modules/stm-kernels/src/main/cuda "$bundle/include"
find "$bundle/modules" -name 'ArchitectureTest*.class' -delete
for tutorial in "$root"/examples/[0-9][0-9]-*; do
  [ -d "$tutorial" ] && cp -r "$tutorial" "$bundle/modules/examples/"
done

# What the tests compile, compiled, for machines without compilers.
mkdir "$bundle/precompiled"
mapfile -t sources < <(sed 's/#.*//' "$root/examples/src/bundle/precompiled.txt" | tr -s ' ' '\n' | grep .)
(cd "$root" && "$jdk/bin/java" -cp "$bundle/lib/*" \
  io.magpie.stm.internal.toolchain.PrecompileSources "$bundle/precompiled" "${sources[@]}")

"$jdk/bin/java" -cp "$bundle/lib/*" io.magpie.examples.cli.ManPages "$bundle/share/man/man1"
"$jdk/bin/java" -cp "$bundle/lib/*" io.magpie.examples.cli.BillOfMaterials \
  "$output/bundle-bom.json" "$bundle" "$bundle/magpie.cdx.json"
# Licenses: Magpie's, and of each library in lib and test-lib its name and its text.
cp "$root/LICENSE" "$root/NOTICE" "$output/THIRD-PARTY.txt" "$bundle/"
for jar in "$bundle"/lib/magpie-*.jar; do
  [ "$("$jdk/bin/jar" --list --file "$jar" | grep -cE '^META-INF/(LICENSE|NOTICE)$')" = 2 ] ||
    { echo "make-bundle: no LICENSE and NOTICE in $jar" >&2; exit 1; }
done
listed=$(sed -nE 's/^ *\([^)]*\) .*\([^:()]+:([^:()]+):([^:() ]+) - .*/\1-\2.jar/p' "$bundle/THIRD-PARTY.txt")
for jar in "$bundle"/lib/*.jar "$bundle"/test-lib/*.jar; do
  name=$(basename "$jar")
  [ "$name" = "$(basename "$examples_jar")" ] || grep -qxF "$name" <<< "$listed" ||
    { echo "make-bundle: no license of $name in THIRD-PARTY.txt" >&2; exit 1; }
done
# Whoever passes on libraries under the EPL says where their source code is.
{
  printf '\nThe libraries under EPL-2.0 are as their authors released them. The source code of these very versions is in Maven\n'
  printf 'Central; "mvn dependency:get -Dartifact=" with one of these names fetches it:\n'
  sed -nE 's/^ *\(EPL-2.0\) .*\(([^:()]+:[^:()]+:[^:() ]+) - .*/     \1:jar:sources/p' "$bundle/THIRD-PARTY.txt"
} > "$output/sources.txt"
cat "$output/sources.txt" >> "$bundle/THIRD-PARTY.txt"
mkdir "$bundle/licenses"
cp "$root/LICENSE" "$bundle/licenses/Apache-2.0.txt"
cp "$root"/examples/src/bundle/licenses/*.txt "$bundle/licenses/"
grep -o '^ *([^)]*)' "$bundle/THIRD-PARTY.txt" | tr -d ' ()' | sort -u | while read -r license; do
  [ -f "$bundle/licenses/$license.txt" ] ||
    { echo "make-bundle: no text of $license in examples/src/bundle/licenses" >&2; exit 1; }
done
# The pages and their pictures, in the places where links between them lead.
(cd "$root" && find . \( -name target -o -path './.*' \) -prune -o \( -name '*.md' -o -name '*.png' \) -print0) |
  tar -C "$root" --null --files-from=- -cf - | tar -C "$bundle" -xf -

git -C "$root" describe --always --dirty --abbrev=12 > "$bundle/REVISION" 2> /dev/null || echo unknown > "$bundle/REVISION"
cp "$root"/examples/src/bundle/{magpie,magpie-test} "$bundle/bin/"
cp "$root"/examples/src/bundle/launch.sh "$bundle/lib/"
chmod +x "$bundle"/bin/*
# Magpie's own, too: a start takes two thirds of the time. Without this archive, or where a file has changed, Java loads
# the classes from the jars.
[ -z "$archive" ] || (cd "$bundle" && MAGPIE_JAVA_OPTIONS='-XX:ArchiveClassesAtExit=lib/magpie.jsa -Xlog:cds*=off' \
  bin/magpie msf --generate road:1000 --device cpu:1 --verify > /dev/null)
tar -C "$output" --sort=name --owner=0 --group=0 --numeric-owner -cf - magpie-bundle |
  xz -T2 > "$bundle.tar.xz" # two threads on any machine, as their number decides what is written
megabytes=$(( $(stat -c %s "$bundle.tar.xz") / 1000000 ))
echo "bundle: $bundle.tar.xz, $megabytes MB, runtime $("$bundle/runtime/bin/java" --version | head -1)"
[ "$megabytes" -lt 64 ] || {
  rm "$bundle.tar.xz"
  echo "make-bundle: the archive has $megabytes MB, and 64 are too many to travel; the largest folders, in MB:" >&2
  du -m -d 1 "$bundle" | sort -rn | sed -n 2,6p >&2
  exit 1
}
