// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A format of training files. Each format has a file of rows; some have further files, for example
 * with the names of the columns.
 */
public enum TrainerFormat {
  /**
   * A table of rows, for LightGBM. The file {@code .query} contains the number of rows of each
   * query, {@code .conf} the parameters.
   */
  LIGHTGBM("csv", ".query", ".conf", true),
  /**
   * Rows without zeros (sparse), for XGBoost. The file {@code .group} contains the number of rows
   * of each query, {@code .fmap} the names of the features.
   */
  XGBOOST("txt", ".group", ".fmap", true),
  /**
   * A table without a header, for CatBoost. The file {@code .cd} describes the columns, for example
   * which one contains the query.
   */
  CATBOOST("dsv", null, ".cd", false),
  /**
   * Rows with all features, for RankLib. Comments at the beginning of the file contain the feature
   * names.
   */
  RANKLIB("txt", null, null, true),
  /** A table with the feature names in its header. */
  CSV("csv", null, null, false),
  /** A JSON object with the feature names, then one JSON object per row. */
  NDJSON("ndjson", null, null, false);

  private final String extension;
  private final @Nullable String sizes;
  private final @Nullable String columns;
  private final boolean numbered;

  TrainerFormat(
      String extension, @Nullable String sizes, @Nullable String columns, boolean numbered) {
    this.extension = extension;
    this.sizes = sizes;
    this.columns = columns;
    this.numbered = numbered;
  }

  /** Returns the format's name in requests to the plugin's {@code _log} endpoint, in lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the default extension of the data file, without the dot. */
  public String extension() {
    return extension;
  }

  /**
   * Returns the number of lines before the first row in a file.
   *
   * @param features the number of features
   */
  public int headerLines(int features) {
    return switch (this) {
      case LIGHTGBM, CSV, NDJSON -> 1;
      case XGBOOST, CATBOOST -> 0;
      case RANKLIB -> features;
    };
  }

  /** Returns the suffix of the file with the number of rows per query; null if there is none. */
  public @Nullable String sizes() {
    return sizes;
  }

  /** Returns the suffix of the file that describes the columns; null if there is no such file. */
  public @Nullable String columns() {
    return columns;
  }

  /** Returns whether the format requires ascending numbers as ids of queries. */
  public boolean isNumbered() {
    return numbered;
  }

  /**
   * Returns the number of rows of each query.
   *
   * @param rows the lines of a file without its header; the second field of each line is the query
   */
  public static List<Integer> sizes(List<String> rows) {
    List<Integer> sizes = new ArrayList<>();
    String last = "";
    for (String row : rows) {
      String query = row.split("[ ,]", 3)[1];
      if (query.equals(last)) {
        sizes.add(sizes.removeLast() + 1);
      } else {
        sizes.add(1);
      }
      last = query;
    }
    return sizes;
  }
}
