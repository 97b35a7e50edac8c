package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Gmsh's .msh of text: versions 4.1 and 2.2 to read, 4.1 to write. */
final class MshFormat implements MeshFormat {
  private static final String MARKER = "marker";
  private static final int LINE = 1;
  private static final int TRIANGLE = 2;
  private static final int POINT = 15;

  /** The physical tag of triangles without an attribute: other programs want all to have one. */
  private static final int ALL_TRIANGLES = 1;

  /** The most labels that are written as physical tags; more are likely numbers of elements. */
  private static final int MOST_ENTITIES = 1000;

  private static final Set<String> ONCE = Set.of("$Entities", "$Nodes", "$Elements");

  private static final Map<Integer, String> OTHER_TYPES =
      Map.of(
          3, "a quadrangle",
          4, "a tetrahedron",
          5, "a hexahedron",
          6, "a prism",
          7, "a pyramid",
          8, "a line of second order",
          9, "a triangle of second order");

  @Override
  public MeshParts read(ByteSource source) throws IOException {
    return new Reader(source).read();
  }

  /** The numbers that a file gives its nodes or elements, which may have gaps and any order. */
  private static final class Tags {
    private final Growing.Ints tags = new Growing.Ints();
    private long[] sorted; // tag and index; null where the tag follows from the index

    void add(int tag) {
      tags.add(tag);
    }

    int size() {
      return tags.size();
    }

    /** The items by tag. */
    int[] order() {
      int[] order = new int[size()];
      for (int i = 0; i < order.length; i++) {
        order[i] = sorted == null ? i : (int) sorted[i];
      }
      return order;
    }

    /** To be called when all are added; false when two are the same. */
    boolean complete() {
      int i = 0;
      while (i < size() && tags.get(i) == tags.get(0) + i) {
        i++;
      }
      if (i == size()) {
        return true;
      }
      sorted = new long[size()];
      for (i = 0; i < sorted.length; i++) {
        sorted[i] = (long) tags.get(i) << 32 | i;
      }
      Arrays.sort(sorted);
      for (i = 1; i < sorted.length; i++) {
        if (sorted[i] >> 32 == sorted[i - 1] >> 32) {
          return false;
        }
      }
      return true;
    }

    /** The index of what has a tag, or -1. */
    int indexOf(int tag) {
      if (sorted == null) {
        long index = size() == 0 ? -1 : (long) tag - tags.get(0);
        return index >= 0 && index < size() ? (int) index : -1;
      }
      int found = Arrays.binarySearch(sorted, (long) tag << 32);
      int at = found < 0 ? -found - 1 : found;
      return at < sorted.length && sorted[at] >> 32 == tag ? (int) sorted[at] : -1;
    }
  }

  private static final class Reader {
    /** Lines and triangles: their corners, their physical tag and their line in the file. */
    private static final class Elements {
      final Tags tags = new Tags();
      final Growing.Ints corners = new Growing.Ints();
      final Growing.Ints labels = new Growing.Ints();
      final Growing.Ints fileLines = new Growing.Ints();
    }

    /** Values of nodes, or of elements: their tags, and those of one after those of another. */
    private record Values(
        boolean ofNodes, String name, int components, int[] tags, double[] values, long line) {
      boolean isMarker() {
        return name.equals(MARKER) && components == 1;
      }
    }

    private final Tokenizer in;
    private final ByteSource source;
    private final MeshParts parts;
    private final Tags nodes = new Tags();
    private final Map<Long, Integer> physical = new HashMap<>();
    private final List<Values> data = new ArrayList<>();
    private final Set<String> sections = new HashSet<>();
    private boolean current; // version 4.1, not 2.2
    private final Elements segments = new Elements();
    private final Elements triangles = new Elements();
    private int[] vertexMarkers;

    Reader(ByteSource source) {
      this.source = source;
      in = new Tokenizer(source);
      parts = new MeshParts(source.file(), 1);
    }

    MeshParts read() throws IOException {
      in.requireWord("$MeshFormat");
      String first = in.nextText("$MeshFormat");
      if (!first.equals("$MeshFormat")) {
        throw in.error(Tokenizer.quote(first), "$MeshFormat");
      }
      format();
      while (in.nextWord()) {
        section(in.nextText("a section"));
      }
      requireSection("$Nodes");
      requireSection("$Elements");
      complete();
      return parts;
    }

    private int count(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextInt(0, Integer.MAX_VALUE / 3, expected);
    }

