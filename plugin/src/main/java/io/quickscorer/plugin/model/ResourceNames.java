// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import org.jspecify.annotations.Nullable;

/** Checks the names of models, feature sets and aliases. */
public final class ResourceNames {
  /** Maximum length of a name, in characters. */
  public static final int MAX_LENGTH = 128;

  private ResourceNames() {}

  /**
   * Checks and returns a name: 1 to 128 of {@code a-z 0-9 _ - .}, the first one a letter or digit,
   * without two dots in a row.
   *
   * @param what the kind of resource, for the message
   * @throws IllegalArgumentException (400) if the name is not allowed; the message does not contain
   *     it
   */
  public static String check(String what, String name) {
    String wrong = wrong(name);
    if (wrong != null) {
      throw new IllegalArgumentException(what + ": " + wrong);
    }
    return name;
  }

  /** Returns whether a name of a model, feature set or alias is allowed. */
  public static boolean isValid(String name) {
    return wrong(name) == null;
  }

  private static @Nullable String wrong(String name) {
    String wrong = null;
    if (name.isEmpty()) {
      wrong = "the name is empty";
    } else if (name.length() > MAX_LENGTH) {
      wrong = "the name has " + name.length() + " characters, at most " + MAX_LENGTH + " allowed";
    } else if (name.contains("..")) {
      wrong = "the name has two dots in a row";
    } else {
      for (int i = 0; i < name.length() && wrong == null; i++) {
        if (!allowed(name.charAt(i), i == 0)) {
          wrong =
              "character "
                  + (i + 1)
                  + " of the name: expected one of a-z 0-9"
                  + (i == 0 ? "" : " _ - .");
        }
      }
    }
    return wrong;
  }

  private static boolean allowed(char c, boolean first) {
    return (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || (!first && (c == '_' || c == '-' || c == '.'));
  }
}
