package io.magpie.spark;

/** What Spark and what comes with it log, where Magpie's own log is used. */
final class SparkLog {
  static final String SPARK = "org.apache.spark";

  /** What properties of Magpie's own log begin with. */
  static final String PROPERTY = "org.slf4j.simpleLogger.log.";

  private SparkLog() {}

  /** Turns it off unless a property says otherwise; a cluster's log is as its settings say. */
  static void quieten() {
    for (String noisy : new String[] {SPARK, "org.apache.hadoop", "org.apache.parquet"}) {
      String property = PROPERTY + noisy;
      if (System.getProperty(property) == null) {
        System.setProperty(property, "off");
      }
    }
  }
}
