package io.magpie.algorithms.nbody;

import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** Numbers on a device, of one precision or the other, as doubles in Java. */
final class Reals {
  private final Device device;
  private final boolean single;

  Reals(Device device, Precision precision) {
    this.device = device;
    this.single = precision == Precision.FLOAT;
  }

  /** The name of a kernel or of a constant for these numbers. */
  String kernel(String name) {
    return name + (single ? "_float" : "_double");
  }

  /** A new array of zeros. */
  DeviceArray<?> zeros(long length) {
    return single ? device.floats(length) : device.doubles(length);
  }

  /**
   * A copy of numbers, rounded if need be.
   *
   * @throws DivergedException if one is beyond the precision's range
   */
  DeviceArray<?> copyOf(String what, double[] values) {
    if (!single) {
      return device.copyOf(values);
    }
    float[] rounded = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      rounded[i] = (float) values[i];
      if (Float.isInfinite(rounded[i])) {
        throw new DivergedException(
            what
                + " "
                + values[i]
                + " is beyond the range of precision=float; use precision=double");
      }
    }
    return device.copyOf(rounded);
  }

  /** The numbers of an array that was made here. */
  double[] read(DeviceArray<?> array) {
    Object values = array.toArray();
    if (values instanceof double[] doubles) {
      return doubles;
    }
    float[] floats = (float[]) values;
    double[] wide = new double[floats.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = floats[i];
    }
    return wide;
  }

  /** Sets a scalar of the kernels' type. */
  void set(Fields fields, String name, double value) {
    if (single) {
      fields.set(name, (float) value);
    } else {
      fields.set(name, value);
    }
  }
}
