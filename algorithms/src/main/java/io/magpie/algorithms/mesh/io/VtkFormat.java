package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** VTK's .vtk of text: unstructured grids, and polygonal data to read. */
final class VtkFormat implements MeshFormat {
  @Override
  public MeshParts read(ByteSource source) throws IOException {
    return new Reader(source).read();
  }

  /** Where the arrays that follow belong. */
  private enum Part {
    WHOLE,
    POINTS,
    CELLS
  }

  /** The cells of a section: their points, where those of each end, and their lines. */
  private static final class CellList {
    final Growing.Ints vertices = new Growing.Ints();
    final Growing.Ints ends = new Growing.Ints();
    final Growing.Ints lines = new Growing.Ints();

    int size() {
      return ends.size();
    }

    void addTo(VtkGrid grid, int cell, int type, long typeLine) throws FileFormatException {
      int from = cell == 0 ? 0 : ends.get(cell - 1);
      grid.cell(type, vertices, from, ends.get(cell) - from, lines.get(cell), typeLine);
    }
  }

  private static final class Reader {
    private static final String TRUNCATED = "the file may be truncated";

    /** The sections with cells of polygonal data, in the order in which VTK counts the cells. */
    private static final List<String> POLYDATA_CELLS =
        List.of("VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS");

    private static final int[] POLYDATA_TYPES = {
      VtkGrid.POLY_VERTEX, VtkGrid.POLY_LINE, VtkGrid.POLYGON, VtkGrid.TRIANGLE_STRIP
    };

    private final Tokenizer in;
    private final VtkGrid grid;
    private final Map<String, CellList> cells = new HashMap<>();
    private final Set<String> sections = new HashSet<>();
    private boolean polydata;
    private Part part = Part.WHOLE;

    Reader(ByteSource source) {
      in = new Tokenizer(source);
      grid = new VtkGrid(source.file());
    }

    MeshParts read() throws IOException {
      header();
      while (in.nextWord()) {
        section(in.nextText("a keyword").toUpperCase(Locale.ROOT));
      }
      requireSections();
      if (polydata) {
        for (int i = 0; i < POLYDATA_TYPES.length; i++) {
          CellList list = list(POLYDATA_CELLS.get(i));
          for (int cell = 0; cell < list.size(); cell++) {
            list.addTo(grid, cell, POLYDATA_TYPES[i], list.lines.get(cell));
          }
        }
      }
      return grid.complete();
    }

    /** Fails unless there are the sections without which a file has lost its end. */
    private void requireSections() throws FileFormatException {
      requireSection("POINTS", TRUNCATED);
      if (!polydata) {
        requireSection("CELLS", TRUNCATED + "; add 'CELLS 0 0' if it has points alone");
        if (list("CELLS").size() > 0) {
          requireSection("CELL_TYPES", TRUNCATED);
        }
      }
    }

    private void requireSection(String keyword, String remedy) throws FileFormatException {
      if (!sections.contains(keyword)) {
        throw in.error("the end of the file", "a section " + keyword, remedy);
      }
    }

    private CellList list(String keyword) {
      return cells.computeIfAbsent(keyword, key -> new CellList());
    }

    private int cellCount() {
      return cells.values().stream().mapToInt(CellList::size).sum();
    }

    private String word(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextText(expected);
    }

    private int count(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextInt(0, Integer.MAX_VALUE / 9, expected);
    }

    private void header() throws IOException {
      String expected = "the line '# vtk DataFile Version 3.0'";
      for (String each : new String[] {"#", "vtk", "DataFile", "Version"}) {
        String found = word(expected);
        if (!found.equalsIgnoreCase(each)) {
          throw in.error(Tokenizer.quote(found), expected);
        }
      }
      in.nextDouble("the version of the format");
      in.nextLine(); // the title, which may be any text
      if (!in.nextLine()) {
        throw in.error("the end of the file", "ASCII");
      }
      String form = word("ASCII");
      if (!form.equalsIgnoreCase("ASCII")) {
        throw in.error(Tokenizer.quote(form), "ASCII", "write the file as text");
      }
      keyword("DATASET");
      String type = word("the type of the dataset");
      if (!type.equalsIgnoreCase("UNSTRUCTURED_GRID") && !type.equalsIgnoreCase("POLYDATA")) {
        throw in.error(
            Tokenizer.quote(type),
            "UNSTRUCTURED_GRID or POLYDATA",
            "convert the dataset to an unstructured grid of triangles");
      }
      polydata = type.equalsIgnoreCase("POLYDATA");
    }

