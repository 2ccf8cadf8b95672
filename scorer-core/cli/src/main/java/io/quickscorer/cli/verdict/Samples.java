// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.CategoryFields;
import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Values;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelFormats;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rows of a data file. Values are doubles, and become floats when a model scores the rows. The
 * file contains SVMlight lines, or a table without a header whose fields are separated by tabs,
 * commas or blanks. With tabs or commas, an empty field is a missing value.
 */
final class Samples {
  private static final int MAX_ROWS = 200_000;

  private static final long MAX_CELLS = Integer.MAX_VALUE - 8;

  /**
   * One row of a data file.
   *
   * @param ids the ids of the row's features; in a table, the column numbers from 0
   * @param values the value of each of these features
   */
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

  /**
   * Reads the rows of a data file.
   *
   * @throws Failure if the file is not a data file
   */
  static Samples read(Path file) throws IOException, Failure {
    List<Row> rows = new ArrayList<>();
    Layout layout = null;
    long blank = 0;
    try (BufferedReader reader = DataFile.reader(file)) {
      String line;
      for (long number = 1; (line = reader.readLine()) != null; number++) {
        int comment = line.indexOf('#');
        String text = comment < 0 ? line : line.substring(0, comment);
        layout = layout == null && !text.isBlank() ? Layout.of(file) : layout;
        if (text.isEmpty() || layout == null || layout != Layout.TABS && text.isBlank()) {
          blank += line.isEmpty() ? 1 : 0;
          continue;
        }
        Row row = layout == Layout.SPARSE ? sparse(text, number) : dense(text, layout, number);
        if (layout != Layout.SPARSE && !rows.isEmpty()) {
          if (row.ids.length != width(rows)) {
            throw Failure.data(number, row.ids.length + " fields, expected " + width(rows));
          }
          // In a table with one column, an empty line is an empty field, except at the end of the
          // file.
          for (; row.ids.length == 1 && blank > 0; blank--) {
            rows.add(new Row(new int[1], new double[] {Double.NaN}));
          }
        }
        blank = 0;
        rows.add(row);
        if (rows.size() > MAX_ROWS) {
          throw Failure.data(number, "more than " + MAX_ROWS + " rows");
        }
      }
    }
    if (layout == null) {
      throw Failure.data(1, "no rows");
    }
    return new Samples(rows, layout == Layout.SPARSE);
  }

  /** The layout of the lines in a data file, which determines the separator of the fields. */
  private enum Layout {
    TABS("\t"),
    COMMAS(","),
    BLANKS("\\s+"),
    SPARSE("\\s+");

    private final Pattern separator;

    Layout(String separator) {
      this.separator = Pattern.compile(separator);
    }

    /** Detects the layout from the first line with several fields. */
    static Layout of(Path file) throws IOException {
      try (BufferedReader reader = DataFile.reader(file)) {
        String line;
        while ((line = reader.readLine()) != null) {
          int comment = line.indexOf('#');
          String text = comment < 0 ? line : line.substring(0, comment);
          if (text.indexOf(':') >= 0) {
            return SPARSE;
          }
          if (text.indexOf('\t') >= 0) {
            return TABS;
          }
          if (text.indexOf(',') >= 0) {
            return COMMAS;
          }
          if (text.strip().indexOf(' ') >= 0) {
            return BLANKS;
          }
        }
      }
      return BLANKS;
    }
  }

  private static int width(List<Row> rows) {
    return rows.getFirst().ids.length;
  }

