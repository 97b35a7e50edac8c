package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds resources on the class path and gives folders of them as folders of files. */
final class ResourceFolders {
  private ResourceFolders() {}

  /** All resources of that name, those of the calling thread's class loader first. */
  static List<URL> all(String name) {
    Set<String> seen = new LinkedHashSet<>();
    List<URL> found = new ArrayList<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    try {
      for (ClassLoader loader :
          new ClassLoader[] {context, ResourceFolders.class.getClassLoader()}) {
        if (loader != null) {
          for (URL url : Collections.list(loader.getResources(name))) {
            if (seen.add(url.toExternalForm())) {
              found.add(url);
            }
          }
        }
      }
    } catch (IOException e) {
      throw new MagpieException(
          "Cannot search the class path for " + name + ": " + e.getMessage(), e);
    }
    return found;
  }

  /**
   * A folder on disk.
   *
   * @param hash of all files in it, if nobody but this library changes them; else null
   * @param jar that it is a copy of; null if it is none
   */
  record Folder(Path path, String hash, Path jar) {
    /** A folder that is used as it is. */
    Folder(Path path) {
      this(path, null, null);
    }
  }

  /**
   * The folder that holds a known file, as a folder on disk: where the class path is a folder, that
   * one; where it is a jar, a copy in the cache.
   *
   * @param folder resource name of the folder, without a slash at its end
   * @param member a file in it, relative to the folder
   */
  static Optional<Folder> holding(String folder, String member, ArtifactCache cache) {
    List<URL> found = all(folder + "/" + member);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    URL url = found.get(0);
    try {
      if (url.getProtocol().equals("file")) {
        Path file = Path.of(url.toURI());
        for (int i = Path.of(member).getNameCount(); i > 0; i--) {
          file = file.getParent();
        }
        return Optional.of(new Folder(file));
      }
      if (url.getProtocol().equals("jar")) {
        String spec = url.getPath();
        Path jar = Path.of(new URI(spec.substring(0, spec.indexOf("!/"))));
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
          Path root = files.getPath("/" + folder);
          String hash = ArtifactCache.hashOfTree(root);
          String name = folder.substring(folder.lastIndexOf('/') + 1) + "-" + hash.substring(0, 24);
          Path copy = cache.tree(name, hash, target -> copyTree(root, target));
          return Optional.of(new Folder(copy, hash, jar));
        }
      }
      throw new MagpieException(
          "Cannot read the files next to " + url + ": only folders and jars are supported");
    } catch (IOException e) {
      Interruptions.rethrow(e, "Interrupted while reading the files next to " + url);
      throw unreadable(url, e);
    } catch (URISyntaxException e) {
      throw unreadable(url, e);
    }
  }

  /** The jar or folder on the class path that has a resource. */
  static String root(URL url, String name) {
    String text = url.toExternalForm();
    String root = text.substring(0, text.length() - name.length());
    try {
      return Path.of(new URI(root.replaceFirst("^jar:", "").replaceFirst("!/$", ""))).toString();
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return root;
    }
  }

  private static MagpieException unreadable(URL url, Exception e) {
    return new MagpieException("Cannot read the files next to " + url + ": " + e.getMessage(), e);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path file : tree.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target, PrivateFolder.ONLY_OWNER);
        } else {
          Files.createDirectories(target.getParent(), PrivateFolder.ONLY_OWNER);
          Files.createFile(target, PrivateFolder.ONLY_OWNER_READS);
          try (OutputStream out = Files.newOutputStream(target)) {
            Files.copy(file, out);
          }
        }
      }
    }
  }
}