    private void section(String keyword) throws IOException {
      switch (keyword) {
        case "POINTS" -> {
          once(keyword);
          points();
        }
        case "CELLS" -> {
          requireDataset(keyword, false);
          once(keyword);
          cells(list(keyword));
        }
        case "CELL_TYPES" -> {
          requireDataset(keyword, false);
          once(keyword);
          types();
        }
        case "VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS" -> {
          requireDataset(keyword, true);
          once(keyword);
          cells(list(keyword));
        }
        case "POINT_DATA" -> data(Part.POINTS, grid.parts().vertices(), "points");
        case "CELL_DATA" -> data(Part.CELLS, cellCount(), "cells");
        case "FIELD" -> field();
        case "SCALARS" -> scalars();
        case "COLOR_SCALARS" -> {
          String name = word("a name");
          keep(array(name, count("the number of components"), tuples()));
        }
        case "VECTORS", "NORMALS" -> typed(3);
        case "TENSORS" -> typed(9);
        case "TENSORS6" -> typed(6);
        case "TEXTURE_COORDINATES" -> {
          String name = word("a name");
          int components = count("the number of components");
          type();
          keep(array(name, components, tuples()));
        }
        case "LOOKUP_TABLE" -> array(word("a name"), 4, count("the number of colors"));
        case "GLOBAL_IDS", "PEDIGREE_IDS", "EDGE_FLAGS" -> {
          String name = word("a name");
          type();
          array(name, 1, tuples());
        }
        case "METADATA" -> skipMetadata();
        default ->
            throw in.error(
                Tokenizer.quote(keyword), "a keyword of an unstructured grid or polygonal data");
      }
    }

    private void once(String keyword) throws FileFormatException {
      if (!sections.add(keyword)) {
        throw in.error("a second section " + keyword, "one", "merge the sections");
      }
    }

    private void requireDataset(String keyword, boolean ofPolydata) throws FileFormatException {
      if (ofPolydata != polydata) {
        throw in.error(
            Tokenizer.quote(keyword),
            polydata
                ? "VERTICES, LINES and POLYGONS of polygonal data"
                : "CELLS and CELL_TYPES of an unstructured grid");
      }
    }

    /** It ends at an empty line. */
    private void skipMetadata() throws IOException {
      while (in.nextLine() && !in.endOfLine()) {
        // its lines say nothing of meshes
      }
    }

    private void points() throws IOException {
      int count = count("the number of points");
      type();
      for (int i = 0; i < count; i++) {
        double x = coordinate();
        double y = coordinate();
        grid.parts().vertex(x, y, coordinate(), in.line());
      }
    }

    private double coordinate() throws IOException {
      in.requireWord("a coordinate");
      return in.nextDouble("a coordinate, a finite number");
    }

    /** Takes the type of numbers. */
    private void type() throws IOException {
      String type = word("a type of numbers");
      if (type.equalsIgnoreCase("string") || type.equalsIgnoreCase("variant")) {
        throw in.error(
            Tokenizer.quote(type), "a type of numbers", "leave the array out of the file");
      }
    }

    private int vertex() throws IOException {
      in.requireWord("a point");
      return in.nextVertex(0, grid.parts().vertices());
    }

    /** Reads which points cells have, in either form that there is. */
    private void cells(CellList list) throws IOException {
      int count = count("the number of cells");
      long line = in.line();
      int size = count("the number of values");
      if (in.nextWord() && (in.first() == 'O' || in.first() == 'o')) {
        offsets(list, count, size);
        return;
      }
      long found = 0;
      for (int cell = 0; cell < count; cell++) {
        in.requireWord("a cell");
        int points = in.nextInt(0, size, "the number of points of a cell, at most " + size);
        list.lines.add((int) in.line());
        for (int k = 0; k < points; k++) {
          list.vertices.add(vertex());
        }
        list.ends.add(list.vertices.size());
        found += points + 1L;
      }
      if (found != size) {
        throw new FileFormatException(
            grid.file(),
            line,
            size + " values of cells",
            found + " as the cells have",
            "correct the count if the lines are right",
            null);
      }
    }

