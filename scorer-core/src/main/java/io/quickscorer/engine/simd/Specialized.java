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
 * Makes one copy of a kernel class per vector width.
 *
 * <p>The JIT turns vector operations into instructions only where the species is a constant, and a
 * species is a constant only when it is a static final field. A kernel is therefore written once,
 * for any lane count, and loaded as a hidden class for each width; the width is its class data,
 * from which {@link SimdSpecies#bits} sets its constants. The copies are compiled apart, so no
 * width spoils another's profile.
 *
 * <p>No kernel passes a vector or a mask to another method of this library, nor gets one from it.
 * The JIT stops inlining into a method at a limit ("NodeCountInliningCutoff"): calls beyond it must
 * not need boxes. The operations of the vector module itself are always inlined.
 *
 * <p>Nor does a kernel call vector methods that the vector module implements for all widths in one
 * place, such as {@code and}, {@code not} or operations with a scalar, if the JIT cannot determine
 * the vector's class when it parses the kernel: there the module dispatches on the vector, by
 * virtual calls whose profile is that of all widths in use, and where it names two classes, both
 * are compiled and their results boxed. Operations by {@code lanewise} with a vector are virtual in
 * the kernel's own code, with a profile of its own, and their results' class is known; elsewhere a
 * cast determines it.
 *
 * <p>And a kernel casts each vector that a loop carries from one round to the next to the class of
 * its species, before any other use. The JIT has that class from the profile only, and it may not
 * trust the profile: where the vector module's shared methods were compiled for one width and then
 * met others, they remember a few failed class checks each, and a kernel that inlines many of them
 * has, in sum, more than one method may have ("PerMethodTrapLimit"). From there on, every call on
 * such a vector keeps a path for other classes, which needs boxes. AllocationTest also runs with a
 * fifth of that limit, where this happens at once.
 */
public final class Specialized {
  private Specialized() {}

  /**
   * Returns a copy of {@code kernel} for each width that this JVM has. Classes that use a kernel
   * keep one such map for all ensembles, so that they share compiled code.
   *
   * @param lookup of a class in the kernel's package: the copies belong to it
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
   * Returns an instance of a copy of {@code kernel}, created with its constructor without
   * arguments.
   *
   * @param type the interface by which the copy is used
   */
  private static <T> T forWidth(
      MethodHandles.Lookup lookup, Class<? extends T> kernel, Class<T> type, int bits) {
    String file = kernel.getSimpleName() + ".class";
    try (InputStream in = kernel.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not next to its package");
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
