package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CompilationException;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;

/**
 * Compiles one source in one flavour, or takes the result of an earlier compilation of the same
 * thing from a cache.
 *
 * <p>The key of a result is the SHA-256 over the compiler's version, the flags and defines, the
 * environment variables that compilers read, the source and all headers it may include.
 */
final class ModuleBuilder {
  private static final List<String> VARIABLES =
      List.of(
          "CPATH", "CPLUS_INCLUDE_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN");

  private final Toolchain toolchain;
  private final ArtifactCache cache;
  private final List<Path> include;

  /**
   * @param include the {@code -I} folders, in order
   */
  ModuleBuilder(Toolchain toolchain, ArtifactCache cache, List<Path> include) {
    this.toolchain = toolchain;
    this.cache = cache;
    this.include = List.copyOf(include);
  }

  /**
   * @throws CompilationException if this machine has no compiler for the flavour
   */
  String key(Path source, Flavor flavor, Defines defines) {
    Compiler compiler =
        toolchain
            .compilerFor(flavor)
            .orElseThrow(
                () ->
                    new CompilationException(
                        "Cannot compile "
                            + source
                            + " for "
                            + flavor
                            + ": "
                            + toolchain.missing(flavor),
                        "",
                        List.of(),
                        ""));
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, "magpie module 1");
    Hashes.add(digest, compiler.identity());
    if (flavor.needsNvcc()) {
      Hashes.add(digest, toolchain.cxx().map(Compiler::identity).orElse(""));
    }
    Hashes.add(digest, String.join("\n", toolchain.flags(flavor)));
    Hashes.add(digest, String.join("\n", defines.flags()));
    for (String variable : VARIABLES) {
      String value = System.getenv(variable);
      Hashes.add(digest, value == null ? "" : value);
    }
    Hashes.add(digest, contentHash(source));
    return Hashes.hex(digest);
  }

  private String contentHash(Path source) {
    try {
      return IncludeScan.hash(source, include);
    } catch (IOException e) {
      throw new MagpieException(
          "Cannot read " + source + " or what it includes: " + e.getMessage(), e);
    }
  }

  /**
   * The name under which a folder of precompiled files holds this source: by contents and defines,
   * whatever compiled it.
   */
  String precompiledName(Path source, Flavor flavor, Defines defines) {
    MessageDigest digest = Hashes.sha256();
    Hashes.add(digest, contentHash(source));
    Hashes.add(digest, String.join("\n", defines.flags()));
    return nameOf(source) + "-" + Hashes.hex(digest).substring(0, 32) + "." + flavor.fileName();
  }

  /** The compiled file, in the cache. */
  Path build(Path source, Flavor flavor, Defines defines) {
    String key = key(source, flavor, defines).substring(0, 32);
    return cache.file(
        nameOf(source) + "-" + key + "." + flavor.fileName(),
        target -> toolchain.compile(flavor, source, defines, include, target));
  }

  /** A source's file name without its suffix. */
  static String nameOf(Path source) {
    String file = source.getFileName().toString();
    int dot = file.lastIndexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }
}
