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

  /** A {@code half_float} tells numbers apart by at most 8 decimals. */
  private static final double[] POWERS = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

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
    return this == HALF ? halfFloat(list, value) : scaledFloat(list, value);
  }

  private static int floatOrDouble(CategoryList list, double value) {
    int code = list.code((double) (float) value);
    return code == CategoryList.NONE && value == (float) value
        ? list.code(Double.parseDouble(Float.toString((float) value)))
        : code;
  }

  /** Finds the decimal number with the fewest digits that the field rounds to the value. */
  private static int halfFloat(CategoryList list, double value) {
    for (double power : POWERS) {
      double decimal = Math.rint(value * power) / power;
      short stored = HalfFloatPoint.halfFloatToSortableShort((float) decimal);
      int code = list.code(decimal);
      if (code != CategoryList.NONE && HalfFloatPoint.sortableShortToHalfFloat(stored) == value) {
        return code;
      }
    }
    return CategoryList.NONE;
  }

  /** Finds a number that differs from the value only by the rounding of one multiplication. */
  private static int scaledFloat(CategoryList list, double value) {
    int code = list.code(Math.nextUp(value));
    return code == CategoryList.NONE ? list.code(Math.nextDown(value)) : code;
  }
}