    /** A bound of tags, which need not be as few as what they number. */
    private void bound(String expected) throws IOException {
      in.requireWord(expected);
      in.nextInt(0, Integer.MAX_VALUE, expected);
    }

    private int tag(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextInt(1, Integer.MAX_VALUE, expected);
    }

    private int signed(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextSignedInt(expected);
    }

    private double number(String expected) throws IOException {
      in.requireWord(expected);
      return in.nextDouble(expected);
    }

    private void format() throws IOException {
      in.requireWord("the version");
      String version = in.nextText("the version");
      if (!version.equals("4.1") && !version.equals("2.2")) {
        throw in.error(
            "version " + Tokenizer.quote(version),
            "4.1 or 2.2",
            "have Gmsh write it again, by -format msh41");
      }
      current = version.equals("4.1");
      if (count("0, a file of text") != 0) {
        throw in.error("a binary file", "one of text", "have Gmsh write it with -bin 0");
      }
      count("the size of numbers");
      end("$EndMeshFormat");
    }

    private void end(String keyword) throws IOException {
      in.requireWord(keyword);
      String found = in.nextText(keyword);
      if (!found.equals(keyword)) {
        throw in.error(
            Tokenizer.quote(found), keyword, "correct the counts if the lines are right");
      }
    }

    private void requireSection(String keyword) throws FileFormatException {
      if (!sections.contains(keyword)) {
        throw in.error("the end of the file", "a section " + keyword, "the file may be truncated");
      }
    }

    private void section(String keyword) throws IOException {
      if (!sections.add(keyword) && ONCE.contains(keyword)) {
        throw in.error("a second section " + keyword, "one", "merge the sections");
      }
      switch (keyword) {
        case "$Entities" -> entities();
        case "$Nodes" -> {
          if (current) {
            nodeBlocks();
          } else {
            nodes();
          }
          end("$EndNodes");
          if (!nodes.complete()) {
            throw in.error("two nodes of the same tag", "a tag for each node");
          }
        }
        case "$Elements" -> {
          if (current) {
            elementBlocks();
          } else {
            elements();
          }
          end("$EndElements");
          if (!segments.tags.complete() || !triangles.tags.complete()) {
            throw in.error("two elements of the same tag", "a tag for each element");
          }
        }
        case "$NodeData" -> data(true, "$EndNodeData");
        case "$ElementData" -> data(false, "$EndElementData");
        case "$PartitionedEntities" ->
            throw in.error("partitioned entities", "a mesh of one part", "unpartition it first");
        default -> skip(keyword);
      }
    }

    private void skip(String keyword) throws IOException {
      if (!keyword.startsWith("$") || keyword.startsWith("$End")) {
        throw in.error(Tokenizer.quote(keyword), "a section, such as $Nodes");
      }
      long line = in.line();
      String end = "$End" + keyword.substring(1);
      while (in.nextLine()) {
        if (!in.endOfLine() && in.nextText(end).equals(end)) {
          return;
        }
      }
      throw new FileFormatException(
          source.file(),
          line,
          Tokenizer.quote(keyword) + " without an end",
          Tokenizer.quote(end),
          "the file may be truncated",
          null);
    }

    private static long entity(int dimension, int tag) {
      return (long) dimension << 32 | (tag & 0xffffffffL); // tags may be negative
    }

    private void entities() throws IOException {
      int[] counts = new int[4];
      for (int dimension = 0; dimension < 4; dimension++) {
        counts[dimension] = count("the number of entities");
      }
      for (int dimension = 0; dimension < 4; dimension++) {
        for (int i = 0; i < counts[dimension]; i++) {
          int tag = signed("the tag of an entity");
          for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) {
            number("the box of an entity");
          }
          int tags = count("the number of physical tags");
          for (int k = 0; k < tags; k++) {
            int label = Math.abs(signed("a physical tag"));
            physical.putIfAbsent(entity(dimension, tag), label);
          }
          if (dimension > 0) {
            for (int k = count("the number of entities around one"); k > 0; k--) {
              signed("the tag of an entity");
            }
          }
        }
      }
      end("$EndEntities");
    }

    private void node() throws IOException {
      double x = number("a coordinate");
      double y = number("a coordinate");
      parts.vertex(x, y, number("a coordinate"), in.line());
    }

    private void nodes() throws IOException {
      for (int i = count("the number of nodes"); i > 0; i--) {
        nodes.add(tag("the tag of a node"));
        node();
      }
    }

