package io.magpie.examples;

import io.magpie.examples.CppDeclarations.Declared;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What programs may use of the device library, by public header. Of the building blocks and of the
 * machine's vocabulary that is all. The other headers also have the library's own parts: of these
 * it is what the repository's programs name, or the code on the library's page.
 */
final class DeviceLibrary {
  private static final String FOLDER = "stm-kernels/src/main/cuda";
  private static final String OF_THE_LIBRARY = "stm-kernels/src/(main|test|litmus)";
  private static final String PAGE = "stm-kernels/README.md";
  private static final String STM = "stm";
  private static final String PLATFORM = "magpie/platform/platform.cuh";

  /** What a region gets as its {@code Tx}, by whose name programs do not call it. */
  private static final Set<String> TRANSACTION = Set.of("transaction", "guarded_access");

  private static final Set<String> SCOPES = Set.of("", "magpie", "magpie::stm", "magpie::host");

  /** What has a name for programs and nothing in it: what a policy does is the library's matter. */
  private static final String POLICY = " : policy_traits";

  private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\n]+`", Pattern.DOTALL);

  /** As the page writes guarded arrays, without their namespace. */
  private static final Pattern TEMPLATE = Pattern.compile("[a-z_]+(?=<)");

  private static final Pattern NAMED = Pattern.compile("[A-Za-z_]\\w*(?:::[A-Za-z_]\\w*)*");

  private static final Comparator<String> ORDER =
      Comparator.comparing((String text) -> !text.startsWith("  #")) // macros first
          .thenComparing(Comparator.naturalOrder());

  private final Path root;
  private final Map<String, Set<String>> named = new HashMap<>(); // by the namespace before
  private final Set<String> vocabulary; // of all machines, in the first comment of its header

  DeviceLibrary(Path root) throws IOException {
    this.root = root;
    this.vocabulary =
        Pattern.compile("\\w+")
            .matcher(Files.readString(root.resolve(FOLDER).resolve(PLATFORM)))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());
    try (Stream<Path> all = Files.list(root)) {
      for (Path module : all.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        addPrograms(module);
      }
    }
    Matcher code = CODE.matcher(Files.readString(root.resolve(PAGE)));
    while (code.find()) {
      addNames(code.group());
      TEMPLATE.matcher(code.group()).results().map(MatchResult::group).forEach(named(STM)::add);
    }
  }

  private void addPrograms(Path module) throws IOException {
    Files.walkFileTree(
        module,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String path = root.relativize(folder).toString().replace('\\', '/');
            return path.matches(OF_THE_LIBRARY + "|.*/(target|src/test)")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().matches(".*\\.(cu|cuh|cpp|hpp)")) {
              addNames(Files.readString(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void addNames(String text) {
    Matcher each = NAMED.matcher(text);
    while (each.find()) {
      String scope = "";
      for (String name : each.group().split("::")) {
        named(scope).add(name);
        scope = name;
      }
    }
  }

  private Set<String> named(String scope) {
    return named.computeIfAbsent(scope, any -> new HashSet<>());
  }

  /**
   * The list, as it stands in {@code api.txt}.
   *
   * @param headers the public ones
   * @throws IOException if there is no compiler to preprocess them
   */
  List<String> lines(Set<String> headers) throws IOException {
    Map<String, Set<String>> byHeader = new TreeMap<>();
    for (Declared each : CppDeclarations.in(preprocessed(headers), this::isOfLibrary, "regions")) {
      String file = each.file().substring(each.file().indexOf(FOLDER) + FOLDER.length() + 1);
      if (SCOPES.contains(each.scope()) && isPublic(file, each)) {
        String scope = each.scope().isEmpty() ? "" : each.scope() + ": ";
        byHeader
            .computeIfAbsent(publicHeader(file), any -> new TreeSet<>(ORDER))
            .add("  " + scope + String.join("\n", shown(each)).replace("\n", "\n  "));
      }
    }
    List<String> lines = new ArrayList<>();
    byHeader.forEach(
        (header, declared) -> {
          lines.add(header);
          declared.forEach(each -> lines.addAll(each.lines().toList()));
        });
    return lines;
  }

  private boolean isOfLibrary(String file) {
    return file.contains(FOLDER + "/magpie/");
  }

  private List<String> preprocessed(Set<String> headers) throws IOException {
    String compiler = Objects.requireNonNullElse(System.getenv("MAGPIE_CXX"), "g++");
    Process process =
        new ProcessBuilder(
                compiler, "-std=c++20", "-x", "c++", "-E", "-C", "-dD", "-I", FOLDER, "-")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var in = process.getOutputStream()) {
      in.write(
          headers.stream()
              .sorted()
              .map(header -> "#include \"" + header + "\"\n")
              .collect(Collectors.joining())
              .getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(compiler + " -E ended with status " + status);
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException(compiler + " -E was interrupted");
    }
    return output.lines().toList();
  }

  private boolean isPublic(String file, Declared each) {
    if (each.lines().get(0).startsWith("#")) {
      return named("").contains(each.name());
    }
    if (file.startsWith("magpie/parallel/")) {
      return true;
    }
    if (file.startsWith("magpie/platform/") && vocabulary.contains(each.name())) {
      return true;
    }
    String scope = each.scope().substring(each.scope().lastIndexOf(':') + 1);
    return TRANSACTION.contains(each.name())
        || named(scope).contains(each.name())
        || scope.equals("magpie")
            && named("").contains(each.name()); // by argument-dependent lookup
  }

  private static List<String> shown(Declared each) {
    String first = each.lines().get(0);
    int policy = first.indexOf(POLICY);
    return policy < 0 ? each.lines() : List.of(first.substring(0, policy));
  }

  /** By which header a program gets what another one has. */
  private static String publicHeader(String file) {
    String layer = file.split("/")[1];
    return switch (layer) {
      case "parallel" -> file;
      case "stm" -> "magpie/stm.cuh";
      case "host" -> "magpie/host.hpp";
      default -> "magpie/kernel.cuh";
    };
  }
}
