package io.magpie.algorithms.mesh.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** The predicates' signs are those of decimal arithmetic without rounding, in every order. */
class PredicatesProperties {
  record Point(double x, double y) {
    Point scaled(double factor) {
      return new Point(x * factor, y * factor);
    }
  }

  @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
  void orientationIsExact(@ForAll("triples") List<Point> points) {
    int expected = orientation(points.get(0), points.get(1), points.get(2));
    Point a = points.get(0);
    Point b = points.get(1);
    Point c = points.get(2);
    assertEquals(expected, orient2d(a, b, c));
    assertEquals(expected, orient2d(b, c, a));
    assertEquals(expected, orient2d(c, a, b));
    assertEquals(-expected, orient2d(b, a, c));
    assertEquals(-expected, orient2d(c, b, a));
    assertEquals(
        expected, sign(Predicates.exactOrient2d(a.x(), a.y(), b.x(), b.y(), c.x(), c.y())));
  }

  @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
  void inCircleIsExact(@ForAll("quadruples") List<Point> points) {
    Point a = points.get(0);
    Point b = points.get(1);
    Point c = points.get(2);
    Point d = points.get(3);
    int expected = side(a, b, c, d);
    assertEquals(expected, inCircle(a, b, c, d));
    assertEquals(expected, inCircle(b, c, a, d));
    assertEquals(expected, inCircle(c, a, b, d));
    assertEquals(-expected, inCircle(b, a, c, d));
    assertEquals(-expected, inCircle(d, b, c, a));
    assertEquals(-expected, inCircle(a, b, d, c));
    assertEquals(
        expected,
        sign(Predicates.exactInCircle(a.x(), a.y(), b.x(), b.y(), c.x(), c.y(), d.x(), d.y())));
  }

  @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
  void scalarProductIsExact(@ForAll("quadruples") List<Point> points) {
    Point a = points.get(0);
    Point b = points.get(1);
    Point c = points.get(2);
    Point d = points.get(3);
    int expected =
        exact(b.x())
            .subtract(exact(a.x()))
            .multiply(exact(d.x()).subtract(exact(c.x())))
            .add(exact(b.y()).subtract(exact(a.y())).multiply(exact(d.y()).subtract(exact(c.y()))))
            .signum();
    assertEquals(expected, scalarProduct(a, b, c, d));
    assertEquals(expected, scalarProduct(c, d, a, b));
    assertEquals(-expected, scalarProduct(b, a, c, d));
  }

  private static int scalarProduct(Point a, Point b, Point c, Point d) {
    return sign(Predicates.scalarProduct(a.x(), a.y(), b.x(), b.y(), c.x(), c.y(), d.x(), d.y()));
  }

  @Provide
  Arbitrary<List<Point>> triples() {
    return Arbitraries.oneOf(collinear(), points(coordinates()).list().ofSize(3));
  }

  @Provide
  Arbitrary<List<Point>> quadruples() {
    return Arbitraries.oneOf(
        cocircular(), nearlyCocircular(), points(coordinates()).list().ofSize(4));
  }

  /** Three points of a line, exactly or but for a few units in the last place. */
  private static Arbitrary<List<Point>> collinear() {
    Arbitrary<Point> directions = points(whole(1_000));
    Arbitrary<Point> origins = points(whole(1_000_000));
    Arbitrary<Double> steps = whole(1_000);
    return Combinators.combine(origins, directions, steps.list().ofSize(3), scales(), nudges(3))
        .as(
            (origin, direction, at, scale, nudges) ->
                nudged(
                    at.stream()
                        .map(
                            step ->
                                new Point(
                                        origin.x() + step * direction.x(),
                                        origin.y() + step * direction.y())
                                    .scaled(scale))
                        .toList(),
                    nudges));
  }

  /** Four points of a circle of radius 65, which has 36 integer points, or of nearly one. */
  private static Arbitrary<List<Point>> cocircular() {
    double[][] octant = {{65, 0}, {63, 16}, {60, 25}, {56, 33}, {52, 39}};
    Arbitrary<Point> onCircle =
        Combinators.combine(
                Arbitraries.of(octant),
                Arbitraries.of(-1.0, 1.0),
                Arbitraries.of(-1.0, 1.0),
                Arbitraries.of(false, true))
            .as(
                (p, signX, signY, swap) ->
                    swap
                        ? new Point(signX * p[1], signY * p[0])
                        : new Point(signX * p[0], signY * p[1]));
    return Combinators.combine(
            onCircle.list().ofSize(4), points(whole(500_000_000)), scales(), nudges(4))
        .as(
            (points, center, scale, nudges) ->
                nudged(
                    points.stream()
                        .map(p -> new Point(p.x() + center.x(), p.y() + center.y()).scaled(scale))
                        .toList(),
                    nudges));
  }

