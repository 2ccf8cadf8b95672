// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The present place of an {@link Input}, such as {@code features[12].query.bool}. */
final class Place {
  /** Most characters of a name in a message. */
  static final int SHOWN = 100;

  private static final int SHOWN_LEVELS = 12;

  /** From the outside in: a name, or null where the number of an item counts. */
  private @Nullable String[] names = new String[8];

  private int[] items = new int[8];
  private int depth;

  /** Enters an object or an array. */
  void enter(boolean object) {
    if (depth == items.length) {
      names = Arrays.copyOf(names, 2 * depth);
      items = Arrays.copyOf(items, 2 * depth);
    }
    names[depth] = object ? "" : null;
    items[depth] = -1;
    depth++;
  }

  /** Moves out of the innermost object or array. */
  void leave() {
    depth--;
  }

  /** Returns how many objects and arrays enclose this place. */
  int depth() {
    return depth;
  }

  /** Moves to a name of the innermost object. */
  void name(String name) {
    names[depth - 1] = name;
  }

  /** Returns the name in the innermost object, or null in an array. */
  @Nullable String name() {
    return names[depth - 1];
  }

  /** Moves on in the innermost object or array; returns the number of that value, from 0. */
  int next() {
    return ++items[depth - 1];
  }

  /** Returns the place for messages; empty at the root. */
  @Override
  public String toString() {
    StringBuilder place = new StringBuilder();
    for (int level = 0; level < depth; level++) {
      String name = names[level];
      if (level == SHOWN_LEVELS) {
        return place.append("…").toString();
      } else if (name == null) {
        place.append('[').append(items[level]).append(']');
      } else {
        place.append(level == 0 ? "" : ".").append(Texts.shown(name, SHOWN));
      }
    }
    return place.toString();
  }
}
