// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
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
 * Reads judgments (grades of documents for queries) in one of four formats. A table (TSV or CSV,
 * may be gzipped) has the columns query, document and grade. It may have a header, with further
 * columns {@code params.NAME} for parameters of the queries. RankLib's lines have the form {@code #
 * qid:1: rambo} and {@code 4 qid:1 # 7555}. TREC qrels need a file of the queries' texts. A
 * judgment list of the Search Relevance Workbench is JSON. {@link Grades} converts grades that are
 * not whole numbers.
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

  /** Matches a line of RankLib's format with a query's id, its text, and its weight. */
  private static final Pattern RANKLIB_QUERY =
      Pattern.compile("#\\s*qid:(\\S+):\\s*(.*?)(\\*[0-9.]+)?");

  /** Matches a line of RankLib's format with a grade, a query's id, a document's id and a text. */
  private static final Pattern RANKLIB_GRADE =
      Pattern.compile("(\\S+)\\s+qid:(\\S+)\\s[^#]*#\\s*(\\S+)\\s*(.*)");

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,14})(\\.[0-9]+)?");

  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, String> texts = new LinkedHashMap<>();

  /** The texts that lines state, without the defaults. */
  private final Map<String, String> stated = new HashMap<>();

  private final Map<String, Map<String, Object>> params = new LinkedHashMap<>();
  private final Grades grades;

  /** The reader of the lines, which depends on the format that the first line shows. */
  private DataFile.@Nullable Line lines;

  private JudgmentFile(Judgments.Conflict onConflict) {
    this.grades = new Grades(onConflict);
  }

  /**
   * Reads a file with judgments. A query without a text has its id as text.
   *
   * @param queries a file with the texts of the queries in a qrels file (lines with an id, a tab
   *     and a text); null for other formats
   * @param onConflict the rule for a document with several grades for one query
   * @throws Failure with the line number, if a line is invalid
   */
  public static Judgments read(Path file, @Nullable Path queries, Judgments.Conflict onConflict)
      throws Failure {
    JudgmentFile judgments = new JudgmentFile(onConflict);
    boolean isList = file.toString().matches(".*\\.json(\\.gz)?");
    if (!isList && queries != null) {
      DataFile.lines(queries, judgments::text);
      DataFile.lines(file, judgments::qrel);
    } else if (!isList) {
      DataFile.lines(file, judgments::line);
    }
    try {
      if (!isList && queries == null && judgments.lines == null) {
        throw Failure.data(1, "the file is empty");
      }
      return isList
          ? workbench(file, onConflict)
          : judgments.grades.judgments(judgments.texts, judgments.params);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
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

  private void text(String line, long number) throws Failure {
    String[] cells = line.split("\t", 2);
    if (cells.length < 2) {
      throw Failure.data(number, "expected a query's id, a tab and its text");
    }
    queryText(number, cells[0].strip(), cells[1].strip());
  }

  private void qrel(String line, long number) throws Failure {
    String[] cells = line.strip().split("\\s+");
    if (cells.length != 4) {
      throw Failure.data(number, "expected query, iteration, document and grade");
    }
    if (!texts.containsKey(cells[0])) {
      throw Failure.data(number, "query " + cells[0] + " has no text");
    }
    add(number, cells[0], cells[2], cells[3]);
  }

  private void line(String line, long number) throws Failure {
    if (line.isBlank()) {
      return;
    }
    DataFile.Line reader = lines == null ? format(line, number) : lines;
    lines = reader;
    if (reader != null) {
      reader.accept(line, number);
    }
  }

  /** Returns a reader for the format of the first line; null if that line is only a comment. */
  private DataFile.@Nullable Line format(String line, long number) throws Failure {
    if (RANKLIB_QUERY.matcher(line).matches() || RANKLIB_GRADE.matcher(line).matches()) {
      return this::ranklib;
    }
    try {
      return table(line, number);
    } catch (Failure e) {
      if (line.startsWith("#")) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Returns a reader of the lines of a table. It skips the first line if that line contains column
   * names.
   */
  private DataFile.Line table(String first, long start) throws Failure {
    Table table = new Table(first);
    List<String> header = new Table(first.toLowerCase(Locale.ROOT)).names();
    int document = column(header, DOCUMENT);
    int grade = column(header, GRADE);
    int text = column(header, TEXT);
    int id = column(header, ID);
    if (document >= 0 && grade >= 0 && (text >= 0 || id >= 0)) {
      return (line, number) -> {
        if (number > start) {
          List<String> cells = table.cells(line, number);
          String query = cells.get(id >= 0 ? id : text);
          queryText(number, query, cells.get(text >= 0 ? text : id));
          params(number, query, table.names(), cells);
          add(number, query, cells.get(document), cells.get(grade));
        }
      };
    }
    if (header.size() != 3) {
      throw Failure.data(
          start,
          "expected a header with query, doc_id and grade, or just these three columns, separated"
              + " by tabs or commas");
    }
    return (line, number) -> {
      List<String> cells = table.cells(line, number);
      texts.putIfAbsent(cells.get(0), cells.get(0));
      add(number, cells.get(0), cells.get(1), cells.get(2));
    };
  }

  /** Takes the text that a line states for a query; an empty one is none. */
  private void queryText(long line, String query, String text) throws Failure {
    if (text.isEmpty()) {
      texts.putIfAbsent(query, text);
      return;
    }
    String earlier = stated.putIfAbsent(query, text);
    if (earlier != null && !earlier.equals(text)) {
      throw conflict(line, query, "text [" + text + "], and [" + earlier + "]", "texts");
    }
    texts.put(query, text);
  }

  private void ranklib(String line, long number) throws Failure {
    Matcher query = RANKLIB_QUERY.matcher(line.strip());
    Matcher grade = RANKLIB_GRADE.matcher(line.strip());
    if (query.matches()) {
      queryText(number, query.group(1), query.group(2));
    } else if (grade.matches()) {
      texts.putIfAbsent(grade.group(2), grade.group(grade.group(4).isEmpty() ? 2 : 4));
      add(number, grade.group(2), grade.group(3), grade.group(1));
    } else if (!line.startsWith("#")) {
      throw Failure.data(number, "expected GRADE qid:QUERY # DOCUMENT");
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
      throw conflict(line, query, "parameters " + given + ", and " + earlier, "parameters");
    }
  }

  private static Failure conflict(long line, String query, String differing, String kind) {
    return Failure.data(
        line,
        "query ["
            + query
            + "] has the "
            + differing
            + " above; give queries with different "
            + kind
            + " different values of query_id");
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
}