  /** Four points that would lie on a circle if sines were not rounded. */
  private static Arbitrary<List<Point>> nearlyCocircular() {
    Arbitrary<Double> angles = unit().map(v -> 6.28 * v);
    return Combinators.combine(angles.list().ofSize(4), points(unit()), unit(), scales())
        .as(
            (at, center, radius, scale) ->
                at.stream()
                    .map(
                        angle ->
                            new Point(
                                    center.x() + radius * Math.cos(angle),
                                    center.y() + radius * Math.sin(angle))
                                .scaled(scale))
                    .toList());
  }

  private static Arbitrary<Point> points(Arbitrary<Double> coordinates) {
    return Combinators.combine(coordinates, coordinates).as(Point::new);
  }

  /** Small integers, where points coincide and determinants vanish, or anything in range. */
  private static Arbitrary<Double> coordinates() {
    Arbitrary<Double> anyMagnitude =
        Combinators.combine(
                unit(), Arbitraries.integers().between(-204, 249), Arbitraries.of(-1.0, 1.0))
            .as((fraction, exponent, sign) -> sign * Math.scalb(1 + fraction / 2, exponent));
    return Arbitraries.oneOf(whole(5), whole(5), unit().map(v -> 1e16 * v), anyMagnitude);
  }

  /** In [0, 1), with up to 53 bits; of magnitude 2^-53 at least, or 0. */
  private static Arbitrary<Double> unit() {
    return Arbitraries.longs()
        .between(0, (1L << 53) - 1)
        .withDistribution(RandomDistribution.uniform())
        .map(bits -> bits * 0x1p-53);
  }

  private static Arbitrary<Double> whole(int bound) {
    return Arbitraries.integers().between(-bound, bound).map(Integer::doubleValue);
  }

  private static Arbitrary<Double> scales() {
    return Arbitraries.of(1.0, 0x1p24, 0x1p-40, 0x1p180, 0x1p-190);
  }

  private static Arbitrary<List<Integer>> nudges(int size) {
    return Arbitraries.frequency(Tuple.of(2, 0), Tuple.of(1, 1), Tuple.of(1, -1), Tuple.of(1, 2))
        .list()
        .ofSize(size);
  }

  /** Moves the coordinates by so many units in the last place; a 0 by about the range's least. */
  private static List<Point> nudged(List<Point> points, List<Integer> nudges) {
    return IntStream.range(0, points.size())
        .mapToObj(
            i -> {
              Point p = points.get(i);
              int places = nudges.get(i);
              double x = p.x() == 0 ? places * 0x1p-204 : p.x() + places * Math.ulp(p.x());
              return new Point(x, p.y());
            })
        .toList();
  }

  private static int orient2d(Point a, Point b, Point c) {
    return sign(Predicates.orient2d(a.x(), a.y(), b.x(), b.y(), c.x(), c.y()));
  }

  private static int inCircle(Point a, Point b, Point c, Point d) {
    return sign(Predicates.inCircle(a.x(), a.y(), b.x(), b.y(), c.x(), c.y(), d.x(), d.y()));
  }

  private static int sign(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
  }

  private static BigDecimal exact(double value) {
    return new BigDecimal(value);
  }

  private static int orientation(Point a, Point b, Point c) {
    return twiceArea(a, b, c).signum();
  }

  private static BigDecimal twiceArea(Point a, Point b, Point c) {
    return exact(a.x())
        .multiply(exact(b.y()).subtract(exact(c.y())))
        .add(exact(b.x()).multiply(exact(c.y()).subtract(exact(a.y()))))
        .add(exact(c.x()).multiply(exact(a.y()).subtract(exact(b.y()))));
  }

  /** By the determinant of rows (x, y, x^2 + y^2, 1), expanded along its third column. */
  private static int side(Point a, Point b, Point c, Point d) {
    return squaredNorm(a)
        .multiply(twiceArea(b, c, d))
        .subtract(squaredNorm(b).multiply(twiceArea(a, c, d)))
        .add(squaredNorm(c).multiply(twiceArea(a, b, d)))
        .subtract(squaredNorm(d).multiply(twiceArea(a, b, c)))
        .signum();
  }

  private static BigDecimal squaredNorm(Point p) {
    return exact(p.x()).pow(2).add(exact(p.y()).pow(2));
  }
}
