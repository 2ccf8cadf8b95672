// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A list of names that consist of a prefix and consecutive numbers. Each access creates a name.
 * Stored names would need much memory if a small file claims to have a million features. Immutable.
 */
public final class NumberedNames extends AbstractList<String> implements RandomAccess {
  private final String prefix;
  private final int first;
  private final int count;

  /**
   * Creates a list of names.
   *
   * @param prefix the prefix of all names
   * @param first the number in the first name
   * @param count the number of names, 0 or more
   */
  public NumberedNames(String prefix, int first, int count) {
    this.prefix = prefix;
    this.first = first;
    this.count = count;
  }

  /** Returns the names {@code f0, f1, ...} of features without names, as XGBoost does. */
  public static List<String> indexed(int count) {
    return new NumberedNames("f", 0, count);
  }

  @Override
  public String get(int index) {
    return prefix + (first + Objects.checkIndex(index, count));
  }

  @Override
  public int size() {
    return count;
  }
}
