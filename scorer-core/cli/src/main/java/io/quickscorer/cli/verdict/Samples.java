// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a data file as doubles, of which a model's floats are made: SVMlight lines, or a table
 * without a header, separated by tabs, commas or blanks.
 */
final class Samples {
  private static final int MAX_ROWS = 200_000;

  /** Of the matrix of all rows. */
  private static final long MAX_CELLS = Integer.MAX_VALUE - 8;

  /** The ids and values of a row; a table's ids are its columns. */
  private record Row(int[] ids, double[] values) {}

  private final List<Row> rows;
  private final boolean sparse;
  private final int smallest;
  private final int largest;

  private Samples(List<Row> rows, boolean sparse) {
    this.rows = rows;
    this.sparse = sparse;
    int min = Integer.MAX_VALUE;
    int max = -1;
    for (Row row : rows) {
      for (int id : row.ids) {
        min = Math.min(min, id);
        max = Math.max(max, id);
      }
    }
    this.smallest = min;
    this.largest = max;
  }

  /** The rows of a file; null if it holds something else. */
  static @Nullable Samples read(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    boolean sparse = false;
    try (BufferedReader reader = DataFile.reader(file)) {
      String line;
      while ((line = reader.readLine()) != null) {
        int comment = line.indexOf('#');
        String text = comment < 0 ? line : line.substring(0, comment);
        if (!text.isBlank()) {
          sparse |= rows.isEmpty() && text.indexOf(':') >= 0;
          Row row = sparse ? sparse(text) : dense(text);
          boolean ragged =
              row != null && !sparse && !rows.isEmpty() && row.ids.length != width(rows);
          if (row == null || ragged || rows.size() == MAX_ROWS) {
            return null;
          }
          rows.add(row);
        }
      }
    }
    return rows.isEmpty() ? null : new Samples(rows, sparse);
  }

  private static int width(List<Row> rows) {
    return rows.getFirst().ids.length;
  }

  private static @Nullable Row sparse(String text) {
    StringTokenizer words = new StringTokenizer(text);
    int count = words.countTokens();
    int[] ids = new int[count];
    double[] values = new double[count];
    int size = 0;
    for (int i = 0; i < count; i++) {
      String word = words.nextToken();
      int colon = word.indexOf(':');
      if (colon > 0 && !word.startsWith("qid:")) {
        try {
          ids[size] = Integer.parseInt(word.substring(0, colon));
          values[size++] = number(word.substring(colon + 1));
        } catch (NumberFormatException e) {
          return null;
        }
      } else if (i > 0 && colon < 0) {
        return null;
      }
    }
    return new Row(Arrays.copyOf(ids, size), Arrays.copyOf(values, size));
  }

  private static @Nullable Row dense(String text) {
    String[] fields = text.strip().split(text.indexOf('\t') >= 0 ? "\t" : "[, ]", -1);
    double[] values = new double[fields.length];
    try {
      for (int i = 0; i < fields.length; i++) {
        values[i] = number(fields[i].strip());
      }
    } catch (NumberFormatException e) {
      return null;
    }
    int[] ids = new int[fields.length];
    Arrays.setAll(ids, i -> i);
    return new Row(ids, values);
  }

  private static double number(String text) {
    if (text.isEmpty() || text.equalsIgnoreCase("nan") || text.equalsIgnoreCase("na")) {
      return Double.NaN;
    }
    return Double.parseDouble(text);
  }

  int rows() {
    return rows.size();
  }

  /** What the model's first feature may be numbered here; empty if the rows do not fit it. */
  List<Integer> firstFeatures(TreeEnsemble ensemble) {
    int features = ensemble.featureNames().size();
    List<Integer> fits = new ArrayList<>();
    if (FeatureMatrix.cells(features, rows.size()) > MAX_CELLS) {
      return fits;
    }
    if (!sparse) {
      // A column more than features is a label in the first.
      if (largest + 1 == features || largest == features) {
        fits.add(largest + 1 - features);
      }
      return fits;
    }
    if (smallest == Integer.MAX_VALUE || largest < features) {
      fits.add(0);
    }
    if (smallest >= 1 && largest <= features) {
      fits.add(1);
    }
    return fits;
  }

  /** Whether rows leave features out. */
  boolean sparse() {
    return sparse;
  }

  /**
   * @param first the id of the model's first feature
   * @param absent the value of a feature that a row leaves out
   */
  FeatureMatrix matrix(TreeEnsemble ensemble, int first, float absent) {
    int features = ensemble.featureNames().size();
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      for (int f = 0; sparse && f < features; f++) {
        matrix.set(row, f, absent);
      }
      Row values = rows.get(row);
      for (int i = 0; i < values.ids.length; i++) {
        int feature = values.ids[i] - first;
        if (feature >= 0 && feature < features) {
          matrix.set(row, feature, (float) values.values[i]);
        }
      }
    }
    return matrix;
  }

  /**
   * The rows in which a value lies between a threshold and the next float. A trainer that compares
   * doubles may tell it from the threshold; in floats it is one or the other.
   */
  boolean[] undecided(TreeEnsemble ensemble, int first) {
    boolean[] undecided = new boolean[rows.size()];
    if (ensemble.accumulator() == Accumulator.FLOAT) {
      return undecided;
    }
    float[][] thresholds = thresholds(ensemble);
    for (int row = 0; row < undecided.length; row++) {
      Row values = rows.get(row);
      for (int i = 0; i < values.ids.length; i++) {
        int feature = values.ids[i] - first;
        if (feature >= 0 && feature < thresholds.length) {
          double value = values.values[i];
          float below = (float) value;
          below = below > value ? Math.nextDown(below) : below;
          undecided[row] |= below != value && Arrays.binarySearch(thresholds[feature], below) >= 0;
        }
      }
    }
    return undecided;
  }

  private static float[][] thresholds(TreeEnsemble ensemble) {
    List<List<Float>> lists = new ArrayList<>();
    ensemble.columnNames().forEach(name -> lists.add(new ArrayList<>()));
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        if (tree.categories(split) == null) {
          lists.get(tree.feature(split)).add(tree.threshold(split));
        }
      }
    }
    float[][] thresholds = new float[lists.size()][];
    for (int f = 0; f < thresholds.length; f++) {
      thresholds[f] = new float[lists.get(f).size()];
      for (int i = 0; i < thresholds[f].length; i++) {
        thresholds[f][i] = lists.get(f).get(i);
      }
      Arrays.sort(thresholds[f]);
    }
    return thresholds;
  }
}
