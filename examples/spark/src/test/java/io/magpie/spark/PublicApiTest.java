package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.magpie.examples.ApiFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is public in this module, as {@code api.txt} lists it; see {@code CONTRIBUTING.md}. */
class PublicApiTest {
  private static final Path MODULE =
      Path.of(System.getProperty("magpie.basedir", ".")).toAbsolutePath().normalize();

  @Test
  void isAsListed() throws IOException {
    assumeTrue(Files.isDirectory(MODULE.resolve("src/test")), "not a clone");
    TreeMap<String, List<String>> types = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.magpie.spark")) {
      if (ApiFile.isPublic(each)) {
        types.put(each.getName(), ApiFile.described(each.reflect()));
      }
    }
    ApiFile.check(MODULE, types.values().stream().flatMap(List::stream).toList());
    assertTrue(types.size() >= 5, types.keySet()::toString);
  }
}
