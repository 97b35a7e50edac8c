package io.magpie.examples.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An element of HTML or SVG. Only elements and attributes that show something are allowed: none
 * that runs a script, styles, or leads to another file.
 */
final class Element implements Node {
  private static final Set<String> VOID = Set.of("meta", "img", "wbr");

  private static final Set<String> NAMES =
      Set.of(
          ("html head title meta body header main nav section footer h1 h2 h3 p ul li a div span"
                  + " code img wbr figure figcaption table caption thead tbody tr th td"
                  + " svg desc g rect line circle path text")
              .split(" "));

  private static final Set<String> ATTRIBUTES =
      Set.of(
          ("lang xmlns charset name content http-equiv id class href src alt scope role tabindex"
                  + " aria-label aria-hidden width height viewBox x y x1 y1 x2 y2 cx cy r d"
                  + " text-anchor overflow")
              .split(" "));

  private final String name;
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<Node> content = new ArrayList<>();

  private Element(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException("element " + name);
    }
    this.name = name;
  }

  /** An element with other nodes in it. */
  static Element of(String name, Node... content) {
    Element element = new Element(name);
    for (Node each : content) {
      element.add(each);
    }
    return element;
  }

  /** A long word, such as a file's name or a generator, which may go on in the next line. */
  static Element ofWord(String name, String word) {
    Element element = new Element(name);
    for (String part : word.split("(?<=[,/])")) {
      element.add(part).add(new Element("wbr"));
    }
    return element;
  }

  /** An element with text in it. */
  static Element of(String name, String text) {
    return new Element(name).add(text);
  }

  /**
   * Sets an attribute.
   *
   * @throws IllegalArgumentException if it is none that is allowed, or leads out of the page
   */
  Element with(String attribute, Object value) {
    String text = String.valueOf(value);
    boolean leadsOut =
        (attribute.equals("href") && !text.startsWith("#"))
            || (attribute.equals("src") && !text.startsWith(Picture.DATA));
    if (!ATTRIBUTES.contains(attribute) || leadsOut) {
      throw new IllegalArgumentException("attribute " + attribute + "=" + text);
    }
    attributes.put(attribute, text);
    return this;
  }

  /** The same with a class for the style sheet. */
  Element styled(String style) {
    return with("class", style);
  }

  /** Adds a node at the end. */
  Element add(Node node) {
    content.add(node);
    return this;
  }

  /** Adds text at the end. */
  Element add(String text) {
    return add(new Text(text));
  }

  @Override
  public void writeTo(Appendable page) throws IOException {
    page.append('<').append(name);
    for (Map.Entry<String, String> each : attributes.entrySet()) {
      page.append(' ').append(each.getKey()).append("=\"");
      Text.escape(each.getValue(), page);
      page.append('"');
    }
    if (VOID.contains(name)) {
      page.append("/>");
      return;
    }
    page.append('>');
    for (Node each : content) {
      each.writeTo(page);
    }
    page.append("</").append(name).append('>');
  }
}
