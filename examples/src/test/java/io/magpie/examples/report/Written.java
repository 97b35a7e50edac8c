package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A page as what it is read as, held to what every page must be. */
public record Written(String html, Document document) {
  /** The page about the records of some files. */
  public static Written of(Path... files) throws IOException {
    return of(ReportPage.of(Records.read(List.of(files)), List.of(), "a test"));
  }

  /** A page that was written to a file. */
  public static Written read(Path file) throws IOException {
    return parsed(Files.readAllBytes(file));
  }

  static Written of(ReportPage page) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    page.writeTo(out);
    return parsed(out.toByteArray());
  }

  private static Written parsed(byte[] page) {
    try {
      Written written =
          new Written(
              new String(page, StandardCharsets.UTF_8),
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(new ByteArrayInputStream(page)));
      written.check();
      return written;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new AssertionError(e);
    }
  }

  /** All elements of a name; of every name if it is {@code *}. */
  List<Element> all(String name) {
    List<Element> elements = new ArrayList<>();
    NodeList found = document.getElementsByTagName(name);
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** What all elements of a name say. */
  public List<String> texts(String name) {
    return all(name).stream().map(Element::getTextContent).toList();
  }

  /** Whether a table or chart begins its caption so. */
  boolean shows(String caption) {
    return texts("caption").stream().anyMatch(each -> each.startsWith(caption))
        || texts("figcaption").stream().anyMatch(each -> each.startsWith(caption));
  }

  /** Nothing runs, nothing comes from elsewhere, and nothing is left without words. */
  private void check() {
    assertTrue(html.startsWith("<!DOCTYPE html>\n"), "no document type");
    Set<String> ids = new HashSet<>();
    for (Element each : all("*")) {
      assertFalse(
          Set.of("script", "link", "iframe", "object", "embed", "base", "form", "use")
              .contains(each.getTagName().toLowerCase(Locale.ROOT)),
          each.getTagName());
      for (int i = 0; i < each.getAttributes().getLength(); i++) {
        String name = each.getAttributes().item(i).getNodeName();
        assertFalse(name.startsWith("on") || name.equals("style"), name);
      }
      if (each.hasAttribute("id")) {
        assertTrue(ids.add(each.getAttribute("id")), "twice: " + each.getAttribute("id"));
      }
    }
    all("a").forEach(each -> assertTrue(ids.contains(each.getAttribute("href").substring(1))));
    for (Element each : all("img")) {
      assertTrue(each.getAttribute("src").startsWith(Picture.DATA));
      assertFalse(each.getAttribute("alt").isBlank());
    }
    for (Element each : all("svg")) {
      if (each.getAttribute("role").equals("img")) {
        assertEquals("title", each.getFirstChild().getNodeName());
        assertEquals("desc", each.getFirstChild().getNextSibling().getNodeName());
        assertFalse(each.getFirstChild().getTextContent().isBlank());
      }
    }
    for (Element each : all("th")) {
      assertTrue(Set.of("row", "col").contains(each.getAttribute("scope")), each.getTextContent());
    }
    for (Element row : all("tr")) {
      Element head = (Element) row.getParentNode().getParentNode().getFirstChild().getNextSibling();
      assertEquals(
          head.getFirstChild().getChildNodes().getLength(), row.getChildNodes().getLength());
    }
    String style = all("style").get(0).getTextContent();
    assertFalse(style.matches("(?s).*(@import|url\\(|expression).*"), style);
  }
}
