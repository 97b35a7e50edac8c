package io.magpie.algorithms.mesh.verify;

/** A sum of doubles whose error does not grow with their number (Neumaier 1974). */
final class CompensatedSum {
  private double sum;
  private double compensation;

  void add(double value) {
    double next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }

  void add(CompensatedSum other) {
    add(other.sum);
    add(other.compensation);
  }

  double value() {
    return sum + compensation;
  }
}
