// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A list of names made of a prefix and consecutive numbers. Takes no memory per name, because a
 * file of a few bytes may claim a million features. Immutable.
 */
public final class NumberedNames extends AbstractList<String> implements RandomAccess {
  private final String prefix;
  private final int first;
  private final int count;

  /**
   * @param first the number of the first name
   * @param count how many there are, 0 or more
   */
  public NumberedNames(String prefix, int first, int count) {
    this.prefix = prefix;
    this.first = first;
    this.count = count;
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
