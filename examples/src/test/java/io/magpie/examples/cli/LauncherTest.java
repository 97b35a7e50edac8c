package io.magpie.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher of a clone, in a copy that has nothing else: what it says and ends with where Java
 * or a build is not as usual.
 */
class LauncherTest {
  /** What Maven says of a build; a line of its own for each thing that matters. */
  private static final String MAVEN =
      """
      [INFO] Scanning for projects...
      Downloading from central: https://repo.maven.apache.org/a.pom
      Downloading from central: https://repo.maven.apache.org/b.pom
      [INFO] ------------------< io.magpie:magpie-stm-core >-------------------
      [INFO] Building Magpie: Java facade 0.1.0-SNAPSHOT                  [3/6]
      [WARNING] A.java:[1,1] [deprecation] something
        a line that belongs to the warning
      [modules] compiling msf.cu for CPU; 0 of 12 files done in 1 s
      [INFO] Building jar: /somewhere/a.jar
      """;

  @TempDir Path folder;
  private Path root;
  private Path launcher;
  private final Map<String, String> environment = new java.util.HashMap<>();

  @BeforeEach
  void copyLauncher() throws IOException {
    Path examples = Path.of(System.getProperty("magpie.basedir", "."));
    assumeTrue(Files.exists(examples.resolve("magpie")), "the bundle has no launcher of a clone");
    root = folder.resolve("clone");
    Path copy = root.resolve("examples");
    Files.createDirectories(copy.resolve("src/bundle"));
    Files.createDirectories(copy.resolve("target"));
    launcher = Files.copy(examples.resolve("magpie"), copy.resolve("magpie"));
    Files.copy(examples.resolve("src/bundle/launch.sh"), copy.resolve("src/bundle/launch.sh"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(copy.resolve("target/magpie-examples-0.jar"));
    Files.createFile(copy.resolve("target/launcher.stamp"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MAGPIE_JAVA_OPTIONS", "");
  }

  /** In place of a program, a script that comes first on PATH. */
  private void script(String name, String text) throws IOException {
    Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertTrue(file.toFile().setExecutable(true));
    environment.put("PATH", file.getParent() + ":" + System.getenv("PATH"));
  }

  /** Has the launcher start a script in place of Java. */
  private void javaIs(String text) throws IOException {
    environment.put("JAVA_HOME", "");
    script("java", text);
    script("javac", "exit 0");
  }

  private record Ended(int status, String output) {}

  private Ended run(String shell) throws Exception {
    List<String> command =
        List.of("bash", "-c", shell + " exec \"$@\"", "bash", launcher.toString(), "devices");
    Process process = start(command);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs");
    return new Ended(process.exitValue(), output);
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true);
    builder.directory(folder.toFile());
    List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LC_ALL", "LC_CTYPE", "LANG")
        .forEach(builder.environment()::remove);
    builder.environment().remove("MAGPIE_CLASSPATH");
    builder.environment().putAll(environment);
    return builder.start();
  }

  private void assertNoVerdict(Ended ended, String... parts) {
    assertEquals(69, ended.status, ended.output);
    assertTrue(ended.output.startsWith("magpie: "), ended.output);
    for (String part : parts) {
      assertTrue(ended.output.contains(part), ended.output);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+Nonsense", "-XX:+UseG1GC -XX:+UseSerialGC", "-Xmx1"})
  void optionsThatJavaDoesNotTakeAreNoVerdict(String options) throws Exception {
    environment.put("MAGPIE_JAVA_OPTIONS", options);

    assertNoVerdict(run(""), "Java does not start", "MAGPIE_JAVA_OPTIONS");
  }

  @Test
  void tooLittleMemoryForJavaIsNoVerdict() throws Exception {
    assertNoVerdict(run("ulimit -v 1000000;"), "Java does not start", "ulimit -a");
  }

  @Test
  void tooFewProcessesForJavaAreNoVerdict() throws Exception {
    javaIs("[ \"$*\" = \"${*%-version}\" ] || { echo 'unable to create native thread'; exit 1; }");

    assertNoVerdict(
        run("ulimit -u 4000;"), "Java does not start", "unable to create native thread");
  }

  @Test
  void tooFewFilesAreNoVerdict() throws Exception {
    assertNoVerdict(run("ulimit -n 32;"), "Only 32 files", "ulimit -n");
  }

  @Test
  void aFolderThatIsGoneIsNoVerdict() throws Exception {
    Files.createDirectory(folder.resolve("gone"));

    Ended ended = run("cd gone; rmdir ../gone;");

    assertEquals(69, ended.status, ended.output);
    assertTrue(ended.output.contains("The current folder does not exist any more"), ended.output);
  }

  @Test
  void javaIsNotTriedWhereNothingIsInDoubt() throws Exception {
    javaIs("echo run >> runs; echo \"$@\"");
    environment.remove("MAGPIE_JAVA_OPTIONS");

    Ended ended =
        run("[ $(ulimit -u) = unlimited ] || [ $(ulimit -u) -ge 4096 ] || { echo few; exit 0; };");

    assumeTrue(!ended.output.startsWith("few"), "the number of processes is limited here");
    assertTrue(ended.output.contains("-XX:+UseParallelGC"), ended.output);
    assertTrue(ended.output.endsWith(" io.magpie.examples.cli.Main devices\n"), ended.output);
    assertEquals(1, Files.readAllLines(folder.resolve("runs")).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"MAGPIE_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
  void aCollectorOfTheUsersIsTheOnlyOne(String variable) throws Exception {
    javaIs("echo \"$@\"");
    environment.put(variable, "-Xmx1g -XX:+UseG1GC");

    Ended ended = run("");

    assertEquals(0, ended.status, ended.output);
    assertFalse(ended.output.contains("ParallelGC"), ended.output);
  }

  @Test
  void jarsOfTheUsersAreBehindMagpies() throws Exception {
    javaIs("echo \"$@\"");
    Path target = root.toRealPath().resolve("examples/target");
    String magpies =
        " -cp " + target.resolve("magpie-examples-0.jar") + ":" + library("a.jar").toRealPath();
    library("b.txt");
    environment.put("JDK_JAVA_OPTIONS", "-Xshare:off"); // no archive of classes

    assertTrue(run("").output.contains(magpies + " -D"), "without any");
    environment.put("MAGPIE_CLASSPATH", "/my jars/a.jar:/b/*");
    Ended ended = run("");

    assertTrue(ended.output.contains(magpies + ":/my jars/a.jar:/b/* -D"), ended.output);
  }

  private Path library(String name) throws IOException {
    Path libraries = Files.createDirectories(root.resolve("examples/target/lib"));
    return Files.writeString(libraries.resolve(name), name);
  }

  /** Has a script in place of Java that makes archives as Java does, and lists how it is run. */
  private void javaMakesArchives() throws IOException {
    javaIs(
        """
        echo "$MAGPIE_CXX" "$@" >> runs
        for option in "$@"; do
          case $option in -XX:ArchiveClassesAtExit=*) echo classes > "${option#*=}"; exit 4 ;; esac
        done
        echo started; exit 9""");
    library("a.jar");
  }

  private List<String> runs() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("runs"));
    Files.delete(folder.resolve("runs"));
    return lines;
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("examples/target"))) {
      return files.filter(file -> file.toString().contains(".jsa")).toList();
    }
  }

  private static boolean isWith(Path archive, String run) throws IOException {
    return run.contains(" -XX:SharedArchiveFile=" + archive.toRealPath() + " ");
  }

  @Test
  void theFirstStartAfterABuildArchivesClasses() throws Exception {
    javaMakesArchives();

    assertEquals(new Ended(9, "started\n"), run(""));
    Path archive = archives().get(0);
    List<String> first = runs();
    assertEquals(2, first.size());
    assertTrue(first.get(0).startsWith("none "), "that does not compile: " + first.get(0));
    assertTrue(isWith(archive, first.get(1)), first.get(1));
    assertTrue(first.get(1).endsWith(" devices"), first.get(1));

    assertEquals(new Ended(9, "started\n"), run(""));
    List<String> second = runs();
    assertEquals(1, second.size());
    assertTrue(isWith(archive, second.get(0)), second.get(0));
    assertEquals(List.of(archive), archives());
  }

  /** The archive of other jars, or another Java, is not used but replaced. */
  @ParameterizedTest
  @ValueSource(strings = {"clone/examples/target/lib/a.jar", "bin/java"})
  void anArchiveIsOfTheseJarsAndThisJava(String changed) throws Exception {
    javaMakesArchives();
    run("");
    Path before = archives().get(0);
    Files.setLastModifiedTime(folder.resolve(changed), FileTime.fromMillis(0));

    run("");

    assertEquals(1, archives().size());
    Path after = archives().get(0);
    assertFalse(before.equals(after), "it has the name of the one before");
    assertTrue(isWith(after, runs().get(3)));
  }

  @Test
  void classesThatCannotBeArchivedAreLoadedFromJars() throws Exception {
    javaMakesArchives();
    javaIs(
        "echo \"$@\" >> runs; case $* in *ArchiveClassesAtExit*) exit 1 ;; *) echo started ;; esac");

    assertEquals(new Ended(0, "started\n"), run(""));
    assertEquals(2, runs().size());
    assertEquals(new Ended(0, "started\n"), run(""));
    List<String> second = runs();
    assertEquals(1, second.size(), "it is not tried again");
    assertFalse(second.get(0).contains("Archive"), second.get(0));
  }

  @Test
  void anArchiveOfTheUsersIsTheOnlyOne() throws Exception {
    javaMakesArchives();
    environment.put("JDK_JAVA_OPTIONS", "-XX:SharedArchiveFile=mine.jsa");

    run("");

    assertEquals(List.of(), archives());
    assertFalse(runs().get(0).contains("Archive"));
  }

  @Test
  void jarsOfTheUsersAreBehindTheBundles() throws Exception {
    Path sources = Path.of(System.getProperty("magpie.basedir", ".")).resolve("src/bundle");
    Path bundle = folder.resolve("bundle");
    for (String each : List.of("bin", "lib", "runtime/bin")) {
      Files.createDirectories(bundle.resolve(each));
    }
    Files.copy(sources.resolve("launch.sh"), bundle.resolve("lib/launch.sh"));
    launcher = Files.copy(sources.resolve("magpie"), bundle.resolve("bin/magpie"));
    javaIs("echo \"$@\"");
    Files.copy(folder.resolve("bin/java"), bundle.resolve("runtime/bin/java"));
    assertTrue(bundle.resolve("runtime/bin/java").toFile().setExecutable(true));
    List<String> jars = List.of("B.jar", "a.jar", "z-1.jar"); // in the order of bytes, everywhere
    for (String jar : List.of("z-1.jar", "B.jar", "a.jar")) {
      Files.createFile(bundle.resolve("lib").resolve(jar));
    }
    environment.put("MAGPIE_CLASSPATH", "/my jars/a.jar");
    environment.put("LC_ALL", "en_US.UTF-8");

    Ended ended = run("");

    String expected =
        jars.stream()
            .map(jar -> bundle.resolve("lib").resolve(jar).toString())
            .collect(Collectors.joining(":"));
    assertTrue(ended.output.contains(" -cp " + expected + ":/my jars/a.jar -D"), ended.output);
  }

  @ParameterizedTest
  @CsvSource({
    "LC_ALL=C, C.UTF-8",
    "LANG=POSIX, C.UTF-8",
    "LANG=, C.UTF-8",
    "LC_ALL=de_DE.UTF-8, de_DE.UTF-8",
  })
  void namesOfFilesNeedAUtf8Locale(String variable, String expected) throws Exception {
    javaIs("echo \"${LC_ALL:-$LANG}\"");

    Ended ended = run("export " + variable + " 2> /dev/null;");

    assertTrue(ended.output.endsWith(expected + "\n"), ended.output);
  }

  @Test
  void aBuildTellsWhatItDoes() throws Exception {
    javaIs("exit 0");
    Path stamp = root.resolve("examples/target/launcher.stamp");
    Files.delete(stamp);
    Path said = Files.writeString(folder.resolve("said"), MAVEN);
    script("mvn", "cat '" + said + "'; touch '" + stamp + "'");

    Ended ended = run("");

    assertEquals(
        """
        magpie: building, as nothing is built yet or the sources have changed
        magpie: fetching libraries and Maven's plugins
        magpie: building Magpie: Java facade 0.1.0-SNAPSHOT                  [3/6]
        [modules] compiling msf.cu for CPU; 0 of 12 files done in 1 s
        """,
        ended.output);
    assertEquals(0, ended.status);
  }

  @Test
  void aBuildOnATerminalSaysHowLongTheRestTakes() throws Exception {
    assumeTrue(new ProcessBuilder("script", "--version").start().waitFor() == 0, "needs script");
    javaIs("exit 0");
    Path stamp = root.resolve("examples/target/launcher.stamp");
    Files.delete(stamp);
    String last = "[INFO] Building Magpie: command line and examples 0.1.0-SNAPSHOT [6/6]\n";
    String other = "[INFO] Building some other project 1.0 [2/3]\n";
    Path said = Files.writeString(folder.resolve("said"), MAVEN + last + other);
    script("mvn", "cat '" + said + "'; touch '" + stamp + "'");

    Process process = start(List.of("script", "-qec", launcher + " devices", "/dev/null"));
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs");
    Pattern left = Pattern.compile("(\\d)/6], about (\\d+) (s|min) left\\R");
    List<String> estimates = left.matcher(output).results().map(each -> each.group(1)).toList();
    assertEquals(List.of("3", "6"), estimates, output);
    assertTrue(output.contains("some other project 1.0 [2/3]\r\n"), output);
  }

  /** A clone may be made, and a file changed, in the second in which a build begins. */
  @Test
  void aStampTellsFilesOfTheSameSecondApart() throws Exception {
    javaIs("exit 0");
    script("mvn", "exit 1");
    Instant begin = Instant.parse("2026-01-01T00:00:00.500Z");
    String poms = Files.readString(Path.of(System.getProperty("magpie.basedir"), "pom.xml"));
    Matcher format = Pattern.compile("<maven.build.timestamp.format>(.*)</").matcher(poms);
    assertTrue(format.find(), "the stamp's time has a format");
    String time =
        DateTimeFormatter.ofPattern(format.group(1)).withZone(ZoneOffset.UTC).format(begin);
    Path stamp = root.resolve("examples/target/launcher.stamp");
    assertEquals(
        0, new ProcessBuilder("touch", "-d", time, stamp.toString()).start().waitFor(), time);

    Files.setLastModifiedTime(root.resolve("pom.xml"), FileTime.from(begin.minusMillis(100)));
    assertEquals(0, run("").status, "a file from before the build");
    Files.setLastModifiedTime(root.resolve("pom.xml"), FileTime.from(begin.plusMillis(100)));
    assertEquals(70, run("").status, "a file that was changed since the build began");
  }

  @Test
  void aBuildThatFailsShowsTheErrors() throws Exception {
    javaIs("exit 0");
    Files.delete(root.resolve("examples/target/launcher.stamp"));
    script("mvn", "echo '[ERROR] A.java:[1,1] wrong'; echo '  where'; echo '[INFO] end'; exit 1");

    Ended ended = run("");

    assertEquals(70, ended.status, ended.output);
    assertTrue(
        ended.output.contains("[ERROR] A.java:[1,1] wrong\n  where\nmagpie: "), ended.output);
  }

  @Test
  void aStartThatWaitsForAnotherSaysSo() throws Exception {
    assumeTrue(new ProcessBuilder("flock", "--version").start().waitFor() == 0, "needs flock");
    javaIs("echo started");
    Path stamp = root.resolve("examples/target/launcher.stamp");
    Files.delete(stamp);
    script("mvn", "echo '[ERROR] two builds'");
    Process building =
        start(List.of("flock", root.resolve("pom.xml").toString(), "sh", "-c", "echo; read line"));
    assertEquals('\n', building.getInputStream().read());
    Process waiting = start(List.of(launcher.toString(), "devices"));
    String expected = "magpie: waiting for another start, which is building\n";
    assertEquals(
        expected, new String(waiting.getInputStream().readNBytes(expected.length()), UTF_8));

    Files.createFile(stamp);
    building.getOutputStream().close();

    assertEquals("started\n", new String(waiting.getInputStream().readAllBytes(), UTF_8));
    assertEquals(0, waiting.waitFor());
  }
}
