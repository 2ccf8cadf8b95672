// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.order;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Doc ids as the set that the server wants, without an object for each. Immutable. */
public final class DocSet extends AbstractSet<Integer> {
  private final int[] docs;

  /**
   * @param docs ascending; kept
   */
  public DocSet(int[] docs) {
    this.docs = docs;
  }

  @Override
  public boolean contains(@Nullable Object doc) {
    return doc instanceof Integer id && Arrays.binarySearch(docs, id) >= 0;
  }

  @Override
  public Iterator<Integer> iterator() {
    return Arrays.stream(docs).iterator();
  }

  @Override
  public int size() {
    return docs.length;
  }
}
