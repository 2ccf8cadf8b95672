// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names of enum constants in lower case, as JSON uses them. */
public final class EnumNames {
  private EnumNames() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the constant with a name, or null if no constant has this name. */
  public static <E extends Enum<E>> @Nullable E find(Class<E> type, @Nullable Object name) {
    for (E constant : type.getEnumConstants()) {
      if (of(constant).equals(name)) {
        return constant;
      }
    }
    return null;
  }

  /** Returns the names of all constants of an enum, for messages. */
  public static String all(Class<? extends Enum<?>> type) {
    return Stream.of(type.getEnumConstants()).map(EnumNames::of).collect(Collectors.joining(", "));
  }

  /**
   * Returns the constant with a name.
   *
   * @param what the name of the JSON field that contains {@code name}, for the message
   * @throws IllegalArgumentException (400) if no constant has this name
   */
  public static <E extends Enum<E>> E get(Class<E> type, String what, String name) {
    E constant = find(type, name);
    if (constant == null) {
      throw new IllegalArgumentException(
          what + " must be one of " + all(type) + ", not [" + name + "]");
    }
    return constant;
  }
}
