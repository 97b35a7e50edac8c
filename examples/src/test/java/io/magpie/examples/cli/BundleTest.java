package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the bundle says of its files: run in the bundle, or on the one that a property names. */
class BundleTest {
  private static final Pattern LIBRARY =
      Pattern.compile("^ *\\(([^)]*)\\) .*\\(([^:()]+):([^:()]+):([^:() ]+) - ", Pattern.MULTILINE);

  private Path bundle;

  @BeforeEach
  void find() {
    String named = System.getProperty("magpie.bundle");
    bundle =
        named == null
            ? Path.of(System.getProperty("magpie.basedir")).resolve("../..").normalize()
            : Path.of(named);
    assumeTrue(Files.exists(bundle.resolve("magpie.cdx.json")), "not in a bundle");
  }

  private Set<String> files(String... folders) throws IOException {
    Set<String> files = new TreeSet<>();
    for (String folder : folders) {
      try (Stream<Path> all = Files.list(bundle.resolve(folder))) {
        all.filter(each -> each.toString().matches(".*\\.(jar|so)"))
            .forEach(each -> files.add(folder + "/" + each.getFileName()));
      }
    }
    return files;
  }

  @Test
  void theBillOfMaterialsHasTheHashesOfAllFiles() throws Exception {
    assertEquals(
        files("lib", "test-lib", "native"),
        BillOfMaterialsTest.checked(
            new ObjectMapper().readTree(bundle.resolve("magpie.cdx.json").toFile()), bundle));
  }

  @Test
  void everyLibraryHasItsLicense() throws IOException {
    String list = Files.readString(bundle.resolve("THIRD-PARTY.txt"));
    List<MatchResult> libraries = LIBRARY.matcher(list).results().toList();
    Set<String> listed =
        libraries.stream()
            .map(m -> m.group(3) + "-" + m.group(4) + ".jar")
            .collect(Collectors.toSet());
    for (String each : files("lib", "test-lib")) {
      String jar = each.substring(each.indexOf('/') + 1);
      assertTrue(listed.contains(jar) || jar.startsWith("magpie-examples-"), jar);
    }
    for (MatchResult each : libraries) {
      assertTrue(Files.exists(bundle.resolve("licenses/" + each.group(1) + ".txt")), each.group(1));
    }
  }

  @Test
  void librariesUnderTheEplHaveAPlaceOfTheirSources() throws IOException {
    String list = Files.readString(bundle.resolve("THIRD-PARTY.txt"));
    Set<String> expected = new TreeSet<>();
    LIBRARY
        .matcher(list)
        .results()
        .filter(m -> m.group(1).equals("EPL-2.0"))
        .forEach(m -> expected.add(m.group(2) + ":" + m.group(3) + ":" + m.group(4)));
    assertTrue(expected.size() > 5, expected.toString());
    assertEquals(
        expected,
        Pattern.compile("(\\S+):jar:sources")
            .matcher(list)
            .results()
            .map(m -> m.group(1))
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
