package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElementTest {
  private static String written(Node node) throws IOException {
    StringBuilder page = new StringBuilder();
    node.writeTo(page);
    return page.toString();
  }

  @Test
  void textStaysText() throws IOException {
    assertEquals(
        "<p>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp;amp;</p>",
        written(Element.of("p", "<script>alert('1')</script> &amp;")));
    assertEquals(
        "<p class=\"&quot; onclick=&quot;x\"></p>",
        written(Element.of("p").styled("\" onclick=\"x")));
  }

  @Test
  void whatCannotBeSeenIsShown() throws IOException {
    assertEquals(
        "a\\u0000\\u001b[1m\\u202eb\\u0085\\ud800\\uffff\n\ud83d\ude00",
        written(new Text("a\0\u001b[1m\u202eb\u0085\ud800\uffff\n\ud83d\ude00")));
  }

  @Test
  void onlyEmptyElementsHaveNoEnd() throws IOException {
    assertEquals("<td></td>", written(Element.of("td")));
    assertEquals("<meta charset=\"utf-8\"/>", written(Element.of("meta").with("charset", "utf-8")));
    assertEquals("<a>x:n=1,<wbr/>m=2<wbr/></a>", written(Element.ofWord("a", "x:n=1,m=2")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"script", "style", "iframe", "form", "p onclick", "use", ""})
  void elementsThatRunOrLoadAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> Element.of(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"onclick", "style", "srcset", "xlink:href", "", "class=x id"})
  void attributesThatRunOrLoadAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> Element.of("p").with(name, "#a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"javascript:alert(1)", "https://example.org", "a.html", "", "data:text/html,x"})
  void addressesOutsideThePageAreRefused(String address) {
    assertThrows(IllegalArgumentException.class, () -> Element.of("a").with("href", address));
    assertThrows(IllegalArgumentException.class, () -> Element.of("img").with("src", address));
  }

  @Test
  void aStyleSheetHasNoMarkup() {
    assertThrows(IllegalArgumentException.class, () -> new StyleSheet("</style><script>"));
    assertThrows(IllegalArgumentException.class, () -> new StyleSheet("a&b"));
  }
}
