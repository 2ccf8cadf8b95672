// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.simd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Creates one copy of a kernel class for each vector width.
 *
 * <p>The JIT compiles vector operations to vector instructions only if the species (the shape of
 * the vectors) is a static final field. A kernel is therefore written once, for any number of
 * lanes, and loaded as a hidden class for each width. {@link SimdSpecies#bits} returns the width of
 * a copy. The JIT compiles each copy separately, with the profile of one width.
 *
 * <p>Kernels follow three rules, so that the JIT needs no boxes, that is, no vector objects on the
 * heap.
 *
 * <p>First, no kernel passes a vector or a mask to another method of this library, or gets one from
 * it. The JIT stops inlining into a method at a limit ("NodeCountInliningCutoff"), and a call that
 * is not inlined needs boxes. It always inlines the operations of the vector module.
 *
 * <p>Second, some vector methods have one implementation for all widths, such as {@code and},
 * {@code not} and operations with a scalar. A kernel calls these only if the JIT knows the vector's
 * class when it parses the kernel. Otherwise, virtual calls in the vector module share one profile
 * of all widths, and a profile with two classes needs boxes. Calls of {@code lanewise} with a
 * vector are in the kernel's own code, and return a known class; in other places, a cast gives the
 * JIT the class.
 *
 * <p>Third, if a loop keeps a vector for the next iteration, the kernel first casts it to the class
 * of its species. Without the cast, the JIT knows this class from the profile only. The vector
 * module's shared methods are compiled for one width first, and other widths then record failed
 * class checks. A kernel that inlines many such methods exceeds the JIT's limit of failed checks
 * ("PerMethodTrapLimit"). From then on, every call on such a vector keeps a path for other classes,
 * which needs boxes. AllocationTest also runs with a fifth of this limit, so that it finds such
 * boxes at once.
 */
public final class Specialized {
  private Specialized() {}

  /**
   * Creates a copy of the class {@code kernel} for each usable vector width. Returns an instance of
   * each copy, by the width in bits. Keep the map for all ensembles, so that they share code.
   *
   * @param lookup a lookup of a class in the kernel's package; this package also contains the
   *     copies
   * @param type the interface by which the copies are used
   */
  public static <T> SortedMap<Integer, T> forWidths(
      MethodHandles.Lookup lookup, Class<? extends T> kernel, Class<T> type) {
    SortedMap<Integer, T> kernels = new TreeMap<>();
    for (int bits : VectorSupport.widths()) {
      kernels.put(bits, forWidth(lookup, kernel, type, bits));
    }
    return kernels;
  }

  private static <T> T forWidth(
      MethodHandles.Lookup lookup, Class<? extends T> kernel, Class<T> type, int bits) {
    String file = kernel.getSimpleName() + ".class";
    try (InputStream in = kernel.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(
            "the file " + file + " of class " + kernel.getName() + " is missing on the class path");
      }
      MethodHandles.Lookup copy =
          lookup.defineHiddenClassWithClassData(in.readAllBytes(), bits, true);
      MethodHandle constructor =
          copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class));
      return type.cast(constructor.invoke());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