    private void nodeBlocks() throws IOException {
      int blocks = count("the number of blocks");
      long declared = count("the number of nodes");
      bound("the least tag");
      bound("the greatest tag");
      long line = in.line();
      long found = 0;
      for (; blocks > 0; blocks--) {
        int dimension = count("the dimension of an entity");
        signed("the tag of an entity");
        boolean parametric = count("0 or 1, whether parameters follow") != 0;
        int count = count("the number of nodes");
        for (int i = 0; i < count; i++) {
          nodes.add(tag("the tag of a node"));
        }
        for (int i = 0; i < count; i++) {
          node();
          for (int k = 0; parametric && k < dimension; k++) {
            number("a parameter");
          }
        }
        found += count;
      }
      requireCount(line, declared, found, "nodes");
    }

    private void requireCount(long line, long declared, long found, String unit)
        throws FileFormatException {
      if (declared != found) {
        throw new FileFormatException(
            source.file(),
            line,
            declared + " " + unit,
            found + " as the blocks have",
            "correct the count if the lines are right",
            null);
      }
    }

    private void elements() throws IOException {
      for (int i = count("the number of elements"); i > 0; i--) {
        int tag = tag("the tag of an element");
        int type = type();
        int tags = count("the number of tags");
        int label = 0;
        for (int k = 0; k < tags; k++) {
          int each = signed("a tag");
          label = k == 0 ? Math.abs(each) : label;
        }
        element(tag, type, label);
      }
    }

    private int type() throws IOException {
      int type = count("the type of an element");
      if (type != LINE && type != TRIANGLE && type != POINT) {
        throw in.error(
            "element type "
                + type
                + (OTHER_TYPES.containsKey(type) ? ", " + OTHER_TYPES.get(type) : ""),
            "triangles (2), lines (1) and points (15)",
            "have Gmsh make a mesh of triangles of first order");
      }
      return type;
    }

    private void elementBlocks() throws IOException {
      int blocks = count("the number of blocks");
      long declared = count("the number of elements");
      bound("the least tag");
      bound("the greatest tag");
      long line = in.line();
      long found = 0;
      for (; blocks > 0; blocks--) {
        int dimension = count("the dimension of an entity");
        int label = physical.getOrDefault(entity(dimension, signed("the tag of an entity")), 0);
        int type = type();
        int count = count("the number of elements");
        for (int i = 0; i < count; i++) {
          element(tag("the tag of an element"), type, label);
        }
        found += count;
      }
      requireCount(line, declared, found, "elements");
    }

    private int vertex() throws IOException {
      int tag = tag("the tag of a node");
      int vertex = nodes.indexOf(tag);
      if (vertex < 0) {
        throw in.error("node " + tag, "the tag of a node in $Nodes");
      }
      return vertex;
    }

    private void element(int tag, int type, int label) throws IOException {
      int vertex = vertex();
      if (type == POINT) {
        if (label != 0) {
          vertexMarkers = vertexMarkers == null ? new int[parts.vertices()] : vertexMarkers;
          vertexMarkers[vertex] = label;
        }
        return;
      }
      Elements list = type == LINE ? segments : triangles;
      list.fileLines.add((int) in.line());
      list.tags.add(tag);
      list.labels.add(label);
      list.corners.add(vertex);
      for (int k = 0; k < type; k++) { // a line has one more, a triangle two
        list.corners.add(vertex());
      }
    }

    private void data(boolean ofNodes, String end) throws IOException {
      String name = "";
      for (int i = count("the number of names"); i > 0; i--) {
        in.requireWord("a name");
        StringBuilder text = new StringBuilder();
        while (!in.endOfLine()) {
          text.append(text.length() == 0 ? "" : " ").append(in.nextText("a name"));
        }
        name = name.isEmpty() ? text.toString().replace("\"", "") : name;
      }
      for (int i = count("the number of times"); i > 0; i--) {
        number("a time");
      }
      int integers = count("the number of counts");
      if (integers < 3) {
        throw in.error(integers + " counts", "a step, the number of components and that of values");
      }
      signed("a step");
      int components = count("the number of components");
      int count = count("the number of values");
      for (int i = 3; i < integers; i++) {
        signed("the number of a part");
      }
      long line = in.line();
      Growing.Ints tags = new Growing.Ints();
      Growing.Doubles values = new Growing.Doubles();
      for (int i = 0; i < count; i++) {
        tags.add(tag(ofNodes ? "the tag of a node" : "the tag of an element"));
        for (int k = 0; k < components; k++) {
          values.add(number("a value, a finite number"));
        }
      }
      end(end);
      if (components > 0) {
        data.add(new Values(ofNodes, name, components, tags.toArray(), values.toArray(), line));
      }
    }

