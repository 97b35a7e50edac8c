package io.magpie.algorithms.msf;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.internal.driver.PhaseLines;
import io.magpie.stm.RegionReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a computation of the forest of edges in chunks did, and how long it took. Of several devices
 * at once, counts and the times of devices are sums, their merges included, and bytes are those of
 * the device that had most.
 *
 * @param device what it ran on; several with commas between them
 * @param options how
 * @param chunkEdges the most edges of a chunk
 * @param chunks chunks that had edges
 * @param edges edges that came
 * @param rounds rounds of discovery and merge, of all chunks
 * @param phases the phases in the order of their first launch, each over all chunks
 * @param transactions the reports of the merging transactions, one for all rounds of a run; empty
 *     if there were none
 * @param solveMillis device time of all chunks: computing edges there, testing them, and forests of
 *     what is left
 * @param uploadMillis copying chunks to the device; 0 if it computes them
 * @param waitMillis waiting for the source, which fills a chunk while another is worked on; 0 if
 *     the device computes them
 * @param resultMillis labels, and copying the forest to Java's memory; of several devices also
 *     their merges
 * @param hostMillis from the first edge asked for to the result in Java's memory
 * @param stateBytes device memory between two chunks of the forest, at its full length, and the
 *     tree that tests edges
 * @param deviceBytes the most device memory at a time: state, chunk, lists and what primitives need
 */
public record StreamReport(
    String device,
    MsfOptions options,
    int chunkEdges,
    long chunks,
    long edges,
    int rounds,
    List<Phase> phases,
    List<RegionReport> transactions,
    double solveMillis,
    double uploadMillis,
    double waitMillis,
    double resultMillis,
    double hostMillis,
    long stateBytes,
    long deviceBytes) {

  /** Copies the lists. */
  public StreamReport {
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /**
   * What several devices did at the same time, one report each, and then to merge their forests.
   *
   * @param all of the devices, at least one
   * @param resultMillis from the last device's last chunk to the result
   * @param hostMillis from the first edge asked for to the result
   */
  static StreamReport ofSeveral(List<StreamReport> all, double resultMillis, double hostMillis) {
    Map<String, Phase> phases = new LinkedHashMap<>();
    for (StreamReport one : all) {
      for (Phase phase : one.phases) {
        phases.merge(phase.name(), phase, Phase::plus);
      }
    }
    StreamReport first = all.get(0);
    return new StreamReport(
        all.stream().map(StreamReport::device).collect(Collectors.joining(", ")),
        first.options,
        first.chunkEdges,
        all.stream().mapToLong(StreamReport::chunks).sum(),
        all.stream().mapToLong(StreamReport::edges).sum(),
        all.stream().mapToInt(StreamReport::rounds).sum(),
        List.copyOf(phases.values()),
        all.stream().flatMap(one -> one.transactions.stream()).toList(),
        all.stream().mapToDouble(StreamReport::solveMillis).sum(),
        all.stream().mapToDouble(StreamReport::uploadMillis).sum(),
        all.stream().mapToDouble(StreamReport::waitMillis).sum(),
        resultMillis,
        hostMillis,
        all.stream().mapToLong(StreamReport::stateBytes).max().orElseThrow(),
        all.stream().mapToLong(StreamReport::deviceBytes).max().orElseThrow());
  }

  /** Edges for each second from the first edge to the result. */
  public double edgesPerSecond() {
    return edges / (hostMillis / 1000);
  }

  /** A table, one line for each phase. */
  @Override
  public String toString() {
    return String.format(
            Locale.ROOT,
            "spanning forest of a stream on %s: %,d edges in %,d chunks, %d rounds, solve %.3f ms,"
                + " upload %.3f ms, waits %.3f ms, result %.3f ms, host to host %.3f ms%n",
            device,
            edges,
            chunks,
            rounds,
            solveMillis,
            uploadMillis,
            waitMillis,
            resultMillis,
            hostMillis)
        + PhaseLines.of(phases);
  }
}
