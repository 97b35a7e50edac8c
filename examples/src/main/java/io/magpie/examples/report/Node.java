package io.magpie.examples.report;

/** A piece of a page, which writes itself as HTML that is XML as well. */
interface Node {
  /** Adds itself to the end of a page. */
  void writeTo(StringBuilder page);
}
