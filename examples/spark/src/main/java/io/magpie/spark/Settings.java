package io.magpie.spark;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of Hadoop's file systems, as they travel to tasks.
 *
 * @param values all of them
 */
record Settings(Map<String, String> values) implements Serializable {
  private static final long serialVersionUID = 1L;

  static Settings of(Configuration configuration) {
    Map<String, String> values = new HashMap<>();
    configuration.forEach(each -> values.put(each.getKey(), each.getValue()));
    return new Settings(values);
  }

  Configuration configuration() {
    Configuration configuration = new Configuration(false);
    values.forEach(configuration::set);
    return configuration;
  }
}
