package io.magpie.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The bundle's bill of materials: Maven's, in CycloneDX's format, of those components that are in
 * the bundle, with the places and hashes of the files there, some of which the bundle changes. The
 * build of the bundle calls it.
 */
final class BillOfMaterials {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> HASHES = List.of("SHA-256", "SHA-512");
  private static final List<String> JARS = List.of("lib", "test-lib");
  private static final String NATIVES = "native";

  /** What the names of natives begin with, by the components that they are of. */
  private static final Map<String, String> NATIVES_OF =
      Map.of("jna", "libjnidispatch", "jcuda-natives", "libJCudaDriver");

  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

  private final Path bundle;

  /** Files that have a component, relative to the bundle. */
  private final Set<String> described = new HashSet<>();

  private BillOfMaterials(Path bundle) {
    this.bundle = bundle;
  }

  /**
   * Writes the bill.
   *
   * @param arguments Maven's bill, the bundle's folder, and the file to write
   * @throws IOException if one cannot be read or written, or a jar or native has no component
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException(
          "needed: Maven's bill of materials, the bundle's folder and the file to write; got "
              + arguments.length
              + " arguments");
    }
    JsonNode bill = MAPPER.readTree(Path.of(arguments[0]).toFile());
    new BillOfMaterials(Path.of(arguments[1])).adapt((ObjectNode) bill);
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(Path.of(arguments[2]).toFile(), bill);
  }

  private void adapt(ObjectNode bill) throws IOException {
    describe((ObjectNode) bill.path("metadata").path("component"));
    Set<String> absent = new HashSet<>();
    for (Iterator<JsonNode> each = bill.withArray("components").iterator(); each.hasNext(); ) {
      ObjectNode component = (ObjectNode) each.next();
      if (!describe(component)) {
        absent.add(component.path("bom-ref").asText());
        each.remove();
      }
    }
    removeDependencies(bill.withArray("dependencies"), absent);
    requireAllDescribed();
  }

  private static void removeDependencies(ArrayNode dependencies, Set<String> absent) {
    for (Iterator<JsonNode> each = dependencies.iterator(); each.hasNext(); ) {
      JsonNode dependency = each.next();
      if (absent.contains(dependency.path("ref").asText())) {
        each.remove();
      } else {
        Iterator<JsonNode> on = dependency.path("dependsOn").iterator();
        while (on.hasNext()) {
          if (absent.contains(on.next().asText())) {
            on.remove();
          }
        }
      }
    }
  }

  /** Says where a component is in the bundle, and with which hashes; whether it is there at all. */
  private boolean describe(ObjectNode component) throws IOException {
    List<String> natives = natives(component.path("name").asText());
    ArrayNode parts = MAPPER.createArrayNode();
    for (String each : natives) {
      ObjectNode file = parts.addObject().put("type", "file").put("name", each);
      file.set("hashes", hashes(each));
    }
    component.remove("hashes");
    boolean found = !natives.isEmpty();
    for (String folder : JARS) {
      String jar = folder + "/" + jar(component);
      if (Files.exists(bundle.resolve(jar))) {
        found = true;
        described.add(jar);
        component.set("hashes", hashes(jar));
        ArrayNode places = component.withObject("/evidence").withArray("occurrences");
        places.addObject().put("location", jar);
      }
    }
    if (!parts.isEmpty()) {
      component.set("components", parts);
      component
          .withObject("/pedigree")
          .put(
              "notes",
              "Without natives of other systems; those of this one are files by themselves.");
    }
    return found;
  }

  private static String jar(JsonNode component) {
    Matcher classifier = CLASSIFIER.matcher(component.path("purl").asText());
    return component.path("name").asText()
        + "-"
        + component.path("version").asText()
        + (classifier.find() ? "-" + classifier.group(1) : "")
        + ".jar";
  }

  private List<String> natives(String component) throws IOException {
    String prefix = NATIVES_OF.get(component);
    if (prefix == null) {
      return List.of();
    }
    List<String> natives =
        files(NATIVES).stream().filter(each -> each.startsWith(NATIVES + "/" + prefix)).toList();
    described.addAll(natives);
    return natives;
  }

  /** The files of a folder of the bundle, with the folder's name before theirs. */
  private List<String> files(String folder) throws IOException {
    if (!Files.isDirectory(bundle.resolve(folder))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(bundle.resolve(folder))) {
      return files.map(each -> folder + "/" + each.getFileName()).sorted().toList();
    }
  }

  private void requireAllDescribed() throws IOException {
    List<String> all = new ArrayList<>(files(NATIVES));
    for (String folder : JARS) {
      files(folder).stream().filter(each -> each.endsWith(".jar")).forEach(all::add);
    }
    all.removeAll(described);
    if (!all.isEmpty()) {
      throw new IOException(
          bundle + ": no component of the bill of materials is " + String.join(", ", all));
    }
  }

  private ArrayNode hashes(String file) throws IOException {
    ArrayNode hashes = MAPPER.createArrayNode();
    for (String each : HASHES) {
      hashes.addObject().put("alg", each).put("content", digest(bundle.resolve(file), each));
    }
    return hashes;
  }

  private static String digest(Path file, String algorithm) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) { // every Java has these
      throw new IllegalStateException(e);
    }
  }
}
