// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads judgments in one of these formats: a table (TSV or CSV, may be gzipped) with a header, or
 * with just the columns query, document and grade (columns {@code params.NAME} are parameters of
 * the queries); RankLib's lines ({@code # qid:1: rambo} and {@code 4 qid:1 # 7555}); TREC qrels
 * with a file of the queries' texts; or a judgment list of the Search Relevance Workbench as JSON.
 * {@link Grades} converts grades that are not whole numbers.
 */
public final class JudgmentFile {
  private static final List<String> ID = List.of("query_id", "qid", "queryid");
  private static final List<String> TEXT = List.of("query", "query_text", "text", "keywords");
  private static final List<String> DOCUMENT =
      List.of("doc_id", "docid", "doc", "document", "_id", "id");
  private static final List<String> GRADE =
      List.of("grade", "rating", "label", "judgment", "relevance");

  /** The prefix of the names of columns that contain parameters of the queries. */
  private static final String PARAMS = "params.";

  /**
   * Matches a line of RankLib's format with a query's id, its text, and its weight, which is not
   * used.
   */
  private static final Pattern RANKLIB_QUERY =
      Pattern.compile("#\\s*qid:(\\S+):\\s*(.*?)(\\*[0-9.]+)?");

  /**
   * Matches a line of RankLib's format with a grade, a query's id, optional features, a document's
   * id and an optional text.
   */
  private static final Pattern RANKLIB_GRADE =
      Pattern.compile("(\\S+)\\s+qid:(\\S+)\\s[^#]*#\\s*(\\S+)\\s*(.*)");

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,14})(\\.[0-9]+)?");

  private static final JsonMapper JSON = new JsonMapper();

  private final Path file;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> params = new LinkedHashMap<>();
  private final Grades grades;

  private JudgmentFile(Path file, Judgments.Conflict onConflict) {
    this.file = file;
    this.grades = new Grades(onConflict);
  }

  /**
   * Reads a file with judgments.
   *
   * @param queries for qrels, a file with lines of an id, a tab and a query's text; otherwise null
   * @param onConflict the rule for several grades of a document for a query
   * @return the queries in the order of the file; a query without a text has its id as text
   * @throws Failure with the line, if it is invalid
   */
  public static Judgments read(Path file, @Nullable Path queries, Judgments.Conflict onConflict)
      throws Failure {
    JudgmentFile judgments = new JudgmentFile(file, onConflict);
    Path read = file;
    try {
      if (file.toString().matches(".*\\.json(\\.gz)?")) {
        return workbench(file, onConflict);
      }
      if (queries == null) {
        judgments.table();
      } else {
        read = queries;
        judgments.texts(queries);
        read = file;
        judgments.qrels();
      }
      return judgments.grades.judgments(judgments.texts, judgments.params);
    } catch (IOException e) {
      throw Failure.io(read, e);
    } catch (Failure e) {
      throw e.in(read);
    }
  }

  private static Judgments workbench(Path file, Judgments.Conflict onConflict)
      throws IOException, Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      return WorkbenchJudgments.read(JSON.readTree(reader), onConflict);
    } catch (JacksonException e) {
      throw Failure.usage("not JSON: " + e.getOriginalMessage());
    }
  }

  private void texts(Path queries) throws IOException, Failure {
    try (BufferedReader reader = DataFile.textReader(queries)) {
      long number = 0;
      String line;
      while ((line = reader.readLine()) != null) {
        number++;
        String[] cells = line.split("\t", 2);
        if (cells.length < 2) {
          throw Failure.data(number, "expected a query's id, a tab and its text");
        }
        texts.put(cells[0].strip(), cells[1].strip());
      }
    }
  }

  private void qrels() throws IOException, Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      long number = 0;
      String line;
      while ((line = reader.readLine()) != null) {
        number++;
        String[] cells = line.strip().split("\\s+");
        if (cells.length != 4) {
          throw Failure.data(number, "expected query, iteration, document and grade");
        }
        if (!texts.containsKey(cells[0])) {
          throw Failure.data(number, "query " + cells[0] + " has no text");
        }
        add(number, cells[0], cells[2], cells[3]);
      }
    }
  }

  private void table() throws IOException, Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      String first = reader.readLine();
      if (first == null) {
        throw Failure.data(1, "the file is empty");
      }
      if (RANKLIB_QUERY.matcher(first).matches() || RANKLIB_GRADE.matcher(first).matches()) {
        ranklib(first, reader);
        return;
      }
      char separator = first.indexOf('\t') >= 0 ? '\t' : ',';
      List<String> names = cells(first, separator);
      List<String> header = cells(first.toLowerCase(Locale.ROOT), separator);
      int document = column(header, DOCUMENT);
      int grade = column(header, GRADE);
      int text = column(header, TEXT);
      int id = column(header, ID);
      boolean named = document >= 0 && grade >= 0 && (text >= 0 || id >= 0);
      long number = 1;
      String line = named ? reader.readLine() : first;
      if (named) {
        number++;
      } else if (header.size() == 3) {
        text = 0;
        document = 1;
        grade = 2;
      } else {
        throw Failure.data(
            1,
            "expected a header with query, doc_id and grade, or just these three columns, separated"
                + " by tabs or commas");
      }
      int width = named ? header.size() : 3;
      for (; line != null; line = reader.readLine(), number++) {
        if (line.isBlank()) {
          continue;
        }
        List<String> cells = cells(line, separator);
        if (cells.size() != width) {
          throw Failure.data(number, cells.size() + " cells, expected " + width);
        }
        String query = cells.get(id >= 0 ? id : text);
        texts.putIfAbsent(query, cells.get(text >= 0 ? text : id));
        params(number, query, names, cells);
        add(number, query, cells.get(document), cells.get(grade));
      }
    }
  }

  private void ranklib(String first, BufferedReader reader) throws IOException, Failure {
    long number = 1;
    for (String line = first; line != null; line = reader.readLine(), number++) {
      Matcher query = RANKLIB_QUERY.matcher(line.strip());
      Matcher grade = RANKLIB_GRADE.matcher(line.strip());
      if (query.matches()) {
        texts.put(query.group(1), query.group(2));
      } else if (grade.matches()) {
        texts.putIfAbsent(grade.group(2), grade.group(grade.group(4).isEmpty() ? 2 : 4));
        add(number, grade.group(2), grade.group(3), grade.group(1));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw Failure.data(number, "expected GRADE qid:QUERY # DOCUMENT");
      }
    }
  }

  /** Reads the parameters of a query from the cells of a line. Empty cells are not parameters. */
  private void params(long line, String query, List<String> names, List<String> cells)
      throws Failure {
    Map<String, Object> given = new LinkedHashMap<>();
    for (int c = 0; c < names.size(); c++) {
      if (names.get(c).startsWith(PARAMS) && !cells.get(c).isEmpty()) {
        given.put(names.get(c).substring(PARAMS.length()), value(cells.get(c)));
      }
    }
    Map<String, Object> earlier = params.putIfAbsent(query, given);
    if (earlier != null && !earlier.equals(given)) {
      throw Failure.data(
          line,
          "query ["
              + query
              + "] has the parameters "
              + given
              + ", and "
              + earlier
              + " above; give queries with different parameters different values of query_id");
    }
  }

  private static Object value(String cell) {
    if (!NUMBER.matcher(cell).matches()) {
      return cell;
    }
    return cell.contains(".") ? (Object) Double.valueOf(cell) : (Object) Long.valueOf(cell);
  }

  private void add(long line, String query, String document, String grade) throws Failure {
    double value;
    try {
      value = Double.parseDouble(grade);
    } catch (NumberFormatException e) {
      throw Failure.data(line, "grade [" + grade + "] is not a number");
    }
    if (!Double.isFinite(value)) {
      throw Failure.data(line, "grade [" + grade + "] is not finite");
    }
    if (document.isEmpty()) {
      throw Failure.data(line, "the document's id is empty");
    }
    // TREC marks spam with negative grades, which count as 0.
    grades.add(query, document, value, "line " + line);
  }

  private static int column(List<String> header, List<String> names) {
    for (String name : names) {
      int at = header.indexOf(name);
      if (at >= 0) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Splits a line into cells, without blanks at their ends. In a line separated by commas, a quoted
   * cell may contain commas.
   */
  private static List<String> cells(String line, char separator) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (separator == ',' && c == '"') {
        boolean doubled = quoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
        if (doubled) {
          cell.append('"');
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (c == separator && !quoted) {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString().strip());
    return cells;
  }
}
