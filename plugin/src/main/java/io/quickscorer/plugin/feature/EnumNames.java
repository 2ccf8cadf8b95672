// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Names of enum constants in lower case, as JSON and the wire format use them. */
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

  public static void write(StreamOutput out, Enum<?> constant) throws IOException {
    out.writeString(of(constant));
  }

  public static <E extends Enum<E>> E read(StreamInput in, Class<E> type) throws IOException {
    String name = in.readString();
    E constant = find(type, name);
    if (constant == null) {
      throw new IOException("unknown " + type.getSimpleName() + " [" + name + "]");
    }
    return constant;
  }
}
