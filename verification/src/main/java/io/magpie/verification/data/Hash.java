package io.magpie.verification.data;

/** Spreads numbers that are close to each other. */
final class Hash {
  /** 2<sup>64</sup> over the golden ratio. */
  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  private Hash() {}

  /** All bits of it depend on those of the key, the low ones too. */
  static int of(long key) {
    long product = key * FACTOR;
    return (int) (product >>> 32 ^ product >>> 52);
  }
}
