package io.magpie.examples.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The names and types of all fields, of arrays by their first element. Those of a variant are the
 * settings of the algorithm's options: {@link JsonSchemaTest} compares them.
 */
final class JsonShape {
  private JsonShape() {}

  static List<String> of(JsonNode value) {
    List<String> shape = new ArrayList<>();
    add("", value, shape);
    return shape;
  }

  private static void add(String path, JsonNode node, List<String> shape) {
    if (node.isObject() && !path.equals("variant")) {
      for (Iterator<Map.Entry<String, JsonNode>> it = node.fields(); it.hasNext(); ) {
        Map.Entry<String, JsonNode> field = it.next();
        add(path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), shape);
      }
    } else if (node.isArray()) {
      add(path + "[]", node.get(0), shape);
    } else {
      shape.add(path + " " + node.getNodeType());
    }
  }
}
