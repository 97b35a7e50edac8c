package io.magpie.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
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
      Path.of(System.getProperty("magpie.basedir", ".")).toAbsolutePath().normalize().getParent();

  @BeforeAll
  static void requireClone() {
    assumeTrue(Files.isDirectory(ROOT.resolve("stm-kernels/src/test")), "not a clone");
  }

  @Test
  void isAsListed() throws IOException {
    Map<String, TreeMap<String, List<String>>> modules = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.magpie")) {
      if (ApiFile.isPublic(each)) {
        String module =
            MODULES.entrySet().stream()
                .filter(entry -> each.getPackageName().startsWith(entry.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue();
        Class<?> type = each.reflect();
        modules
            .computeIfAbsent(module, name -> new TreeMap<>())
            .put(type.getName(), ApiFile.described(type));
      }
    }
    assertEquals(new TreeSet<>(MODULES.values()), modules.keySet());
    for (Map.Entry<String, TreeMap<String, List<String>>> module : modules.entrySet()) {
      ApiFile.check(
          ROOT.resolve(module.getKey()),
          module.getValue().values().stream().flatMap(List::stream).toList());
      assertTrue(module.getValue().size() >= 5, module.getKey());
    }
  }

  /** The names of the device library are those of its public headers. */
  @Test
  void theDeviceLibraryIsAsListed() throws IOException {
    List<String> lines = new DeviceLibrary(ROOT).lines(HeaderLayersTest.PUBLIC);
    ApiFile.check(ROOT.resolve("stm-kernels"), lines);
    assertEquals(
        new TreeSet<>(HeaderLayersTest.PUBLIC),
        new TreeSet<>(lines.stream().filter(line -> line.startsWith("magpie/")).toList()));
  }

  /** What a listing of headers has to tell apart. */
  @Test
  void declarationsAreToldFromBodies() {
    String text =
        """
        # 1 "other.hpp"
        void not_ours();
        # 1 "ours.hpp" 1
        #define ONE(a,b) a
        #define TWO
        #undef TWO
        namespace magpie { inline namespace magpie_cpu {
        struct later;
        inline constexpr int bound = 3; // a comment { with a brace
        [[nodiscard]] inline __attribute__((always_inline)) int twice(int n = {}, [[maybe_unused]] int m = 0) { return n; }
        template <class T> requires requires { T::x; } struct some<T> : base<T>, private hidden<T, 2> {
          T value{3};
          some(T v) : value{v}, other_(v) {}
          T& operator()(int i) const { if (i) { return value; } return value; }
          bool operator=(const some&) = delete;
          enum class kind : char { a = (1), b };
         private:
          T other_;
         public:
          friend bool operator==(const some&, const some&) { return true; }
          int last() const;
          // ---- For regions.
          int for_regions();
          // ---- For others.
          int for_others();
        };
        template <class T> concept thing = requires(T t) { t.x; };
        using alias = some<int>;
        extern "C" { int exported(const char* text = "{"); }
        namespace inner { int f() { return '}'; } }
        } }
        """;
    List<CppDeclarations.Declared> all =
        CppDeclarations.in(text.lines().toList(), "ours.hpp"::equals, "regions");
    assertEquals(
        List.of(
            "magpie bound: constexpr int bound",
            "magpie twice: int twice(int n = {}, int m = 0)",
            "magpie some: template <class T> requires requires { T::x; } struct some<T> : base<T>\n"
                + "  T value\n"
                + "  T& operator()(int i) const\n"
                + "  bool operator=(const some&) = delete\n"
                + "  enum class kind : char\n"
                + "    a\n"
                + "    b\n"
                + "  int for_regions()\n"
                + "  int last() const\n"
                + "  some(T v)",
            "magpie thing: template <class T> concept thing",
            "magpie alias: using alias = some<int>",
            "magpie exported: int exported(const char* text = \"{\")",
            "magpie::inner f: int f()",
            " ONE: #define ONE(a, b)"),
        all.stream()
            .map(each -> each.scope() + " " + each.name() + ": " + String.join("\n", each.lines()))
            .toList());
  }
}
