package io.magpie.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is public, module by module, as {@code api.txt} of each lists it: a change of the surface is
 * seen in a review. With {@code -Dmagpie.api.write=true} the lists are written again, by the
 * command in {@code CONTRIBUTING.md}.
 */
class PublicApiTest {
  private static final Map<String, String> MODULES =
      Map.of(
          "io.magpie.stm", "stm-core",
          "io.magpie.algorithms", "algorithms",
          "io.magpie.verification", "verification",
          "io.magpie.examples", "examples");

  private static final Path ROOT =
      Path.of(System.getProperty("magpie.basedir", ".")).resolve("..").normalize();

  @Test
  void isAsListed() throws IOException {
    assumeTrue(Files.isDirectory(ROOT.resolve("stm-kernels/src/test")), "not a clone");
    Map<String, TreeMap<String, List<String>>> modules = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.magpie")) {
      if (isPublic(each)) {
        String module =
            MODULES.entrySet().stream()
                .filter(entry -> each.getPackageName().startsWith(entry.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue();
        Class<?> type = each.reflect();
        modules
            .computeIfAbsent(module, name -> new TreeMap<>())
            .put(type.getName(), described(type));
      }
    }
    assertEquals(new TreeSet<>(MODULES.values()), modules.keySet());
    for (Map.Entry<String, TreeMap<String, List<String>>> module : modules.entrySet()) {
      List<String> lines = module.getValue().values().stream().flatMap(List::stream).toList();
      Path file = ROOT.resolve(module.getKey()).resolve("api.txt");
      if (Boolean.getBoolean("magpie.api.write")) {
        Files.write(file, lines);
      }
      assertEquals(
          String.join("\n", Files.readAllLines(file)),
          String.join("\n", lines),
          "the public surface of "
              + module.getKey()
              + " has changed; if that is meant, -Dmagpie.api.write=true writes api.txt");
      assertTrue(module.getValue().size() >= 5, module.getKey());
    }
  }

  private static boolean isPublic(JavaClass type) {
    if (type.getPackageName().contains(".internal") || type.isAnonymousClass()) {
      return false;
    }
    for (Class<?> each = type.reflect(); each != null; each = each.getEnclosingClass()) {
      if (!Modifier.isPublic(each.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static List<String> described(Class<?> type) {
    List<String> lines = new ArrayList<>();
    // Newer JDKs say which types are sealed, 17 does not.
    lines.add(type.toGenericString().replaceFirst("\\b(non-)?sealed ", ""));
    Stream<? extends Member> members =
        Stream.of(
                Stream.of(type.getDeclaredFields()),
                Stream.of(type.getDeclaredConstructors()),
                Stream.of(type.getDeclaredMethods()))
            .flatMap(each -> each);
    members
        .filter(each -> !each.isSynthetic())
        .filter(each -> (each.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
        .map(PublicApiTest::text)
        .map(text -> "  " + text.replace(type.getName() + ".", "").replace("java.lang.", ""))
        .sorted()
        .forEach(lines::add);
    return lines;
  }

  private static String text(Member member) {
    if (member instanceof Field field) {
      return field.toGenericString();
    }
    return member instanceof Method method
        ? method.toGenericString()
        : ((Constructor<?>) member).toGenericString();
  }
}
