// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The current position of an {@link Input}, for messages: {@code features[12].query.bool}. */
final class Place {
  /** Maximum length of a field's name in a message, in characters. */
  static final int SHOWN = 100;

  private static final int SHOWN_LEVELS = 12;

  /**
   * One element per object or array around the position, the outermost first: the name of the
   * object's current field, or null for an array.
   */
  private @Nullable String[] names = new String[8];

  private int[] items = new int[8];
  private int depth;

  /**
   * Moves the position into an object or an array.
   *
   * @param object whether it is an object
   */
  void enter(boolean object) {
    if (depth == items.length) {
      names = Arrays.copyOf(names, 2 * depth);
      items = Arrays.copyOf(items, 2 * depth);
    }
    names[depth] = object ? "" : null;
    items[depth] = -1;
    depth++;
  }

  void leave() {
    depth--;
  }

  /** Sets the name of the current field of the innermost object. */
  void name(String name) {
    names[depth - 1] = name;
  }

  /** Moves to the next item of the innermost array, and returns the item's index, from 0. */
  int next() {
    return ++items[depth - 1];
  }

  /** Returns the position as text, for messages; empty outside of all objects and arrays. */
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
