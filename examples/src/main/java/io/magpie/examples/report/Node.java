package io.magpie.examples.report;

import java.io.IOException;

/** A piece of a page, which writes itself as HTML that is XML as well. */
interface Node {
  /** Adds itself to the end of a page. */
  void writeTo(Appendable page) throws IOException;
}
