import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks that all that lies in a repository of files has what Maven Central asks for: poms with
 * name, description, address, license, developers and source control, each with its parent's where
 * it has none; and beside each jar those of its sources and its documentation.
 *
 * <p>Poms are read as they were deployed, with their own properties and without any options: as
 * their users read them. Snapshots are named, but are no failure.
 *
 * <pre>{@code java .ci/CentralRules.java [--signed] [--url ADDRESS] FOLDER}</pre>
 *
 * {@code --signed} asks for a signature of each file. {@code --url} is what {@code magpie.url} was
 * set to by an option, for a trial; without it the poms must say it themselves. The exit status is
 * 1 if anything is missing.
 */
final class CentralRules {
  private static final List<String> ELEMENTS =
      List.of(
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");
  private static final Pattern TIMESTAMP = Pattern.compile("-\\d{8}\\.\\d{6}-\\d+");

  private final Map<String, Element> poms = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private boolean signed;
  private String url;

  public static void main(String[] arguments) throws Exception {
    CentralRules rules = new CentralRules();
    List<String> left = new ArrayList<>(List.of(arguments));
    while (left.size() > 1) {
      String option = left.remove(0);
      if (option.equals("--signed")) {
        rules.signed = true;
      } else if (option.equals("--url")) {
        rules.url = left.remove(0);
      } else {
        throw new IllegalArgumentException(option);
      }
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(left.get(0)))) {
      files = all.filter(each -> each.toString().endsWith(".pom")).sorted().toList();
    }
    for (Path each : files) {
      Element pom = read(each);
      rules.poms.put(text(pom, "artifactId"), pom);
    }
    if (files.isEmpty()) {
      rules.faults.add(left.get(0) + ": there is no pom");
    }
    for (Path each : files) {
      rules.check(each);
    }
    rules.faults.forEach(System.err::println);
    System.out.println(files.size() + " poms checked, " + rules.faults.size() + " faults");
    System.exit(rules.faults.isEmpty() ? 0 : 1);
  }

  private static Element read(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getDocumentElement();
  }

  private void check(Path file) throws IOException {
    Element pom = poms.get(text(readAgain(file), "artifactId"));
    for (String element : ELEMENTS) {
      boolean own = element.equals("name"); // parents do not hand it down
      String value = resolved(pom, own ? text(pom, element) : inherited(pom, element));
      if (value == null || value.isBlank()) {
        faults.add(file + ": has no " + element);
      } else if (value.contains("${") || value.matches(".*\\.invalid\\b.*")) {
        faults.add(file + ": its " + element + " is " + value);
      }
    }
    String base = file.toString().replaceFirst("\\.pom$", "");
    if (TIMESTAMP.matcher(base).find() || base.contains("-SNAPSHOT")) {
      System.out.println(file.getFileName() + " is a snapshot, which Maven Central does not take");
    }
    require(file);
    if (!"pom".equals(text(pom, "packaging"))) {
      for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
        require(Path.of(base + suffix));
      }
    }
  }

  private static Element readAgain(Path file) throws IOException {
    try {
      return read(file);
    } catch (Exception e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private void require(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) == 0) {
      faults.add(file + ": is missing");
      return;
    }
    for (String sum : List.of(".md5", ".sha1")) {
      if (!Files.exists(Path.of(file + sum))) {
        faults.add(file + ": has no " + sum);
      }
    }
    if (signed && !Files.exists(Path.of(file + ".asc"))) {
      faults.add(file + ": is not signed");
    }
  }

  /** What a pom or the nearest parent says. */
  private String inherited(Element pom, String path) {
    for (Element each = pom; each != null; each = parent(each)) {
      String value = text(each, path);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private Element parent(Element pom) {
    return poms.get(text(pom, "parent/artifactId"));
  }

  private String resolved(Element pom, String value) {
    if (value == null) {
      return null;
    }
    Matcher matcher = PROPERTY.matcher(value);
    StringBuilder text = new StringBuilder();
    while (matcher.find()) {
      String property =
          url != null && matcher.group(1).equals("magpie.url")
              ? url
              : inherited(pom, "properties/" + matcher.group(1));
      matcher.appendReplacement(
          text, Matcher.quoteReplacement(property == null ? matcher.group() : property));
    }
    return matcher.appendTail(text).toString();
  }

  /** The text of the first element of a path; null if there is none. */
  private static String text(Element from, String path) {
    Node found = from;
    for (String name : path.split("/")) {
      Node child = found.getFirstChild();
      while (child != null && !child.getNodeName().equals(name)) {
        child = child.getNextSibling();
      }
      if (child == null) {
        return null;
      }
      found = child;
    }
    return found.getTextContent().strip();
  }
}
