package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.GeneratedEdges.Formula;
import io.magpie.algorithms.graph.WeightRange;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;

/** Generated edges in the order of their numbers, on a device by the kernels of module edges. */
final class GeneratedSource extends ComputedInJava implements DeviceEdgeSource {
  private static final String MODULE = "edges";

  /**
   * @param first the number of the first edge
   * @param end one more than that of the last
   */
  GeneratedSource(GeneratedEdges edges, long first, long end) {
    super(edges, first, end);
    EdgeChunk.requireNarrow(edges.weightType());
  }

  @Override
  public void prepare(Device device) {
    device.load(MODULE).close();
  }

  @Override
  public void fill(DeviceEdgeChunk chunk) {
    int count = left(chunk.capacity());
    if (count > 0) {
      Formula formula = generated().formula();
      try (KernelModule module = chunk.device().load(MODULE)) {
        module
            .kernel(formula.kind() + "_edges")
            .launch(
                count,
                new Fields()
                    .set("count", count)
                    .set("first", next())
                    .set("rule", Fields.of(formula.constants()))
                    .set("weight", weight(module, formula))
                    .set("sources", chunk.sources())
                    .set("targets", chunk.targets())
                    .set("weights", chunk.weights()));
      }
    }
    chunk.setConsecutive(take(count), count);
  }

  /** The constants of the rule for weights. */
  private static Fields weight(KernelModule module, Formula formula) {
    WeightRange range = formula.weights();
    boolean ints = range != null && range.type() == WeightType.INT;
    String kind = range == null ? "weight_one" : ints ? "weight_int" : "weight_float";
    return new Fields()
        .set("kind", module.intConstant(kind))
        .set("least", ints ? range.least().intValue() : 0)
        .set("bound", ints ? range.largest().longValue() - range.least().longValue() + 1 : 0L)
        .set("lowest", range == null ? 0.0 : range.least().doubleValue())
        .set("highest", range == null ? 0.0 : range.largest().doubleValue())
        .set("key", formula.weightKey());
  }
}
