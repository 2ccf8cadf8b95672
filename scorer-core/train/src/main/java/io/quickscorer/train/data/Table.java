// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The columns and the separator of a table, as its header defines them. If the header contains a
 * tab, tabs separate the cells; otherwise, commas do. Cells between commas may be quoted.
 */
public final class Table {
  /** Maximum valid count in a cell, so that sums of many counts are exact in double. */
  private static final double MAX_COUNT = 1e9;

  private final char separator;
  private final List<String> names;

  Table(String header) {
    separator = header.indexOf('\t') >= 0 ? '\t' : ',';
    names = split(header);
  }

  private List<String> split(String line) {
    return DataFile.cells(line, separator, separator == ',').stream().map(String::strip).toList();
  }

  List<String> names() {
    return names;
  }

  /**
   * Returns the cells of a line.
   *
   * @param number the line number, for messages
   * @throws Failure if the line has more or fewer cells than the header
   */
  List<String> cells(String line, long number) throws Failure {
    List<String> cells = split(line);
    if (cells.size() != names.size()) {
      throw Failure.data(number, cells.size() + " cells, expected " + names.size());
    }
    return cells;
  }

  /**
   * Reads a table whose header must contain the given columns, in upper or lower case. Skips blank
   * lines.
   *
   * @throws Failure if columns are missing, or a line has a wrong number of cells
   */
  public static void read(Path file, List<String> columns, Consumer<Row> rows) throws Failure {
    List<Table> table = new ArrayList<>();
    DataFile.lines(
        file,
        (line, number) -> {
          if (number == 1) {
            table.add(new Table(line.toLowerCase(Locale.ROOT)));
            List<String> names = table.getFirst().names;
            if (!names.containsAll(columns)) {
              throw Failure.data(
                  1, "found a header with the columns " + names + ", expected " + columns);
            }
          } else if (!line.isBlank()) {
            List<String> cells = table.getFirst().cells(line, number);
            Map<String, String> row = new HashMap<>();
            for (int c = 0; c < cells.size(); c++) {
              row.put(table.getFirst().names.get(c), cells.get(c));
            }
            rows.accept(new Row(row));
          }
        });
  }

  /** The cells of one line, by the names of their columns. */
  public record Row(Map<String, String> cells) {
    /** Returns a cell as text; "" if the table does not have the column. */
    public String text(String column) {
      return cells.getOrDefault(column, "");
    }

    /**
     * Returns the number in a cell; NaN if the cell does not contain a number from 0 to 1e9.
     *
     * @param missing the result if the cell is empty or the table does not have the column
     */
    public double number(String column, double missing) {
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

    /** Returns the position of the hit, from 1; 0 if the cell does not contain a valid position. */
    public int position() {
      double position = number("position", 0);
      return position >= 1 && position == Math.rint(position) ? (int) position : 0;
    }
  }
}
