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
 * <p>The JIT compiles vector operations to vector instructions only if the species is a constant,
 * that is, a static final field. A kernel is therefore written once, for any number of lanes, and
 * loaded as a hidden class for each width. The class data contains the width, and the kernel's
 * constants are set from it by {@link SimdSpecies#bits}. The JIT compiles each copy separately,
 * with the profile of one width only.
 *
 * <p>Kernels follow three rules, so that the JIT needs no boxes, that is, no vector objects on the
 * heap.
 *
 * <p>First, no kernel passes a vector or a mask to another method of this library, or receives one
 * from it. The JIT stops inlining into a method at a limit ("NodeCountInliningCutoff"), and a call
 * that is not inlined needs boxes. The operations of the vector module itself are always inlined.
 *
 * <p>Second, some vector methods have one implementation for all widths, such as {@code and},
 * {@code not} and operations with a scalar. A kernel calls these only if the JIT knows the vector's
 * class when it parses the kernel. Otherwise, the calls within the vector module are virtual and
 * share one profile of all widths; if this profile has two classes, the JIT compiles both and boxes
 * the results. Calls of {@code lanewise} with a vector are virtual in the kernel's own code, have
 * their own profile, and return a known class; in other places, a cast gives the JIT the class.
 *
 * <p>Third, if a loop keeps a vector from one iteration to the next, the kernel casts the vector to
 * the class of its species before any other use. Without the cast, the JIT knows this class from
 * the profile only, which it may not trust. The vector module's shared methods are compiled for one
 * width first; when they are then called with other widths, each records a few failed class checks.
 * A kernel that inlines many of these methods has, in sum, more failed checks than one method may
 * have ("PerMethodTrapLimit"). From then on, every call on such a vector keeps a path for other
 * classes, which needs boxes. AllocationTest also runs with a fifth of this limit, which has this
 * effect at once.
 */
public final class Specialized {
  private Specialized() {}

  /**
   * Creates a copy of the class {@code kernel} for each usable vector width, and returns an
   * instance of each copy, by the width in bits. A class that uses a kernel keeps one such map for
   * all ensembles, so that ensembles share compiled code.
   *
   * @param lookup a lookup of a class in the kernel's package, in which the copies are defined
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

  /**
   * Creates a copy of the class {@code kernel}, and returns an instance of it, created with the
   * constructor without arguments.
   *
   * @param type the interface by which the copy is used
   */
  private static <T> T forWidth(
      MethodHandles.Lookup lookup, Class<? extends T> kernel, Class<T> type, int bits) {
    String file = kernel.getSimpleName() + ".class";
    try (InputStream in = kernel.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(
            "the file " + file + " is missing in the package of its class");
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
