// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.simd;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Provides the {@code VectorSpecies} (shape of vectors) of each width. A kernel class requests its
 * species once.
 */
public final class SimdSpecies {
  private SimdSpecies() {}

  /** Returns the preferred vector width of this CPU in bits. */
  static int widestBits() {
    return FloatVector.SPECIES_PREFERRED.vectorBitSize();
  }

  /**
   * Returns the width in bits of the vectors of a kernel class: the width for which {@link
   * Specialized} created it, or else the CPU's preferred width.
   */
  public static int bits(MethodHandles.Lookup kernel) {
    try {
      Integer bits = MethodHandles.classData(kernel, "_", Integer.class);
      return bits == null ? widestBits() : bits;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  public static VectorSpecies<Float> floats(int bits) {
    return VectorSpecies.of(float.class, VectorShape.forBitSize(bits));
  }

  public static VectorSpecies<Byte> bytes(int bits) {
    return VectorSpecies.of(byte.class, VectorShape.forBitSize(bits));
  }

  public static VectorSpecies<Long> longs(int bits) {
    return VectorSpecies.of(long.class, VectorShape.forBitSize(bits));
  }

  public static VectorSpecies<Integer> ints(int bits) {
    return VectorSpecies.of(int.class, VectorShape.forBitSize(bits));
  }
}
