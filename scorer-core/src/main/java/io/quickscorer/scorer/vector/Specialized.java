package io.quickscorer.scorer.vector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/**
 * Makes one copy of a kernel class per vector width.
 *
 * <p>The JIT turns vector operations into instructions only where the species is a constant, and a
 * species is a constant only when it is a static final field. A kernel is therefore written once,
 * for any lane count, and loaded as a hidden class for each width; the width is its class data,
 * from which {@link Species#bits} sets its constants. The copies are compiled apart, so no width
 * spoils another's profile.
 */
final class Specialized {
  private Specialized() {}

  /**
   * An instance of a copy of {@code kernel}, made by its constructor without arguments.
   *
   * @param type the interface by which the copy is used
   */
  static <T> T forWidth(Class<? extends T> kernel, Class<T> type, int bits) {
    String file = kernel.getSimpleName() + ".class";
    try (InputStream in = kernel.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is not beside its package");
      }
      Class<?> copy =
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(in.readAllBytes(), bits, true)
              .lookupClass();
      return type.cast(copy.getDeclaredConstructor().newInstance());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
