// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.ensemble.CategoryList;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.opensearch.index.fielddata.IndexNumericFieldData;

/** The ways in which numeric fields round the numbers that they store. */
enum Rounding {
  /** Whole numbers, which are stored exactly. */
  NONE,
  FLOAT,
  /** A {@code half_float}. */
  HALF,
  /** A {@code scaled_float}: the doc value is a multiple of the inverse of a factor. */
  SCALED;

  static Rounding of(IndexNumericFieldData field, String type) {
    return switch (field.getNumericType()) {
      case HALF_FLOAT -> HALF;
      case FLOAT, DOUBLE -> type.equals("scaled_float") ? SCALED : FLOAT;
      default -> NONE;
    };
  }

  /**
   * Returns the index of a doc value in a list of numbers, or {@link CategoryList#NONE} if the list
   * lacks the number. A decimal number such as 0.1 is also found if the field has rounded it, or if
   * it is a float in one place and a double in the other.
   */
  int code(CategoryList list, double value) {
    int code = list.code(value);
    if (code != CategoryList.NONE || this == NONE) {
      return code;
    }
    code = floatOrDouble(list, value);
    if (code != CategoryList.NONE || this == FLOAT) {
      return code;
    }
    if (this == SCALED) {
      // The field computes the doc value by one multiplication, which rounds.
      return list.code(Math.nextDown(value), Math.nextUp(value));
    }
    float stored = (float) value;
    double from = ((double) HalfFloatPoint.nextDown(stored) + stored) / 2;
    double to = ((double) HalfFloatPoint.nextUp(stored) + stored) / 2;
    return list.code(Math.nextUp(from), Math.nextDown(to));
  }

  private static int floatOrDouble(CategoryList list, double value) {
    int code = list.code((double) (float) value);
    return code == CategoryList.NONE && value == (float) value
        ? list.code(Double.parseDouble(Float.toString((float) value)))
        : code;
  }
}
