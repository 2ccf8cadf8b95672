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
 * Reads a table of hits that were shown: a header with the names of the columns, then one line per
 * hit. Cells are separated by tabs or commas.
 */
final class ClickTable {
  /** Maximum valid number in a cell with a count. So sums of counts are exact. */
  private static final double MAX_COUNT = 1e9;

  private ClickTable() {}

  /** The cells of a line by the name of their column; an empty cell is "". */
  record Row(Map<String, String> cells) {
    String text(String column) {
      return cells.getOrDefault(column, "");
    }

    /**
     * Returns the number in the cell of a column.
     *
     * @param missing the value of an empty cell
     * @return NaN if the cell is not a number from 0 to 1e9
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

    /** Returns the position of the hit, from 1; 0 if the cell is not a valid position. */
    int position() {
      double position = number("position", 0);
      return position >= 1 && position == Math.rint(position) ? (int) position : 0;
    }
  }

  /**
   * Reads a table from a file.
   *
   * @param columns the required columns
   * @param rows receives each line
   * @throws Failure if a line has another number of cells than the header, or if columns are
   *     missing; the message names the line or the columns
   */
  static void read(Path file, List<String> columns, Consumer<Row> rows) throws Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      String first = reader.readLine();
      String header = first == null ? "" : first.toLowerCase(Locale.ROOT);
      String separator = header.indexOf('\t') >= 0 ? "\t" : ",";
      List<String> names = cells(header, separator);
      if (!names.containsAll(columns)) {
        throw Failure.data(1, "found a header with the columns " + names + ", expected " + columns);
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
