package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The build step that compiles the built-in modules into the folder that becomes the jar, for all
 * machines; or, where the property {@code magpie.modules} is {@code deferred}, that only lists
 * them: then the source in the jar is compiled when a device first loads the module, for that
 * device. Where {@code magpie.checked} is {@code deferred}, that goes for {@link
 * Flavor#CPU_CHECKED} alone.
 *
 * <p>Arguments: the source root, which holds {@code <name>/<name>.cu} for each module, and {@code
 * <name>/<name>.host.cu} for one with a library of host code next to its kernels, and is itself an
 * include folder; the folder with the {@code magpie/} headers; the output root, usually {@code
 * target/classes}. The output is {@code META-INF/magpie/modules/<name>/} with one file per flavor
 * and an index of hashes, and a list of all modules. Files that are up to date are left alone, and
 * files that this step would not make are removed.
 *
 * <p>Without nvcc the modules get no fatbin, and the log says so. Without a C++ compiler the build
 * fails.
 */
public final class CompileModules {
  /** Compilers at a time. */
  static final int JOBS = Integer.getInteger("magpie.compile.jobs", 2);

  private final Path sources;
  private final Path output;
  private final Toolchain toolchain;
  private final Set<Flavor> deferred;
  private final ModuleBuilder builder;
  private final PrintStream log;
  private final long begin = System.nanoTime();
  private final AtomicInteger done = new AtomicInteger();
  private int files;

  private CompileModules(
      Path sources,
      Path headers,
      Path output,
      Toolchain toolchain,
      ArtifactCache cache,
      Set<Flavor> deferred,
      PrintStream log) {
    this.sources = sources;
    this.output = output.resolve(ModuleSource.MODULES_FOLDER);
    this.toolchain = toolchain;
    this.deferred = deferred;
    this.log = log;
    this.builder =
        new ModuleBuilder(
            toolchain,
            cache,
            List.of(headers, sources),
            this::compiling,
            warning -> log.println("[modules] warning: " + warning));
  }

  /**
   * Runs the build step.
   *
   * @param arguments source root, header folder, output root
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException(
          "needed: source root, header folder, output root; got "
              + arguments.length
              + " arguments");
    }
    run(
        Path.of(arguments[0]).toAbsolutePath().normalize(),
        Path.of(arguments[1]).toAbsolutePath().normalize(),
        Path.of(arguments[2]).toAbsolutePath().normalize(),
        Toolchain.discovered(),
        ArtifactCache.ofUser(),
        deferred(),
        System.out);
  }

  private static Set<Flavor> deferred() {
    boolean checked = isDeferred("magpie.checked");
    if (isDeferred("magpie.modules")) {
      return EnumSet.allOf(Flavor.class);
    }
    return checked ? EnumSet.of(Flavor.CPU_CHECKED) : EnumSet.noneOf(Flavor.class);
  }

  private static boolean isDeferred(String property) {
    String when = System.getProperty(property, "compiled");
    return switch (when) {
      case "compiled" -> false;
      case "deferred" -> true;
      default ->
          throw new IllegalArgumentException(
              property + "=" + when + " is neither compiled nor deferred");
    };
  }

  /**
   * Compiles all modules below {@code sources}; throws the first module's {@link
   * CompilationException}.
   *
   * @param deferred flavors that are left to when a device first loads a module
   */
  static void run(
      Path sources,
      Path headers,
      Path output,
      Toolchain toolchain,
      ArtifactCache cache,
      Set<Flavor> deferred,
      PrintStream log)
      throws IOException {
    new CompileModules(sources, headers, output, toolchain, cache, deferred, log).run();
  }

  private void run() throws IOException {
    List<String> names = names();
    boolean listed = deferred.containsAll(EnumSet.allOf(Flavor.class));
    List<Flavor> flavors = listed ? List.of() : flavors(names);
    int changed = 0;
    files = names.stream().mapToInt(name -> made(name, flavors).size()).sum();
    List<Future<Boolean>> jobs = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(JOBS);
    try {
      // What nvcc takes longest for comes first, so that at the end no compiler runs alone.
      for (boolean nvcc : List.of(true, false)) {
        for (String name : names) {
          for (Flavor flavor : made(name, flavors)) {
            if (flavor.needsNvcc() == nvcc) {
              jobs.add(pool.submit(() -> make(name, flavor)));
            }
          }
        }
      }
      CompilationException failure = null;
      for (Future<Boolean> job : jobs) {
        try {
          changed += job.get() ? 1 : 0;
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof CompilationException)) {
            throw new MagpieException(
                "Cannot compile the built-in modules: " + e.getCause().getMessage(), e.getCause());
          }
          log.println("[modules] " + e.getCause().getMessage());
          failure = failure == null ? (CompilationException) e.getCause() : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MagpieException("Interrupted while compiling the built-in modules", e);
    } finally {
      pool.shutdownNow();
    }

    for (String name : names) {
      writeIndex(name, made(name, flavors));
    }
    if (!names.isEmpty()) {
      replace(output.resolve(ModuleSource.MODULE_LIST), String.join("\n", names) + "\n");
    }
    prune(names, flavors);
    if (listed) {
      log.printf("[modules] %d listed, to be compiled when they are first loaded%n", names.size());
      return;
    }
    log.printf(
        "[modules] %d %s, %d files, %d compiled or replaced, %.1f s; %s; %s%n",
        names.size(),
        names.size() == 1 ? "module" : "modules",
        jobs.size(),
        changed,
        seconds(),
        toolchain.cxx().map(Compiler::version).orElse("no C++ compiler"),
        toolchain.nvcc().map(Compiler::version).orElse("no nvcc"));
  }

  private List<Flavor> flavors(List<String> names) {
    List<Flavor> flavors = new ArrayList<>(List.of(Flavor.CPU, Flavor.CPU_CHECKED, Flavor.SIM));
    if (!names.isEmpty() && toolchain.cxx().isEmpty()) {
      throw new MagpieException(
          "Cannot compile the built-in modules: " + toolchain.missing(Flavor.CPU));
    }
    if (toolchain.nvcc().isPresent()) {
      flavors.add(Flavor.CUDA);
      flavors.add(Flavor.CUDA_HOST);
    } else if (!names.isEmpty()) {
      log.println(
          "[modules] without fatbins, for cpu and sim only: " + toolchain.missing(Flavor.CUDA));
    }
    flavors.removeAll(deferred);
    return flavors;
  }

  /** Compiling takes minutes; the log tells that it goes on. */
  private void compiling(String what) {
    log.printf("[modules] %s; %d of %d files done in %.0f s%n", what, done.get(), files, seconds());
  }

  private double seconds() {
    return (System.nanoTime() - begin) / 1e9;
  }

  private List<String> names() throws IOException {
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(sources)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .filter(name -> Files.isRegularFile(source(name, Flavor.CPU)))
          .sorted()
          .toList();
    }
  }

  private Path source(String name, Flavor flavor) {
    return sources.resolve(name).resolve(name + flavor.sourceSuffix());
  }

  /** Those of the flavors that a module has a source for. */
  private List<Flavor> made(String name, List<Flavor> flavors) {
    return flavors.stream().filter(flavor -> Files.isRegularFile(source(name, flavor))).toList();
  }

  private Path target(String name, Flavor flavor) {
    return output.resolve(name).resolve(flavor.fileName());
  }

  /** Brings one file up to date; says whether it had to be changed. */
  private boolean make(String name, Flavor flavor) throws IOException {
    Path built = builder.build(source(name, flavor), flavor, Defines.NONE);
    done.incrementAndGet();
    Path target = target(name, flavor);
    if (Files.isRegularFile(target) && Files.mismatch(built, target) < 0) {
      return false;
    }
    Files.createDirectories(target.getParent());
    Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
    Files.copy(built, temporary, StandardCopyOption.REPLACE_EXISTING);
    Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  private void writeIndex(String name, List<Flavor> flavors) throws IOException {
    Files.createDirectories(output.resolve(name));
    Map<String, String> index = new TreeMap<>();
    index.put("source.sha256", Hashes.ofFile(source(name, Flavor.CPU)));
    for (Flavor flavor : flavors) {
      Path file = target(name, flavor);
      String prefix = flavor.fileName() + ".";
      index.put(prefix + "sha256", Hashes.ofFile(file));
      index.put(prefix + "bytes", Long.toString(Files.size(file)));
      index.put(prefix + "flags", String.join(" ", toolchain.flags(flavor)));
      index.put(
          prefix + "compiler", toolchain.compilerFor(flavor).map(Compiler::version).orElseThrow());
    }
    StringBuilder text = new StringBuilder();
    index.forEach(
        (key, value) ->
            text.append(key).append('=').append(value.replace("\\", "\\\\")).append('\n'));
    replace(output.resolve(name).resolve(ModuleSource.INDEX), text.toString());
  }

  private static void replace(Path file, String text) throws IOException {
    if (Files.isRegularFile(file) && Files.readString(file).equals(text)) {
      return;
    }
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, text, StandardCharsets.UTF_8);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void prune(List<String> names, List<Flavor> flavors) throws IOException {
    if (!Files.isDirectory(output)) {
      return;
    }
    Set<Path> keep = new HashSet<>();
    keep.add(output);
    if (!names.isEmpty()) {
      keep.add(output.resolve(ModuleSource.MODULE_LIST));
    }
    for (String name : names) {
      keep.add(output.resolve(name));
      keep.add(output.resolve(name).resolve(ModuleSource.INDEX));
      made(name, flavors).forEach(flavor -> keep.add(target(name, flavor)));
    }
    try (Stream<Path> tree = Files.walk(output)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) {
        if (!keep.contains(path)) {
          Files.delete(path);
          log.println("[modules] removed " + path + ", which no module makes");
        }
      }
    }
  }
}