    /** Puts all together: elements in the order of their tags, as data may be for some of them. */
    private void complete() throws IOException {
      int[] order = segments.tags.order();
      for (int s : order) {
        parts.segment(
            segments.corners.get(2 * s),
            segments.corners.get(2 * s + 1),
            segments.fileLines.get(s));
      }
      parts.segmentMarkers(labels(segments, order));
      order = triangles.tags.order();
      for (int t : order) {
        parts.triangle(
            triangles.corners.get(3 * t),
            triangles.corners.get(3 * t + 1),
            triangles.corners.get(3 * t + 2),
            triangles.fileLines.get(t));
      }
      parts.vertexMarkers(vertexMarkers);
      List<double[]> ofVertices = new ArrayList<>();
      List<double[]> ofTriangles = new ArrayList<>();
      int[] labels = labels(triangles, order);
      if (labels != null && IntStream.of(labels).anyMatch(label -> label != ALL_TRIANGLES)) {
        ofTriangles.add(Arrays.stream(labels).asDoubleStream().toArray());
      }
      int physicalTags = ofTriangles.size();
      for (Values each : data) {
        if (each.ofNodes && each.isMarker()) {
          parts.vertexMarkers(whole(each, component(each, 0, nodes, "nodes")));
        } else if (each.isMarker()) {
          boolean ofTrianglesAlone = isOfAny(each, triangles) && !isOfAny(each, segments);
          if (!ofTrianglesAlone) {
            parts.segmentMarkers(
                whole(each, ordered(component(each, 0, segments.tags, "lines"), segments)));
          }
          if (isNonzeroOfAny(each, triangles)) {
            ofTriangles.add(
                physicalTags, ordered(component(each, 0, triangles.tags, "triangles"), triangles));
          }
        } else {
          for (int k = 0; k < each.components; k++) {
            if (each.ofNodes) {
              ofVertices.add(component(each, k, nodes, "nodes"));
            } else {
              ofTriangles.add(ordered(component(each, k, triangles.tags, "triangles"), triangles));
            }
          }
        }
      }
      parts.vertexAttributes(ofVertices.size(), interleaved(ofVertices, parts.vertices()));
      parts.triangleAttributes(ofTriangles.size(), interleaved(ofTriangles, parts.triangles()));
    }

    private static boolean isOfAny(Values values, Elements elements) {
      return IntStream.of(values.tags).anyMatch(tag -> elements.tags.indexOf(tag) >= 0);
    }

    /** Whether any of the elements has a value, of data of one component, that is not 0. */
    private static boolean isNonzeroOfAny(Values values, Elements elements) {
      return IntStream.range(0, values.tags.length)
          .anyMatch(i -> values.values[i] != 0 && elements.tags.indexOf(values.tags[i]) >= 0);
    }

    /** The physical tags in an order; null where there are none. */
    private static int[] labels(Elements elements, int[] order) {
      int[] labels = IntStream.of(order).map(elements.labels::get).toArray();
      return IntStream.of(labels).allMatch(label -> label == 0) ? null : labels;
    }

    /** A component of the values of all of some items, in their order. */
    private double[] component(Values values, int k, Tags tags, String unit)
        throws FileFormatException {
      double[] result = new double[tags.size()];
      boolean[] found = new boolean[result.length];
      int missing = result.length;
      for (int i = 0; i < values.tags.length; i++) {
        int index = tags.indexOf(values.tags[i]);
        if (index >= 0) {
          missing -= found[index] ? 0 : 1;
          found[index] = true;
          result[index] = values.values[i * values.components + k];
        }
      }
      if (missing > 0) {
        throw new FileFormatException(
            source.file(),
            values.line,
            "values "
                + Tokenizer.quote(values.name)
                + " for "
                + (result.length - missing)
                + " "
                + unit,
            "values for all of them, " + result.length,
            "leave the data out of the file, or complete them",
            null);
      }
      return result;
    }

    private static double[] ordered(double[] values, Elements elements) {
      return IntStream.of(elements.tags.order()).mapToDouble(i -> values[i]).toArray();
    }