    /** The form since version 5: where the points of each cell begin, and the points. */
    private void offsets(CellList list, int count, int size) throws IOException {
      keyword("OFFSETS");
      type();
      int[] offsets = new int[Math.min(count, 1 << 16)];
      for (int i = 0; i < count; i++) {
        in.requireWord("an offset");
        if (i == offsets.length) {
          offsets = Arrays.copyOf(offsets, (int) Math.min(count, 2L * i));
        }
        int least = i == 0 ? 0 : offsets[i - 1];
        int most = i == 0 ? 0 : size;
        offsets[i] = in.nextInt(least, most, "an offset, " + least + " to " + most);
      }
      if (count > 0 && offsets[count - 1] != size) {
        throw in.error(
            "the last offset " + offsets[count - 1], size + ", the number of points of all cells");
      }
      keyword("CONNECTIVITY");
      type();
      for (int cell = 0; cell + 1 < count; cell++) {
        int line = 0;
        for (int i = offsets[cell]; i < offsets[cell + 1]; i++) {
          list.vertices.add(vertex());
          line = line == 0 ? (int) in.line() : line;
        }
        list.lines.add(line);
        list.ends.add(offsets[cell + 1]);
      }
    }

    private void keyword(String expected) throws IOException {
      String found = word(expected);
      if (!found.equalsIgnoreCase(expected)) {
        throw in.error(Tokenizer.quote(found), expected);
      }
    }

    private void types() throws IOException {
      int count = count("the number of cells");
      CellList list = list("CELLS");
      if (count != list.size()) {
        throw in.error(count + " types of cells", "those of " + list.size() + " cells");
      }
      for (int cell = 0; cell < count; cell++) {
        in.requireWord("the type of a cell");
        list.addTo(grid, cell, in.nextInt(0, 255, "the type of a cell, 0 to 255"), in.line());
      }
    }

    private void data(Part which, int expected, String unit) throws IOException {
      int count = count("the number of " + unit);
      if (count != expected) {
        throw in.error("data of " + count + " " + unit, "those of " + expected + " " + unit);
      }
      part = which;
    }

    private int tuples() {
      return part == Part.POINTS ? grid.parts().vertices() : cellCount();
    }

    private void typed(int components) throws IOException {
      String name = word("a name");
      type();
      keep(array(name, components, tuples()));
    }

    private void scalars() throws IOException {
      String name = word("a name");
      type();
      int components = in.endOfLine() ? 1 : count("the number of components");
      if (in.nextWord() && (in.first() == 'L' || in.first() == 'l')) {
        keyword("LOOKUP_TABLE");
        word("the name of a table");
      }
      keep(array(name, components, tuples()));
    }

    private void field() throws IOException {
      word("a name");
      int arrays = count("the number of arrays");
      for (int i = 0; i < arrays; i++) {
        String name = word("the name of an array");
        if (name.equalsIgnoreCase("METADATA")) {
          skipMetadata();
          name = word("the name of an array");
        }
        int components = count("the number of components");
        int tuples = count("the number of values");
        type();
        keep(array(name, components, tuples));
      }
    }

    private VtkGrid.Array array(String name, int components, int tuples) throws IOException {
      long line = in.line();
      if (components == 0) {
        throw in.error("0 components of the array " + Tokenizer.quote(name), "1 or more");
      }
      String expected = "a value of the array " + Tokenizer.quote(name);
      Growing.Doubles values = new Growing.Doubles();
      for (long i = (long) components * tuples; i > 0; i--) {
        in.requireWord(expected);
        values.add(in.nextDouble("a finite number"));
      }
      return new VtkGrid.Array(name, components, values.toArray(), line);
    }

