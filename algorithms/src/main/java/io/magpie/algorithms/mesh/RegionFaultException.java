package io.magpie.algorithms.mesh;

/** The point of a {@link PlanarGraph.Region} does not tell what the region is. */
public final class RegionFaultException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int region;
  private final String fault;
  private final String remedy;

  RegionFaultException(int region, String fault, String remedy) {
    super(fault + ": " + remedy);
    this.region = region;
    this.fault = fault;
    this.remedy = remedy;
  }

  /**
   * Which region it is.
   *
   * @return its place in {@link PlanarGraph#regions()}
   */
  public int region() {
    return region;
  }

  /**
   * What is wrong with it.
   *
   * @return a sentence with its number, as {@link PlanarGraph#firstIndex()} says, and its point
   */
  public String fault() {
    return fault;
  }

  /**
   * What can be done about it.
   *
   * @return a phrase
   */
  public String remedy() {
    return remedy;
  }
}
