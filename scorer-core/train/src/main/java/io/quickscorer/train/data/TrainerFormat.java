// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats of files that trainers and other programs load: the rows, and accompanying files. */
public enum TrainerFormat {
  /** A table; {@code .query} has the queries' sizes, {@code .conf} the parameters. */
  LIGHTGBM("csv", ".query", ".conf", true),
  /** Sparse rows; {@code .group} has the queries' sizes, {@code .fmap} the features' names. */
  XGBOOST("txt", ".group", ".fmap", true),
  /** A table without a header; {@code .cd} describes its columns, including the query. */
  CATBOOST("dsv", null, ".cd", false),
  /** Rows with all features; comments at the head have the features' names. */
  RANKLIB("txt", null, null, true),
  /** A table whose header has the features' names. */
  CSV("csv", null, null, false),
  /** An object with the features' names, then one per row. */
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

  /** Returns the format's name in {@code _log}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the default extension of the data file, without the dot. */
  public String extension() {
    return extension;
  }

  /** Returns the number of lines before the rows in a file of this many features. */
  public int headerLines(int features) {
    return switch (this) {
      case LIGHTGBM, CSV, NDJSON -> 1;
      case XGBOOST, CATBOOST -> 0;
      case RANKLIB -> features;
    };
  }

  /** Returns the suffix of the file of the queries' sizes; null if there is none. */
  public @Nullable String sizes() {
    return sizes;
  }

  /** Returns the suffix of the file that describes the columns; null if there is none. */
  public @Nullable String columns() {
    return columns;
  }

  /** Returns whether queries must be ascending numbers. */
  public boolean isNumbered() {
    return numbered;
  }

  /**
   * Returns the number of rows of each query, in order.
   *
   * @param rows in a format with sizes: their second field is the query
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
