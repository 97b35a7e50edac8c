package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.SeededPermutation;
import java.util.Arrays;

/**
 * Looks like a crawl of the web but is not one: a directed graph that has those features of crawls
 * that algorithms on graphs feel. Vertices are pages, numbered as if in the order of their
 * addresses, and arcs are links.
 *
 * <ul>
 *   <li><b>Links of a page.</b> Their numbers follow a power law of exponent 2.72 (as measured by
 *       Broder et al., "Graph structure in the Web", 2000) up to a cap: no page has more links, and
 *       some have as many. All m links are made.
 *   <li><b>Links to a page.</b> In what a link may lead to, pages attract it in proportion to
 *       {@code (rank + 1)^(-1 / (exponent - 1))}, which would give a power law of that exponent
 *       (2.1, by the same authors). As a block attracts no more links than it has, and a page takes
 *       one from each other page, what comes out is a little steeper where most links are local:
 *       2.2 to 2.4 for 2.1 and a {@code local} of 0.75, measured from 65,535 to 1,048,577 pages.
 *   <li><b>Locality.</b> Most links lead to pages of near numbers (Boldi and Vigna, "The WebGraph
 *       Framework I", 2004). A link may lead to all pages; with probability {@code local} only to
 *       the sixteenth of them that its own page lies in; with the same probability again only to
 *       the sixteenth of that, and so on: if n is a power of 16, down to blocks of 16 pages. Else
 *       sizes of blocks differ by one at most, and it goes on from 16 to 256 pages to a sixteenth,
 *       of s pages on average, with probability {@code local log16(s)} only, so that skew and
 *       locality depend on n without jumps. A page that is popular among all is so in its blocks,
 *       as the first page of a site.
 * </ul>
 *
 * <p>A page links to another one once at most, and not to itself. What real crawls have and this
 * lacks: numbers of links of a page and to it that depend on each other, sites of all sizes, parts
 * that cannot be reached from each other, and, where there are about two links for each page or
 * more, pages without links (dangling pages).
 *
 * <p>The links of a page depend on its number and the seed alone, so that pages are computed in
 * parallel. They are drawn until there are as many different ones as the page has; where twice as
 * many draws and {@value #SPARE_DRAWS} are not enough, as in small blocks, the pages with the next
 * numbers complete them. Work: for each draw two hashes, one power, and one more hash for each size
 * of blocks, of which there are 8 at most; and O(links) for each link to keep those of a page
 * sorted. Memory: the graph.
 */
final class WebLookalike {
  /** The most links of a page that can be asked for, as they are sorted by insertion. */
  static final int LARGEST_CAP = 4096;

  private static final double OUT_EXPONENT = 2.72;
  private static final int SPARE_DRAWS = 16;

  /** Into how many blocks of the next smaller size a block is cut, and its binary logarithm. */
  private static final int PARTS = 16;

  private static final int PART_BITS = 4;

  /** Number 2 d and 2 d + 1 of so many are those of a page's draw d. */
  private static final int DRAW_BITS = 15;

  private final int n;
  private final long key;

  /** The key of which part of a block comes first. */
  private final long turns;

  /** Of the integral of attractions, which are powers of ranks. */
  private final double power;

  /** Entry k: how many pages have more than k links. */
  private final int[] pages;

  /** A page has as many links as its rank here says: those of rank 0 are most. */
  private final SeededPermutation linkRanks;

  /** What a link may lead to, from all pages to the smallest blocks. */
  private final Scope[] scopes;

  /** Entry i: the probability that a link may lead to no more than scope i. */
  private final double[] reached;

  /**
   * @param n the number of pages
   * @param m the number of links, 0 to {@link #mostLinks}
   * @param cap the most links of a page, 1 to {@value #LARGEST_CAP}
   * @param exponent of the numbers of links to a page, more than 2
   * @param local the probability to go on to a smaller block
   */
  WebLookalike(int n, long m, int cap, double exponent, double local, long seed) {
    this.n = n;
    key = SeededHash.key(SeededHash.mix(seed ^ 0x776562L));
    pages = pagesWithMore(n, m, (int) Math.max(0, Math.min(cap, n - 1L)));
    linkRanks = new SeededPermutation(n, SeededHash.draw(key, -1));
    turns = SeededHash.key(SeededHash.draw(key, -2));
    power = 1 - 1 / (exponent - 1);
    int count = 1;
    while ((n - 1L) >> (count * PART_BITS) > 0) {
      count++;
    }
    scopes = new Scope[count];
    reached = new double[count];
    for (int i = 0; i < count; i++) {
      scopes[i] = new Scope(i);
      reached[i] = i == 0 ? 1 : reached[i - 1] * local;
    }
    if (count > 1) { // 1 if n is a power of 16, and 0 just above it
      double pages = (double) n / (1L << ((count - 1) * PART_BITS));
      reached[count - 1] *= StrictMath.log(pages) / StrictMath.log(PARTS);
    }
  }

  /** How many links n pages can have. */
  static long mostLinks(int n, int cap) {
    return (long) n * Math.max(0, Math.min(cap, n - 1L));
  }

