package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** VTK's .vtu: unstructured grids in XML, with arrays of text. */
final class VtuFormat implements MeshFormat {
  @Override
  public MeshParts read(ByteSource source) throws IOException {
    return new Reader(source).read();
  }

  /** The bytes of a source as a stream, which the parser needs. */
  private static final class Bytes extends InputStream {
    private final ByteSource source;
    private final byte[] one = new byte[1];

    Bytes(ByteSource source) {
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      return source.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      return length == 0 ? 0 : source.read(buffer, from, length);
    }
  }

  private static final class Reader {
    private static final int LONGEST_NUMBER = 4096;

    /** What the parser's messages have before the text. */
    private static final String MESSAGE = "Message: ";

    /** An array of points or cells, which may be listed before them. */
    private record Pending(String parent, VtkGrid.Array array) {}

    private final ByteSource source;
    private final VtkGrid grid;
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Pending> pending = new ArrayList<>();
    private XMLStreamReader xml;
    private int pieces;
    private int declaredPoints;
    private int declaredCells;

    // The array that is being read.
    private String parent;
    private String name;
    private int components;
    private long line;
    private long arrayLine;
    private Growing.Doubles values;
    private Growing.Ints
        valueLines; // of points and cells, whose faults are reported with their line
    private final StringBuilder number = new StringBuilder();

    private Growing.Ints connectivity;
    private Growing.Ints connectivityLines;
    private Growing.Ints offsets;
    private Growing.Ints types;
    private Growing.Ints typeLines;

    Reader(ByteSource source) {
      this.source = source;
      grid = new VtkGrid(source.file());
    }

    private FileFormatException fault(long at, String found, String expected, String remedy) {
      return new FileFormatException(source.file(), at, found, expected, remedy, null);
    }

    MeshParts read() throws IOException {
      XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
      factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
      factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
      try {
        // Decoded here: of bytes that are no text, the parser itself writes to standard error.
        xml =
            factory.createXMLStreamReader(
                new InputStreamReader(new Bytes(source), StandardCharsets.UTF_8.newDecoder()));
        while (xml.hasNext()) {
          event(xml.next());
        }
      } catch (XMLStreamException e) {
        throw translated(e);
      }
      if (pieces == 0) {
        throw fault(0, "no piece", "an unstructured grid, which has one", null);
      }
      return grid.complete();
    }

    private IOException translated(XMLStreamException e) {
      Throwable cause = e.getNestedException();
      boolean noText = cause instanceof CharacterCodingException;
      if (cause instanceof IOException io && !noText) {
        return io;
      }
      String message = String.valueOf(e.getMessage());
      int text = message.indexOf(MESSAGE);
      return new FileFormatException(
          source.file(),
          e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNumber()),
          noText
              ? "bytes that are not UTF-8 text"
              : "malformed XML: "
                  + Tokenizer.oneLine(message.substring(text < 0 ? 0 : text + MESSAGE.length())),
          "well-formed XML of arrays in text",
          "have the file written with arrays in ASCII, none of them appended",
          e);
    }