    private void keep(VtkGrid.Array array) throws IOException {
      switch (part) {
        case WHOLE -> grid.ofAll(array);
        case POINTS -> grid.ofPoints(array);
        case CELLS -> grid.ofCells(array);
      }
    }
  }

  @Override
  public void write(Content content, ByteSink out) throws IOException {
    VtkGrid.Written grid = new VtkGrid.Written(content);
    PlanarGraph graph = content.graph();
    out.text("# vtk DataFile Version 3.0\nMagpie\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    double[] holes = grid.holes();
    double[] regions = grid.regions();
    field(out, (holes.length > 0 ? 1 : 0) + (regions.length > 0 ? 1 : 0));
    whole(out, VtkGrid.HOLES, 2, holes);
    whole(out, VtkGrid.REGIONS, 4, regions);
    out.text("POINTS ").number(graph.vertices()).text(" double\n");
    for (int v = 0; v < graph.vertices(); v++) {
      out.decimal(graph.x(v)).blank().decimal(graph.y(v)).text(" 0\n");
    }
    int cells = grid.cells();
    out.text("CELLS ").number(cells).blank().number((long) cells + grid.corners()).newLine();
    for (int cell = 0; cell < cells; cell++) {
      out.number(grid.count(cell));
      for (int k = 0; k < grid.count(cell); k++) {
        out.blank().number(grid.vertex(cell, k));
      }
      out.newLine();
    }
    out.text("CELL_TYPES ").number(cells).newLine();
    for (int cell = 0; cell < cells; cell++) {
      out.number(grid.count(cell) == 2 ? VtkGrid.LINE : VtkGrid.TRIANGLE).newLine();
    }
    writePointData(graph, out);
    writeCellData(grid, out);
  }

  private static void field(ByteSink out, int arrays) throws IOException {
    if (arrays > 0) {
      out.text("FIELD FieldData ").number(arrays).newLine();
    }
  }

  private static void whole(ByteSink out, String name, int components, double[] values)
      throws IOException {
    if (values.length > 0) {
      out.text(name).blank().number(components).blank();
      out.number(values.length / components).text(" double\n");
      for (int i = 0; i < values.length; i++) {
        out.decimal(values[i]).text((i + 1) % components == 0 ? "\n" : " ");
      }
    }
  }

  private static void writePointData(PlanarGraph graph, ByteSink out) throws IOException {
    int arrays = (graph.hasVertexMarkers() ? 1 : 0) + graph.attributes();
    if (arrays == 0) {
      return;
    }
    out.text("POINT_DATA ").number(graph.vertices()).newLine();
    field(out, arrays);
    if (graph.hasVertexMarkers()) {
      out.text(VtkGrid.MARKER).text(" 1 ").number(graph.vertices()).text(" int\n");
      for (int v = 0; v < graph.vertices(); v++) {
        out.signed(graph.vertexMarker(v)).newLine();
      }
    }
    for (int a = 0; a < graph.attributes(); a++) {
      out.text(VtkGrid.ATTRIBUTE + a).text(" 1 ").number(graph.vertices()).text(" double\n");
      for (int v = 0; v < graph.vertices(); v++) {
        out.decimal(graph.attribute(v, a)).newLine();
      }
    }
  }

  private static void writeCellData(VtkGrid.Written grid, ByteSink out) throws IOException {
    boolean marked = grid.graph().hasSegmentMarkers();
    int attributes = grid.content().triangleAttributes();
    if (!marked && attributes == 0) {
      return;
    }
    out.text("CELL_DATA ").number(grid.cells()).newLine();
    field(out, (marked ? 1 : 0) + attributes);
    if (marked) {
      out.text(VtkGrid.MARKER).text(" 1 ").number(grid.cells()).text(" int\n");
      for (int cell = 0; cell < grid.cells(); cell++) {
        out.signed(grid.cellMarker(cell)).newLine();
      }
    }
    for (int a = 0; a < attributes; a++) {
      out.text(VtkGrid.ATTRIBUTE + a).text(" 1 ").number(grid.cells()).text(" double\n");
      for (int cell = 0; cell < grid.cells(); cell++) {
        out.decimal(grid.cellAttribute(cell, a)).newLine();
      }
    }
  }
}