  /**
   * Numbers of links that add up to m: for each k below {@code most} how many pages have more than
   * k. They are those of the power law whose least number is a real one, found by bisection, and
   * differences of rounding.
   */
  static int[] pagesWithMore(int n, long m, int most) {
    double low = 0;
    double high = most;
    for (int step = 0; step < 64; step++) {
      double middle = (low + high) / 2;
      if (Arrays.stream(powerLaw(n, m, most, middle)).asLongStream().sum() <= m) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int[] pages = powerLaw(n, m, most, low);
    long missing = m - Arrays.stream(pages).asLongStream().sum();
    while (missing > 0) {
      for (int k = most - 1; k >= 0 && missing > 0; k--) {
        if (pages[k] < (k == 0 ? n : pages[k - 1])) {
          pages[k]++;
          missing--;
        }
      }
    }
    return pages;
  }

  private static int[] powerLaw(int n, long m, int most, double least) {
    int[] pages = new int[most];
    for (int k = 0; k < most; k++) {
      double share = StrictMath.pow(least / (k + 1), OUT_EXPONENT - 1);
      int atLeast = k < m ? 1 : 0; // some page has as many as can be
      pages[k] = (int) Math.max(atLeast, Math.min(n, StrictMath.rint(share * n)));
    }
    return pages;
  }

  /**
   * Blocks of one size: all pages cut into a power of 16 of them. Block b begins at {@code b n /
   * 16^level}, rounded down, as does its first part at the next level.
   */
  private final class Scope {
    private final int level;
    private final int shift;

    /** The size of the smaller ones; others have one page more. */
    private final int size;

    /** Of the integral of attractions, but for a factor: in a smaller and in a larger block. */
    private final double[] spans;

    Scope(int level) {
      this.level = level;
      shift = level * PART_BITS;
      size = n >>> shift;
      spans = new double[] {span(size), span(size + 1L)};
    }

    private double span(long pages) {
      return StrictMath.pow(pages + 1.0, power) - 1;
    }

    private int begin(long block) {
      return (int) ((block * n) >>> shift);
    }

    private int size(long block) {
      return begin(block + 1) - begin(block);
    }

    /** The page that a random number in [0, 1) leads to, in the same block as another. */
    int page(int from, double random) {
      long block = (((from + 1L) << shift) - 1) / n;
      int pages = size(block);
      // The inverse of the integral; StrictMath, so that all machines agree.
      double at = StrictMath.pow(1 + random * spans[pages - size], 1 / power) - 1;
      return page(block, (int) Math.min(pages - 1, at));
    }

    /**
     * The page of a rank in a block. Ranks go round its parts, so that the first ones are those of
     * rank 0 in each part: what is popular in a block is so in its part, too.
     */
    private int page(long block, int rank) {
      long random = SeededHash.draw(turns, ((long) level << 32) | block);
      if (level == scopes.length - 1) {
        int pages = size(block);
        return begin(block) + (rank + SeededHash.below(random, pages)) % pages;
      }
      Scope next = scopes[level + 1];
      long parts = block << PART_BITS;
      int first = SeededHash.below(random, PARTS);
      int round = rank / PARTS;
      if (round < next.size) {
        return next.page(parts + (first + rank % PARTS) % PARTS, round);
      }
      // The last round, of the parts that have one page more.
      int left = rank - next.size * PARTS;
      int turn = first;
      while (next.size(parts + turn % PARTS) == next.size || left-- > 0) {
        turn++;
      }
      return next.page(parts + turn % PARTS, next.size);
    }
  }

  /** How many links a page has. */
  private int links(int page) {
    int rank = linkRanks.of(page);
    int low = 0;
    int high = pages.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pages[middle] > rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  DirectedGraph directedGraph() {
    int[] offsets = new int[n + 1];
    Parallel.forRanges(
        n,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            offsets[v + 1] = links(v);
          }
        });
    for (int v = 0; v < n; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] neighbors = new int[offsets[n]];
    Parallel.forRanges(
        n,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            link(v, neighbors, offsets[v], offsets[v + 1]);
          }
        });
    return DirectedGraph.trusted(offsets, neighbors, null);
  }

  /** The same links as edges: one that is there in both directions is two parallel edges. */
  Graph graph() {
    DirectedGraph directed = directedGraph();
    int[] offsets = directed.offsets();
    int[] neighbors = directed.neighbors();
    return ReplayedEdges.build(
        n, neighbors.length, i -> ReplayedEdges.pack(source(offsets, (int) i), neighbors[(int) i]));
  }

  /** The vertex in whose list an arc is. */
  private static int source(int[] offsets, int arc) {
    int low = 0;
    int high = offsets.length - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (offsets[middle] <= arc) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Fills the list of a page. */
  private void link(int page, int[] neighbors, int begin, int end) {
    int filled = begin;
    int draws = 2 * (end - begin) + SPARE_DRAWS;
    for (int draw = 0; draw < draws && filled < end; draw++) {
      filled = insert(drawn(page, draw), page, neighbors, begin, filled);
    }
    for (int next = page; filled < end; ) {
      next = next + 1 < n ? next + 1 : 0;
      filled = insert(next, page, neighbors, begin, filled);
    }
  }

  private int drawn(int page, int draw) {
    long index = ((long) page << DRAW_BITS) | (2L * draw);
    double random = SeededHash.unit(SeededHash.draw(key, index));
    int scope = 0;
    while (scope + 1 < scopes.length && random < reached[scope + 1]) {
      scope++;
    }
    return scopes[scope].page(page, SeededHash.unit(SeededHash.draw(key, index + 1)));
  }

  /** Adds a link to a sorted list, unless it is there or leads to its own page. */
  private static int insert(int target, int page, int[] neighbors, int begin, int filled) {
    int at = target == page ? 0 : Arrays.binarySearch(neighbors, begin, filled, target);
    if (at >= 0) {
      return filled;
    }
    int place = -(at + 1);
    System.arraycopy(neighbors, place, neighbors, place + 1, filled - place);
    neighbors[place] = target;
    return filled + 1;
  }
}
