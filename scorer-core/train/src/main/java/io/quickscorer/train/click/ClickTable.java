// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads a table of hits that were shown: a header with names of columns, then a line per hit, with
 * tabs or commas between the cells. Lines that cannot be used are counted by the reason.
 */
final class ClickTable {
  /** Maximum valid count, so that sums of counts are exact. */
  private static final double MAX_COUNT = 1e9;

  private ClickTable() {}

  /** The cells of a line by column name, "" if the cell is empty. */
  record Row(Map<String, String> cells) {
    String text(String column) {
      return cells.getOrDefault(column, "");
    }

    /**
     * Reads a number of 0 or more.
     *
     * @param missing the value of an empty cell
     * @return NaN if the cell is not such a number
     */
    double number(String column, double missing) {
      String text = text(column);
      if (text.isEmpty()) {
        return missing;
      }
      try {
        double number = Double.parseDouble(text);
        return number >= 0 && number <= MAX_COUNT ? number : Double.NaN;
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }

    /** Reads a position of 1 or more; 0 if the cell is not one. */
    int position() {
      double position = number("position", 0);
      return position >= 1 && position == Math.rint(position) ? (int) position : 0;
    }
  }

  /**
   * Reads a file.
   *
   * @param columns required ones
   * @throws Failure that names a line without a cell per column, or a missing column
   */
  static void read(Path file, List<String> columns, Consumer<Row> rows) throws Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      String first = reader.readLine();
      String header = first == null ? "" : first.toLowerCase(Locale.ROOT);
      String separator = header.indexOf('\t') >= 0 ? "\t" : ",";
      List<String> names = cells(header, separator);
      if (!names.containsAll(columns)) {
        throw Failure.data(1, "expected a header with the columns " + columns + ", not " + names);
      }
      long number = 1;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        if (!line.isBlank()) {
          List<String> cells = cells(line, separator);
          if (cells.size() != names.size()) {
            throw Failure.data(number, cells.size() + " cells, expected " + names.size());
          }
          Map<String, String> row = new LinkedHashMap<>();
          for (int c = 0; c < names.size(); c++) {
            row.put(names.get(c), cells.get(c));
          }
          rows.accept(new Row(row));
        }
      }
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
    }
  }

  private static List<String> cells(String line, String separator) {
    List<String> cells = new ArrayList<>();
    Arrays.stream(line.split(separator, -1)).map(String::strip).forEach(cells::add);
    return cells;
  }
}
