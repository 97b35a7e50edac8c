package io.magpie.algorithms.nbody;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts what acts on bodies that walk together, by recursion over cubes and lists of bodies. No
 * two bodies may be in one cube of the least size.
 */
final class WarpWalk {
  /** Bodies of an opened cell that act one by one, whatever cells are inside. */
  private static final int FEW = 8;

  private final Bodies bodies;
  private final double theta;
  private final List<Integer> order = new ArrayList<>();
  private long interactions;

  private WarpWalk(Bodies bodies, double theta) {
    this.bodies = bodies;
    this.theta = theta;
  }

  /** What acts on all bodies, of which so many in the order of the tree walk together. */
  static long interactions(Bodies bodies, double theta, int width) {
    double[] least = new double[3];
    double side = 0;
    for (int k = 0; k < 3; k++) {
      int axis = k;
      least[k] =
          IntStream.range(0, bodies.count())
              .mapToDouble(b -> bodies.position(b, axis))
              .min()
              .orElseThrow();
      double most =
          IntStream.range(0, bodies.count())
              .mapToDouble(b -> bodies.position(b, axis))
              .max()
              .orElseThrow();
      side = Math.max(side, most - least[k]);
    }
    List<Integer> all = IntStream.range(0, bodies.count()).boxed().toList();
    Cube root = new Cube(least[0], least[1], least[2], side);
    WarpWalk walk = new WarpWalk(bodies, theta);
    walk.order(all, root);
    for (int first = 0; first < walk.order.size(); first += width) {
      List<Integer> warp = walk.order.subList(first, Math.min(first + width, walk.order.size()));
      walk.open(all, root, warp);
    }
    return walk.interactions;
  }

  private record Cube(double x, double y, double z, double side) {
    Cube octant(int o) {
      double half = side / 2;
      return new Cube(
          x + ((o & 4) != 0 ? half : 0),
          y + ((o & 2) != 0 ? half : 0),
          z + ((o & 1) != 0 ? half : 0),
          half);
    }
  }

  private List<List<Integer>> octants(List<Integer> inside, Cube cube) {
    List<List<Integer>> octants = new ArrayList<>();
    for (int o = 0; o < 8; o++) {
      octants.add(new ArrayList<>());
    }
    double half = cube.side / 2;
    for (int b : inside) {
      int o =
          (bodies.position(b, 0) - cube.x >= half ? 4 : 0)
              + (bodies.position(b, 1) - cube.y >= half ? 2 : 0)
              + (bodies.position(b, 2) - cube.z >= half ? 1 : 0);
      octants.get(o).add(b);
    }
    return octants;
  }

  private void order(List<Integer> inside, Cube cube) {
    if (inside.size() <= 1) {
      order.addAll(inside);
      return;
    }
    List<List<Integer>> octants = octants(inside, cube);
    for (int o = 0; o < 8; o++) {
      order(octants.get(o), cube.octant(o));
    }
  }

  private void open(List<Integer> inside, Cube cube, List<Integer> warp) {
    List<List<Integer>> octants = octants(inside, cube);
    for (int o = 0; o < 8; o++) {
      List<Integer> some = octants.get(o);
      Cube where = cube.octant(o);
      if (some.size() > 1 && isFar(some, where, warp)) {
        interactions += warp.size();
      } else if (some.size() > FEW) {
        open(some, where, warp);
      } else {
        interactions +=
            (long) some.size() * warp.size() - warp.stream().filter(some::contains).count();
      }
    }
  }

  private boolean isFar(List<Integer> some, Cube cube, List<Integer> warp) {
    double mass = 0;
    double[] center = new double[3];
    for (int b : some) {
      mass += bodies.mass(b);
      for (int k = 0; k < 3; k++) {
        center[k] += bodies.mass(b) * bodies.position(b, k);
      }
    }
    for (int k = 0; k < 3; k++) {
      center[k] /= mass;
    }
    double half = cube.side / 2;
    double offset =
        length(center[0] - cube.x - half, center[1] - cube.y - half, center[2] - cube.z - half);
    double opens = cube.side / theta + offset;
    return warp.stream()
        .allMatch(
            b ->
                length(
                        center[0] - bodies.position(b, 0),
                        center[1] - bodies.position(b, 1),
                        center[2] - bodies.position(b, 2))
                    > opens);
  }

  private static double length(double x, double y, double z) {
    return Math.sqrt(x * x + y * y + z * z);
  }
}
