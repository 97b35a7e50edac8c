package io.magpie.verification.check;

import io.magpie.verification.check.Dependency.Kind;
import java.util.Arrays;

/**
 * The ww, wr and rw edges among some attempts, its nodes: at most two for each read and one for
 * each write. An edge is {@code node | kind << 30}.
 */
final class DependencyGraph {
  private static final int KIND_SHIFT = 30;
  private static final int NODE = (1 << KIND_SHIFT) - 1;

  private static final Kind[] KINDS = Kind.values();

  /** Roles at a version, in order of time. */
  private static final long MAKES = 0;

  private static final long READS = 1;
  private static final long REPLACES = 2;

  private final int[] offsets;
  private final int[] edges;

  private DependencyGraph(int[] offsets, int[] edges) {
    this.offsets = offsets;
    this.edges = edges;
  }

  /** The edges from each attempt to those that depend on it. */
  static DependencyGraph of(Versions versions, int[] attempts) {
    long[] roles = roles(versions, attempts);
    int[] offsets = new int[attempts.length + 2];
    forEachEdge(roles, (from, edge) -> offsets[from + 2]++);
    for (int i = 2; i < offsets.length; i++) {
      offsets[i] += offsets[i - 1];
    }
    int[] edges = new int[offsets[attempts.length + 1]];
    forEachEdge(roles, (from, edge) -> edges[offsets[from + 1]++] = edge);
    return new DependencyGraph(offsets, edges);
  }

  /** The same edges from each attempt to those that it depends on. */
  DependencyGraph reversed() {
    int nodes = offsets.length - 2;
    int[] starts = new int[nodes + 2];
    for (int edge : edges) {
      starts[node(edge) + 2]++;
    }
    for (int i = 2; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] sources = new int[edges.length];
    for (int from = 0; from < nodes; from++) {
      for (int e = offsets[from]; e < offsets[from + 1]; e++) {
        sources[starts[node(edges[e]) + 1]++] = redirected(edges[e], from);
      }
    }
    return new DependencyGraph(starts, sources);
  }

  private interface EdgeVisitor {
    void visit(int from, int edge);
  }

  /** Version, role and node of each access, sorted. */
  private static long[] roles(Versions versions, int[] attempts) {
    long count = 0;
    for (int attempt : attempts) {
      int[] codes = versions.codes(attempt);
      int end = versions.end(attempt);
      for (int i = versions.start(attempt); i < end && codes[i] != Versions.END; i++) {
        count += codes[i] < 0 ? 2 : 1;
      }
    }
    if (attempts.length > NODE || count > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          attempts.length + " attempts with " + count + " accesses may be on cycles: too many");
    }
    long[] roles = new long[(int) count];
    int n = 0;
    for (int node = 0; node < attempts.length; node++) {
      int[] codes = versions.codes(attempts[node]);
      int end = versions.end(attempts[node]);
      for (int i = versions.start(attempts[node]); i < end && codes[i] != Versions.END; i++) {
        long slot = codes[i] & Versions.END;
        if (codes[i] < 0) {
          roles[n++] = slot << 32 | REPLACES << KIND_SHIFT | node;
          roles[n++] = slot + 1 << 32 | MAKES << KIND_SHIFT | node;
        } else {
          roles[n++] = slot << 32 | READS << KIND_SHIFT | node;
        }
      }
    }
    Arrays.parallelSort(roles);
    return roles;
  }

  private static void forEachEdge(long[] roles, EdgeVisitor visitor) {
    for (int begin = 0, end; begin < roles.length; begin = end) {
      end = begin;
      while (end < roles.length && roles[end] >>> 32 == roles[begin] >>> 32) {
        end++;
      }
      int maker = role(roles[begin]) == MAKES ? (int) roles[begin] & NODE : -1;
      int replacer = role(roles[end - 1]) == REPLACES ? (int) roles[end - 1] & NODE : -1;
      for (int i = begin; i < end; i++) {
        int node = (int) roles[i] & NODE;
        if (maker >= 0 && node != maker) {
          visitor.visit(maker, edge(node, role(roles[i]) == READS ? Kind.WR : Kind.WW));
        }
        if (replacer >= 0 && node != replacer && role(roles[i]) == READS) {
          visitor.visit(node, edge(replacer, Kind.RW));
        }
      }
    }
  }

  private static long role(long entry) {
    return entry >>> KIND_SHIFT & 3;
  }

  private static int edge(int node, Kind kind) {
    return node | kind.ordinal() << KIND_SHIFT;
  }

  /** The edges of node {@code n} are {@code first(n)} to {@code first(n + 1) - 1}. */
  int first(int node) {
    return offsets[node];
  }

  int edge(int index) {
    return edges[index];
  }

  /** The node at the other end. */
  static int node(int edge) {
    return edge & NODE;
  }

  /** What the edge says. */
  static Kind kind(int edge) {
    return KINDS[edge >>> KIND_SHIFT];
  }

  /** The edge that says the same of another node. */
  static int redirected(int edge, int node) {
    return (edge & ~NODE) | node;
  }
}
