package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BillOfMaterialsTest {
  private static final String MAVENS =
      """
      {"metadata": {"component": {"name": "own", "version": "1", "purl": "pkg:maven/g/own@1?type=jar"}},
       "components": [
        {"name": "same", "version": "2", "bom-ref": "same", "purl": "pkg:maven/g/same@2?type=jar",
         "hashes": [{"alg": "MD5", "content": "1"}, {"alg": "SHA-256", "content": "%s"}]},
        {"name": "jna", "version": "3", "bom-ref": "jna", "purl": "pkg:maven/g/jna@3?type=jar",
         "hashes": [{"alg": "SHA-256", "content": "00"}]},
        {"name": "jcuda-natives", "version": "4", "bom-ref": "natives",
         "purl": "pkg:maven/g/jcuda-natives@4?classifier=linux-x86_64&type=jar",
         "hashes": [{"alg": "SHA-256", "content": "00"}]},
        {"name": "classified", "version": "5", "bom-ref": "classified",
         "purl": "pkg:maven/g/classified@5?classifier=all&type=jar"},
        {"name": "absent", "version": "6", "bom-ref": "absent", "purl": "pkg:maven/g/absent@6?type=jar"}],
       "dependencies": [{"ref": "same", "dependsOn": ["jna", "absent"]}, {"ref": "absent"}]}
      """;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path folder;

  private static String sha256(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  private Path bundle() throws IOException {
    Path bundle = folder.resolve("bundle");
    for (String file :
        new String[] {
          "lib/own-1.jar",
          "lib/same-2.jar",
          "lib/jna-3.jar",
          "lib/launch.sh",
          "test-lib/classified-5-all.jar",
          "native/libjnidispatch.so",
          "native/libJCudaDriver-4.so"
        }) {
      Files.createDirectories(bundle.resolve(file).getParent());
      Files.writeString(bundle.resolve(file), file);
    }
    return bundle;
  }

  private JsonNode bill(Path bundle) throws Exception {
    Path mavens = folder.resolve("bom.json");
    Path out = folder.resolve("out.json");
    Files.writeString(
        mavens, String.format(Locale.ROOT, MAVENS, sha256("lib/same-2.jar".getBytes("UTF-8"))));
    BillOfMaterials.main(new String[] {mavens.toString(), bundle.toString(), out.toString()});
    return MAPPER.readTree(out.toFile());
  }

  @Test
  void hashesAreThoseOfTheFilesInTheBundle() throws Exception {
    Path bundle = bundle();
    JsonNode bill = bill(bundle);
    assertEquals(
        Set.of(
            "lib/own-1.jar",
            "lib/same-2.jar",
            "lib/jna-3.jar",
            "test-lib/classified-5-all.jar",
            "native/libjnidispatch.so",
            "native/libJCudaDriver-4.so"),
        checked(bill, bundle));
    JsonNode components = bill.get("components");
    assertEquals(4, components.size());
    assertFalse(components.get(0).has("pedigree"), "as Maven has it");
    assertTrue(components.get(1).has("pedigree"), "changed");
    assertFalse(components.get(2).has("hashes"), "the jar is not in the bundle");
    assertEquals(
        "[{\"ref\":\"same\",\"dependsOn\":[\"jna\"]}]", bill.get("dependencies").toString());
  }

  @Test
  void aFileWithoutAComponentIsRefused() throws Exception {
    Path bundle = bundle();
    Files.writeString(bundle.resolve("test-lib/unknown-1.jar"), "x");
    IOException e = assertThrows(IOException.class, () -> bill(bundle));
    assertEquals(
        bundle + ": no component of the bill of materials is test-lib/unknown-1.jar",
        e.getMessage());
  }

  /** The files that a bill describes, each with the hash that it says. */
  static Set<String> checked(JsonNode bill, Path bundle) throws Exception {
    Set<String> files = new TreeSet<>();
    check(bill.at("/metadata/component"), bundle, files);
    for (JsonNode each : bill.get("components")) {
      check(each, bundle, files);
    }
    return files;
  }

  private static void check(JsonNode component, Path bundle, Set<String> files) throws Exception {
    boolean file = component.path("type").asText().equals("file");
    String place =
        file
            ? component.get("name").asText()
            : component.at("/evidence/occurrences/0/location").asText();
    for (JsonNode each : component.path("hashes")) {
      String algorithm = each.get("alg").asText();
      byte[] content = Files.readAllBytes(bundle.resolve(place));
      assertEquals(
          HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content)),
          each.get("content").asText(),
          place + " " + algorithm);
      files.add(place);
    }
    for (JsonNode part : component.path("components")) {
      check(part, bundle, files);
    }
  }
}