    private int[] whole(Values values, double[] markers) throws FileFormatException {
      int[] whole = new int[markers.length];
      for (int i = 0; i < whole.length; i++) {
        whole[i] = (int) markers[i];
        if (whole[i] != markers[i]) {
          throw new FileFormatException(
              source.file(),
              values.line,
              markers[i] + " in the data " + Tokenizer.quote(values.name),
              "markers, whole numbers from -2147483648 to 2147483647",
              "rename the data if they are attributes",
              null);
        }
      }
      return whole;
    }

    private static double[] interleaved(List<double[]> columns, int rows) {
      double[] result = new double[Math.multiplyExact(columns.size(), rows)];
      for (int c = 0; c < columns.size(); c++) {
        for (int row = 0; row < rows; row++) {
          result[row * columns.size() + c] = columns.get(c)[row];
        }
      }
      return result;
    }
  }

  /**
   * Elements by the entity that they are of: one for each label.
   *
   * @param labels of the entities, in order; 0 is for no physical tag
   * @param order all elements, those of one entity after those of another
   * @param starts where those of each entity start, and the end
   */
  private record Entities(int[] labels, int[] order, int[] starts) {
    static Entities of(int elements, IntUnaryOperator label) {
      int[] labels = IntStream.range(0, elements).map(label).sorted().distinct().toArray();
      int[] starts = new int[labels.length + 1];
      int[] next = new int[labels.length + 1];
      for (int e = 0; e < elements; e++) {
        next[Arrays.binarySearch(labels, label.applyAsInt(e)) + 1]++;
      }
      for (int i = 0; i < labels.length; i++) {
        next[i + 1] += next[i];
      }
      System.arraycopy(next, 0, starts, 0, starts.length);
      int[] order = new int[elements];
      for (int e = 0; e < elements; e++) {
        order[next[Arrays.binarySearch(labels, label.applyAsInt(e))]++] = e;
      }
      return new Entities(labels, order, starts);
    }

    /**
     * Writes each with the box around its elements.
     *
     * @param corners how many each element has
     * @param vertex the vertex at a corner, where those of one element follow those of another
     */
    void write(PlanarGraph graph, int corners, IntUnaryOperator vertex, ByteSink out)
        throws IOException {
      for (int i = 0; i < labels.length; i++) {
        double minX = Double.POSITIVE_INFINITY;
        double minY = Double.POSITIVE_INFINITY;
        double maxX = Double.NEGATIVE_INFINITY;
        double maxY = Double.NEGATIVE_INFINITY;
        for (int at = starts[i]; at < starts[i + 1]; at++) {
          for (int k = 0; k < corners; k++) {
            int v = vertex.applyAsInt(corners * order[at] + k);
            minX = Math.min(minX, graph.x(v));
            minY = Math.min(minY, graph.y(v));
            maxX = Math.max(maxX, graph.x(v));
            maxY = Math.max(maxY, graph.y(v));
          }
        }
        out.number(i + 1L).blank().decimal(minX).blank().decimal(minY).text(" 0");
        out.blank().decimal(maxX).blank().decimal(maxY).text(" 0");
        if (labels[i] == 0) {
          out.text(" 0");
        } else {
          out.text(" 1 ").number(labels[i]);
        }
        out.text(" 0\n");
      }
    }
  }

  @Override
  public void write(Content content, ByteSink out) throws IOException {
    PlanarGraph graph = content.graph();
    Mesh mesh = content.mesh();
    int segments = graph.segments();
    int triangles = content.triangles();
    boolean tagged =
        IntStream.range(0, segments).allMatch(s -> graph.segmentMarker(s) >= 0)
            && areFew(segments, graph::segmentMarker);
    boolean labeled =
        content.triangleAttributes() > 0
            && IntStream.range(0, triangles).allMatch(t -> isTag(mesh.triangleAttribute(t, 0)))
            && IntStream.range(0, triangles)
                .anyMatch(t -> mesh.triangleAttribute(t, 0) != ALL_TRIANGLES)
            && areFew(triangles, t -> (int) mesh.triangleAttribute(t, 0));
    Entities curves = Entities.of(segments, s -> tagged ? graph.segmentMarker(s) : 0);
    Entities surfaces =
        Entities.of(triangles, t -> labeled ? (int) mesh.triangleAttribute(t, 0) : ALL_TRIANGLES);
    out.text("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    if (curves.labels.length + surfaces.labels.length > 0) {
      out.text("$Entities\n0 ").number(curves.labels.length).blank();
      out.number(surfaces.labels.length).text(" 0\n");
      curves.write(
          graph, 2, i -> i % 2 == 0 ? graph.segmentStart(i / 2) : graph.segmentEnd(i / 2), out);
      surfaces.write(graph, 3, i -> mesh.corner(i / 3, i % 3), out);
      out.text("$EndEntities\n");
    }
    writeNodes(graph, triangles > 0 ? 2 : 1, out);
    writeElements(content, curves, surfaces, out);
    int[] nodes = IntStream.range(0, graph.vertices()).toArray();
    if (graph.hasVertexMarkers()) {
      data(out, "Node", MARKER, nodes, graph::vertexMarker);
    }
    for (int a = 0; a < graph.attributes(); a++) {
      int column = a;
      data(out, "Node", "attribute" + a, nodes, v -> graph.attribute(v, column));
    }
    // Other programs want values for all elements, in the order of the file.
    int[] elements =
        IntStream.concat(
                IntStream.of(curves.order), IntStream.of(surfaces.order).map(t -> segments + t))
            .toArray();
    if (!tagged) {
      data(
          out,
          "Element",
          MARKER,
          elements,
          element -> element < segments ? graph.segmentMarker(element) : 0);
    }
    for (int a = labeled ? 1 : 0; a < content.triangleAttributes(); a++) {
      int column = a;
      data(
          out,
          "Element",
          "attribute" + a,
          elements,
          element -> element < segments ? 0 : mesh.triangleAttribute(element - segments, column));
    }
  }

  private static boolean areFew(int elements, IntUnaryOperator label) {
    return IntStream.range(0, elements).map(label).distinct().limit(MOST_ENTITIES + 1L).count()
        <= MOST_ENTITIES;
  }

  /** Whether a value can be a physical tag. */
  private static boolean isTag(double value) {
    return value >= 1 && value == (int) value;
  }

  private static void writeNodes(PlanarGraph graph, int dimension, ByteSink out)
      throws IOException {
    int vertices = graph.vertices();
    out.text("$Nodes\n").text(vertices > 0 ? "1 " : "0 ").number(vertices);
    out.text(vertices > 0 ? " 1 " : " 0 ").number(vertices).newLine();
    if (vertices > 0) {
      out.number(dimension).text(" 1 0 ").number(vertices).newLine();
    }
    for (int v = 0; v < vertices; v++) {
      out.number(v + 1L).newLine();
    }
    for (int v = 0; v < vertices; v++) {
      out.decimal(graph.x(v)).blank().decimal(graph.y(v)).text(" 0\n");
    }
    out.text("$EndNodes\n");
  }

  private static void writeElements(
      Content content, Entities curves, Entities surfaces, ByteSink out) throws IOException {
    PlanarGraph graph = content.graph();
    long elements = (long) graph.segments() + content.triangles();
    out.text("$Elements\n").number((long) curves.labels.length + surfaces.labels.length);
    out.blank().number(elements).text(elements > 0 ? " 1 " : " 0 ").number(elements).newLine();
    for (int i = 0; i < curves.labels.length; i++) {
      out.text("1 ").number(i + 1L).text(" 1 ");
      out.number(curves.starts[i + 1] - curves.starts[i]).newLine();
      for (int at = curves.starts[i]; at < curves.starts[i + 1]; at++) {
        int s = curves.order[at];
        out.number(s + 1L).blank().number(graph.segmentStart(s) + 1L);
        out.blank().number(graph.segmentEnd(s) + 1L).newLine();
      }
    }
    for (int i = 0; i < surfaces.labels.length; i++) {
      out.text("2 ").number(i + 1L).text(" 2 ");
      out.number(surfaces.starts[i + 1] - surfaces.starts[i]).newLine();
      for (int at = surfaces.starts[i]; at < surfaces.starts[i + 1]; at++) {
        int t = surfaces.order[at];
        out.number(graph.segments() + t + 1L);
        for (int k = 0; k < 3; k++) {
          out.blank().number(content.mesh().corner(t, k) + 1L);
        }
        out.newLine();
      }
    }
    out.text("$EndElements\n");
  }

  /** Writes the values of some items, whose tags are one more than their numbers. */
  private static void data(
      ByteSink out, String of, String name, int[] items, IntToDoubleFunction value)
      throws IOException {
    out.text("$").text(of).text("Data\n1\n\"").text(name).text("\"\n1\n0\n3\n0\n1\n");
    out.number(items.length).newLine();
    for (int item : items) {
      out.number(item + 1L).blank().decimal(value.applyAsDouble(item)).newLine();
    }
    out.text("$End").text(of).text("Data\n");
  }
}