    private void event(int event) throws IOException {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> start();
        case XMLStreamConstants.END_ELEMENT -> end();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (values != null && "DataArray".equals(path.peek())) {
            characters();
          }
        }
        default -> {
          // comments and the like
        }
      }
    }

    private long here() {
      return xml.getLocation().getLineNumber();
    }

    private void start() throws IOException {
      String element = xml.getLocalName();
      String above = path.peek();
      path.push(element);
      if (above == null) {
        root(element);
      } else if (element.equals("Piece")) {
        if (pieces++ > 0) {
          throw fault(here(), "a second piece", "one piece", "merge the pieces of the grid first");
        }
        declaredPoints = attribute("NumberOfPoints", 0);
        declaredCells = attribute("NumberOfCells", 0);
      } else if (element.equals("DataArray")) {
        parent = above;
        array();
      }
    }

    private void root(String element) throws IOException {
      String type = element.equals("VTKFile") ? xml.getAttributeValue(null, "type") : null;
      if (!"UnstructuredGrid".equals(type)) {
        throw fault(
            here(),
            "an element "
                + Tokenizer.quote(element)
                + (type == null ? "" : " of type " + Tokenizer.quote(type)),
            "an element VTKFile of type 'UnstructuredGrid'",
            "convert the dataset to an unstructured grid of triangles");
      }
    }

    private int attribute(String attribute, int missing) throws IOException {
      String text = xml.getAttributeValue(null, attribute);
      if (text == null) {
        return missing;
      }
      try {
        int value = Integer.parseInt(text.strip());
        if (value >= 0) {
          return value;
        }
      } catch (NumberFormatException e) {
        // no number: out of range like any other
      }
      throw fault(
          here(), attribute + " " + Tokenizer.quote(text), "a number from 0 to 2147483647", null);
    }

    private void array() throws IOException {
      name = xml.getAttributeValue(null, "Name");
      name = name == null ? "" : name;
      String format = xml.getAttributeValue(null, "format");
      if (!"ascii".equals(format)) {
        throw fault(
            here(),
            "an array "
                + Tokenizer.quote(name)
                + " of format "
                + (format == null ? "" : Tokenizer.quote(format)),
            "format 'ascii'",
            "have the file written with arrays in ASCII");
      }
      components = attribute("NumberOfComponents", 1);
      if (components == 0) {
        throw fault(
            here(), "0 components of the array " + Tokenizer.quote(name), "1 or more", null);
      }
      line = here();
      arrayLine = line;
      values = new Growing.Doubles();
      boolean numbered = parent.equals("Points") || parent.equals("Cells");
      valueLines = numbered ? new Growing.Ints() : null;
    }

    private void characters() throws IOException {
      char[] text = xml.getTextCharacters();
      int end = xml.getTextStart() + xml.getTextLength();
      for (int i = xml.getTextStart(); i < end; i++) {
        char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
          number();
          line += c == '\n' ? 1 : 0;
        } else if (number.length() < LONGEST_NUMBER) {
          number.append(c);
        } else {
          throw fault(line, Tokenizer.quote(number), "a number", "write it with fewer digits");
        }
      }
    }

    /** Takes what has been collected as a number, if anything has. */
    private void number() throws IOException {
      if (number.length() == 0) {
        return;
      }
      String text = number.toString();
      number.setLength(0);
      if (isDecimal(text)) {
        try {
          double value = Double.parseDouble(text);
          if (Double.isFinite(value)) {
            values.add(value);
            if (valueLines != null) {
              valueLines.add((int) line);
            }
            return;
          }
        } catch (NumberFormatException e) {
          // falls through to the message for all bad values
        }
      }
      throw fault(line, Tokenizer.quote(text), "a finite number", null);
    }

    /** Whether a text has the characters of decimal numbers alone, which Java's have more of. */
    private static boolean isDecimal(String text) {
      for (int i = 0; i < text.length(); i++) {
        if ("0123456789-+.eE".indexOf(text.charAt(i)) < 0) {
          return false;
        }
      }
      return true;
    }

    private void end() throws IOException {
      String element = path.peek();
      if (element.equals("DataArray") && values != null) {
        number();
        arrayEnds();
        values = null;
      } else if (element.equals("Piece")) {
        requireCount(grid.parts().vertices(), declaredPoints, "points");
        cells();
      }
      path.pop();
      line = here(); // what follows a nested element
    }

    private void requireCount(int found, int declared, String unit) throws IOException {
      if (found != declared) {
        throw fault(
            here(),
            found + " " + unit,
            declared + " " + unit + " as the piece says",
            "the file may be truncated; correct the count if the values are right");
      }
    }

    private void arrayEnds() throws IOException {
      if (values.size() % components != 0) {
        throw fault(
            here(),
            values.size() + " values of the array " + Tokenizer.quote(name),
            "a multiple of its " + components + " components",
            null);
      }
      switch (parent) {
        case "Points" -> points();
        case "Cells" -> cellArray();
        case "PointData", "CellData" -> pending.add(new Pending(parent, named()));
        case "FieldData" -> grid.ofAll(named());
        default -> {
          // says nothing of meshes
        }
      }
    }

    private VtkGrid.Array named() {
      return new VtkGrid.Array(name, components, values.toArray(), arrayLine);
    }

    private void points() throws IOException {
      if (components != 3) {
        throw fault(arrayLine, "points of " + components + " components", "3", null);
      }
      for (int i = 0; i < values.size(); i += 3) {
        grid.parts().vertex(values.get(i), values.get(i + 1), values.get(i + 2), valueLines.get(i));
      }
    }

    private void cellArray() throws IOException {
      switch (name) {
        case "connectivity" -> {
          connectivity = whole();
          connectivityLines = valueLines;
        }
        case "offsets" -> offsets = whole();
        case "types" -> {
          types = whole();
          typeLines = valueLines;
        }
        default -> {
          // faces of polyhedra, whose type is refused
        }
      }
    }

    private Growing.Ints whole() throws IOException {
      Growing.Ints whole = new Growing.Ints();
      for (int i = 0; i < values.size(); i++) {
        int value = (int) values.get(i);
        if (value != values.get(i) || value < 0) {
          throw fault(
              valueLines.get(i),
              values.get(i) + " in the array " + Tokenizer.quote(name),
              "a whole number from 0 to 2147483647",
              null);
        }
        whole.add(value);
      }
      return whole;
    }

    /** Puts the arrays of cells together, and then those of their data. */
    private void cells() throws IOException {
      if (connectivity != null || offsets != null || types != null || declaredCells > 0) {
        if (connectivity == null || offsets == null || types == null) {
          throw fault(
              here(), "cells without one of their arrays", "connectivity, offsets and types", null);
        }
        requireCount(types.size(), declaredCells, "types of cells");
        requireCount(offsets.size(), declaredCells, "offsets of cells");
        int from = 0;
        for (int cell = 0; cell < types.size(); cell++) {
          int to = offsets.get(cell);
          if (to <= from || to > connectivity.size()) {
            throw fault(
                typeLines.get(cell),
                "the offset " + to + " of cell " + cell,
                "more than " + from + " and at most " + connectivity.size(),
                null);
          }
          grid.cell(
              types.get(cell),
              connectivity,
              from,
              to - from,
              connectivityLines.get(from),
              typeLines.get(cell));
          from = to;
        }
        if (from != connectivity.size()) {
          throw fault(
              here(),
              connectivity.size() + " points of cells",
              from + " as the last offset says",
              null);
        }
      }
      for (Pending each : pending) {
        if (each.parent.equals("PointData")) {
          grid.ofPoints(each.array);
        } else {
          grid.ofCells(each.array);
        }
      }
    }
  }

  @Override
  public void write(Content content, ByteSink out) throws IOException {
    VtkGrid.Written grid = new VtkGrid.Written(content);
    PlanarGraph graph = content.graph();
    int cells = grid.cells();
    out.text("<?xml version=\"1.0\"?>\n");
    out.text("<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n");
    out.text("<UnstructuredGrid>\n");
    double[] holes = grid.holes();
    double[] regions = grid.regions();
    if (holes.length > 0 || regions.length > 0) {
      out.text("<FieldData>\n");
      whole(out, VtkGrid.HOLES, 2, holes);
      whole(out, VtkGrid.REGIONS, 4, regions);
      out.text("</FieldData>\n");
    }
    out.text("<Piece NumberOfPoints=\"").number(graph.vertices());
    out.text("\" NumberOfCells=\"").number(cells).text("\">\n");

    out.text("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n");
    for (int v = 0; v < graph.vertices(); v++) {
      out.decimal(graph.x(v)).blank().decimal(graph.y(v)).text(" 0\n");
    }
    out.text("</DataArray>\n</Points>\n<Cells>\n");
    begin(out, "Int32", "connectivity");
    for (int cell = 0; cell < cells; cell++) {
      out.number(grid.vertex(cell, 0));
      for (int k = 1; k < grid.count(cell); k++) {
        out.blank().number(grid.vertex(cell, k));
      }
      out.newLine();
    }
    end(out);
    begin(out, "Int32", "offsets");
    int offset = 0;
    for (int cell = 0; cell < cells; cell++) {
      offset += grid.count(cell);
      out.number(offset).newLine();
    }
    end(out);
    begin(out, "UInt8", "types");
    for (int cell = 0; cell < cells; cell++) {
      out.number(grid.count(cell) == 2 ? VtkGrid.LINE : VtkGrid.TRIANGLE).newLine();
    }
    end(out);
    out.text("</Cells>\n");
    writePointData(graph, out);
    writeCellData(grid, out);
    out.text("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  }

  private static void begin(ByteSink out, String type, String name) throws IOException {
    out.text("<DataArray type=\"").text(type).text("\" Name=\"").text(name);
    out.text("\" format=\"ascii\">\n");
  }

  private static void end(ByteSink out) throws IOException {
    out.text("</DataArray>\n");
  }

  private static void whole(ByteSink out, String name, int components, double[] values)
      throws IOException {
    if (values.length > 0) {
      out.text("<DataArray type=\"Float64\" Name=\"").text(name);
      out.text("\" NumberOfComponents=\"").number(components).text("\" NumberOfTuples=\"");
      out.number(values.length / components).text("\" format=\"ascii\">\n");
      for (int i = 0; i < values.length; i++) {
        out.decimal(values[i]).text((i + 1) % components == 0 ? "\n" : " ");
      }
      end(out);
    }
  }

  private static void writePointData(PlanarGraph graph, ByteSink out) throws IOException {
    out.text("<PointData>\n");
    if (graph.hasVertexMarkers()) {
      begin(out, "Int32", VtkGrid.MARKER);
      for (int v = 0; v < graph.vertices(); v++) {
        out.signed(graph.vertexMarker(v)).newLine();
      }
      end(out);
    }
    for (int a = 0; a < graph.attributes(); a++) {
      begin(out, "Float64", VtkGrid.ATTRIBUTE + a);
      for (int v = 0; v < graph.vertices(); v++) {
        out.decimal(graph.attribute(v, a)).newLine();
      }
      end(out);
    }
    out.text("</PointData>\n");
  }

  private static void writeCellData(VtkGrid.Written grid, ByteSink out) throws IOException {
    out.text("<CellData>\n");
    if (grid.graph().hasSegmentMarkers()) {
      begin(out, "Int32", VtkGrid.MARKER);
      for (int cell = 0; cell < grid.cells(); cell++) {
        out.signed(grid.cellMarker(cell)).newLine();
      }
      end(out);
    }
    for (int a = 0; a < grid.content().triangleAttributes(); a++) {
      begin(out, "Float64", VtkGrid.ATTRIBUTE + a);
      for (int cell = 0; cell < grid.cells(); cell++) {
        out.decimal(grid.cellAttribute(cell, a)).newLine();
      }
      end(out);
    }
    out.text("</CellData>\n");
  }
}
