// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table with the names of its columns in the first line. Fields are separated by tabs if
 * the first line contains a tab, otherwise by commas; they may be quoted. An empty field is a
 * missing value. Columns that are not features of the model are skipped; every feature that a split
 * tests must have a column. If no column has a feature's name, column i is feature i.
 */
final class TableRows implements Rows {
  private final BufferedReader reader;
  private final char separator;
  private final int[] featureOf;
  private final float[] row;
  private final CategoryFields categories;

  private final boolean boundByPosition;
  private long line = 1;

  TableRows(BufferedReader reader, TreeEnsemble ensemble, CategoryFields categories)
      throws IOException, Failure {
    this.reader = reader;
    String header = String.valueOf(reader.readLine());
    this.separator = header.indexOf('\t') >= 0 ? '\t' : ',';
    List<String> names = DataFile.cells(header, separator, true);
    int[] named = namedFeatures(names, ensemble);
    this.boundByPosition = named.length == 0;
    if (boundByPosition && areValues(names)) {
      throw Failure.data(1, "found values, expected a header with the columns' names");
    }
    this.featureOf = boundByPosition ? byPosition(names.size(), ensemble) : named;
    this.row = new float[ensemble.featureNames().size()];
    this.categories = categories;
  }

  /**
   * Returns, for each column, the index of the feature that the column contains, or -1 for none.
   * Returns an empty array if no column has the name of a feature.
   */
  private static int[] namedFeatures(List<String> columns, TreeEnsemble ensemble) throws Failure {
    Map<String, Integer> features = new HashMap<>();
    for (String name : ensemble.featureNames()) {
      features.put(name, features.size());
    }
    int[] featureOf = new int[columns.size()];
    BitSet given = new BitSet();
    for (int column = 0; column < featureOf.length; column++) {
      String name = columns.get(column);
      featureOf[column] = features.getOrDefault(name, features.getOrDefault(name.strip(), -1));
      if (featureOf[column] >= 0) {
        if (given.get(featureOf[column])) {
          throw Failure.data(1, "column " + (column + 1) + ": another column has the same name");
        }
        given.set(featureOf[column]);
      }
    }
    if (given.isEmpty() && !features.isEmpty()) {
      return new int[0];
    }
    for (int f = 0; f < features.size(); f++) {
      if (ensemble.uses(f) && !given.get(f)) {
        throw Failure.data(
            1, "no column for the model's feature " + ensemble.featureNames().get(f));
      }
    }
    return featureOf;
  }

  /** Returns whether all fields of the table's first line are numbers or empty. */
  private static boolean areValues(List<String> fields) {
    for (String field : fields) {
      try {
        Values.parse(field, 1);
      } catch (Failure e) {
        return false;
      }
    }
    return true;
  }

  /** Returns, for each column, the index of its feature: column i contains feature i. */
  private static int[] byPosition(int columns, TreeEnsemble ensemble) throws Failure {
    int features = ensemble.featureNames().size();
    if (columns != features) {
      throw Failure.data(
          1,
          "no column has the name of one of the model's features, such as "
              + ensemble.featureNames().get(0)
              + ". Without names, the columns are the features by position: found "
              + columns
              + " columns, expected "
              + features);
    }
    int[] featureOf = new int[columns];
    Arrays.setAll(featureOf, column -> column);
    return featureOf;
  }

  /** Returns whether column i contains feature i, because no column has a feature's name. */
  boolean boundByPosition() {
    return boundByPosition;
  }

  @Override
  public float @Nullable [] next() throws IOException, Failure {
    String text;
    do {
      text = reader.readLine();
      line++;
    } while (text != null && text.isEmpty() && featureOf.length > 1);
    if (text == null) {
      return null;
    }
    List<String> fields = DataFile.cells(text, separator, true);
    if (fields.size() != featureOf.length) {
      throw Failure.data(line, fields.size() + " fields, expected " + featureOf.length);
    }
    Arrays.fill(row, Float.NaN);
    for (int column = 0; column < featureOf.length; column++) {
      if (featureOf[column] >= 0) {
        row[featureOf[column]] = categories.value(featureOf[column], fields.get(column), line);
      }
    }
    return row;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