  private static Row sparse(String text, long line) throws Failure {
    String[] words = Layout.SPARSE.separator.split(text.strip());
    int[] ids = new int[words.length];
    double[] values = new double[words.length];
    int size = 0;
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      int colon = word.indexOf(':');
      if (colon < 0 && i > 0) {
        throw Failure.data(line, "expected feature:value");
      }
      if (colon >= 0 && !word.startsWith("qid:")) {
        try {
          ids[size] = Integer.parseUnsignedInt(word, 0, colon, 10);
          values[size] = Values.number(word.substring(colon + 1));
        } catch (NumberFormatException e) {
          throw Failure.data(line, "expected feature:value");
        }
        if (ids[size++] < 0) {
          throw Failure.data(line, "expected feature:value");
        }
      }
    }
    return new Row(Arrays.copyOf(ids, size), Arrays.copyOf(values, size));
  }

  private static Row dense(String text, Layout layout, long line) throws Failure {
    String row = layout == Layout.BLANKS ? text.strip() : text;
    String[] fields = layout.separator.split(row, -1);
    double[] values = new double[fields.length];
    int[] ids = new int[fields.length];
    for (int i = 0; i < fields.length; i++) {
      try {
        ids[i] = i;
        values[i] = Values.number(fields[i]);
      } catch (NumberFormatException e) {
        throw Failure.data(line, "field " + (i + 1) + ": expected a number");
      }
    }
    return new Row(ids, values);
  }

  int rows() {
    return rows.size();
  }

  /**
   * Returns which ids (0, 1) the model's first feature may have in this file; empty if the number
   * of features does not fit the model. If both are possible, the file does not show which one is
   * right.
   */
  List<Integer> firstFeatures(TreeEnsemble ensemble) {
    int features = ensemble.featureNames().size();
    List<Integer> fits = new ArrayList<>();
    if (FeatureMatrix.cells(features, rows.size()) > MAX_CELLS) {
      return fits;
    }
    if (!sparse) {
      if (largest + 1 == features) {
        fits.add(0);
      } else if (largest == features) {
        // With one column more than the model has features, the first or the last column is a
        // label.
        fits.add(1);
        fits.add(0);
      }
      return fits;
    }
    if (smallest == Integer.MAX_VALUE || largest < features) {
      fits.add(0);
    }
    // Models of RankLib do not contain the number of features.
    boolean openEnded = ModelFormats.has(ensemble.source().format(), Trait.FEATURES_FROM_ONE);
    if (smallest >= 1 && (openEnded || largest <= features)) {
      fits.add(1);
    }
    return fits;
  }

  /** Returns whether a row can lack features, as a line of SVMlight's format can. */
  boolean sparse() {
    return sparse;
  }

  /**
   * Returns all rows as a matrix with the model's features.
   *
   * @param first the id of the model's first feature
   * @param absent the value of a feature that a row lacks
   */
  FeatureMatrix matrix(CategoryFields categories, int first, float absent) {
    int features = categories.features();
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      for (int f = 0; sparse && f < features; f++) {
        matrix.set(row, f, absent);
      }
      Row values = rows.get(row);
      for (int i = 0; i < values.ids.length; i++) {
        int feature = values.ids[i] - first;
        if (feature >= 0 && feature < features) {
          matrix.set(row, feature, categories.value(feature, values.values[i]));
        }
      }
    }
    return matrix;
  }

  /**
   * Returns, for each row, whether it may reach other leaves in the trainer than in this library,
   * because a value is nearly equal to a threshold. Such a value can change sides, because values
   * are rounded to float and thresholds in the file may be inexact.
   *
   * @param first the id of the model's first feature
   * @param error the maximum relative error of a threshold in the model's file
   */
  boolean[] undecided(TreeEnsemble ensemble, int first, double error) {
    boolean[] undecided = new boolean[rows.size()];
    if (error == 0 && ensemble.accumulator() == Accumulator.FLOAT) {
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
          undecided[row] |=
              error > 0
                  ? isNear(value, thresholds[feature], error)
                  : below != value && Arrays.binarySearch(thresholds[feature], below) >= 0;
        }
      }
    }
    return undecided;
  }

  private static boolean isNear(double value, float[] thresholds, double error) {
    int found = Arrays.binarySearch(thresholds, (float) value);
    int next = found < 0 ? -1 - found : found;
    for (int i = Math.max(0, next - 1); i < Math.min(thresholds.length, next + 1); i++) {
      if (Math.abs(value - thresholds[i]) <= Math.abs(value) * error) {
        return true;
      }
    }
    return false;
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
