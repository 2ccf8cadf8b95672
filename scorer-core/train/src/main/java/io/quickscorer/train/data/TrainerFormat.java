// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Files as trainers and others load them: the rows, and what stands in files beside. */
public enum TrainerFormat {
  /** A table; {@code .query} has the queries' sizes, {@code .conf} the parameters. */
  LIGHTGBM("csv", ".query", ".conf", true),
  /** Sparse rows; {@code .group} has the queries' sizes, {@code .fmap} the features' names. */
  XGBOOST("txt", ".group", ".fmap", true),
  /** A table without a header; {@code .cd} says what its columns are, queries among them. */
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

  /** The name that {@code _log} has for it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the extension of the data's file name, without the dot, unless a user chooses another.
   */
  public String extension() {
    return extension;
  }

  /** With how many lines a file of so many features begins that are no rows. */
  public int headerLines(int features) {
    return switch (this) {
      case LIGHTGBM, CSV, NDJSON -> 1;
      case XGBOOST, CATBOOST -> 0;
      case RANKLIB -> features;
    };
  }

  /** Returns the suffix of the file with the queries' sizes, or null for no file. */
  public @Nullable String sizes() {
    return sizes;
  }

  /** Returns the suffix of the file about the columns, or null for no file. */
  public @Nullable String columns() {
    return columns;
  }

  /** Whether it knows queries by ascending numbers only. */
  public boolean isNumbered() {
    return numbered;
  }

  /**
   * How many rows each query has, in order.
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
