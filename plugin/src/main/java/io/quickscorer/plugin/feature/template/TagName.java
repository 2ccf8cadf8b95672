// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import java.util.List;

/**
 * The name in a tag of a template. The length and the number of parts are limited, because they
 * determine the time of each look-up and the depth of the parameters.
 *
 * @param text the name as written
 * @param path the name split at its dots, 1 to {@value #MAX_PARTS} parts; empty for {@code .}, the
 *     current item
 */
record TagName(String text, List<String> path) {
  /** The name of the whole template, which is compiled as a section without a name. */
  static final TagName WHOLE = new TagName("", List.of());

  private static final int MAX_PARTS = 16;
  private static final int MAX_LENGTH = 256;

  /**
   * Parses the name in a tag of a template.
   *
   * @throws IllegalArgumentException if it is empty, too long, or contains characters other than
   *     letters, digits, {@code _}, {@code -} and dots
   */
  static TagName parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the tag has no name");
    }
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the name of the tag has "
              + text.length()
              + " characters, at most "
              + MAX_LENGTH
              + " allowed");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '_' && c != '-' && c != '.') {
        throw new IllegalArgumentException(
            "the name of the tag may have only letters, digits, _, - and .");
      }
    }
    if (text.equals(".")) {
      return new TagName(text, List.of());
    }
    List<String> path = List.of(text.split("\\.", -1));
    if (path.size() > MAX_PARTS) {
      throw new IllegalArgumentException(
          "the name of the tag has "
              + path.size()
              + " names separated by dots, at most "
              + MAX_PARTS
              + " allowed");
    }
    return new TagName(text, path);
  }
}
