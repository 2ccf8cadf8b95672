// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import org.apache.lucene.search.DoubleValues;
import org.jspecify.annotations.Nullable;

/**
 * The value of an expression's variable: one number for all documents, or a column of floats or
 * doubles with one value per document.
 */
public final class InputColumn extends DoubleValues {
  private final float @Nullable [] floats;
  private final double @Nullable [] doubles;
  private final int start;
  private double value;

  private InputColumn(float @Nullable [] floats, double @Nullable [] doubles, int start) {
    this.floats = floats;
    this.doubles = doubles;
    this.start = start;
  }

  public InputColumn(double value) {
    this(null, null, 0);
    this.value = value;
  }

  public InputColumn(Column column) {
    this(column.values(), null, column.start());
  }

  public InputColumn(double[] doubles) {
    this(null, doubles, 0);
  }

  /**
   * Selects the document whose value {@link #doubleValue} returns next.
   *
   * @param place the document's index in the window
   */
  public void moveTo(int place) {
    if (floats != null) {
      value = floats[start + place];
    } else if (doubles != null) {
      value = doubles[place];
    }
  }

  @Override
  public double doubleValue() {
    return value;
  }

  @Override
  public boolean advanceExact(int doc) {
    throw new UnsupportedOperationException(
        "advanceExact is not supported; call moveTo with the document's index in the window");
  }
}
