package io.magpie.stm;

import io.magpie.stm.internal.SharedNumbers;

/**
 * Where arguments of several words have each of them, in bytes from the argument's beginning, as a
 * module's headers say.
 *
 * @param data of an array, its address, as all of 64 bits are that are not said to have 32
 * @param length number of elements
 * @param objects those of a module that has objects; null otherwise
 */
record ArgumentPlaces(int data, int length, OfObjects objects) {
  /**
   * Those of objects and pools.
   *
   * @param words of objects, their address
   * @param count 32 bits
   * @param policy 32 bits
   * @param slots of a pool, their address
   * @param recycled 32 bits
   * @param firstFresh 32 bits
   * @param capacity 32 bits
   */
  record OfObjects(
      int words, int count, int policy, int slots, int recycled, int firstFresh, int capacity) {}

  /**
   * Looks them up.
   *
   * @throws IllegalArgumentException if the headers lack one, or have it of another size
   */
  static ArgumentPlaces of(SharedNumbers shared) {
    return new ArgumentPlaces(
        shared.offset("array<std::byte>.data", Long.BYTES),
        shared.offset("array<std::byte>.length", Long.BYTES),
        shared.find("sizeof(objects)").isEmpty()
            ? null
            : new OfObjects(
                shared.offset("objects.words", Long.BYTES),
                shared.offset("objects.count", Integer.BYTES),
                shared.offset("objects.policy", Integer.BYTES),
                shared.offset("pool<0>.slots", Long.BYTES),
                shared.offset("pool<0>.recycled", Integer.BYTES),
                shared.offset("pool<0>.first_fresh", Integer.BYTES),
                shared.offset("pool<0>.capacity", Integer.BYTES)));
  }
}
