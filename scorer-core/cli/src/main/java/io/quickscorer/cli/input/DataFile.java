// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of documents that a command gets as an argument: LETOR/SVMlight lines, or a table
 * with a header of feature names. The first line determines the kind. The file may be gzipped. A
 * pipe, or standard input ({@code -}), is first copied to a temporary file, because it can be read
 * only once.
 */
public final class DataFile {
  private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9.]+([eE][-+]?[0-9]+)?|nan");
  private static final Path STANDARD_INPUT = Path.of("-");
  private static final char BYTE_ORDER_MARK = '\ufeff';

  /** The temporary copy of each input that can be read only once, such as a pipe. */
  private static final Map<Path, Path> COPIES = new HashMap<>();

  private DataFile() {}

  /**
   * Opens a data file to read its documents.
   *
   * @param values whether a table contains the values of categories; otherwise, it contains codes
   * @param firstFeature the id of the first feature in SVMlight lines, 0 or 1; null to detect it
   * @param absentIsMissing whether a feature that an SVMlight line lacks is missing (true) or 0
   *     (false); null for the trainer's rule
   */
  static Rows open(
      Path file,
      TreeEnsemble ensemble,
      boolean values,
      @Nullable Integer firstFeature,
      @Nullable Boolean absentIsMissing)
      throws Failure {
    try {
      if (!isSvmLight(file)) {
        TableRows rows =
            new TableRows(textReader(file), ensemble, CategoryFields.of(ensemble, values));
        if (rows.boundByPosition()) {
          System.err.println(
              file
                  + ": the header contains none of the names of the model's features; the columns"
                  + " are used as the features, in their order");
        }
        return named(rows, file);
      }
      ModelFormat format = ensemble.source().format();
      if (values && !ModelFormats.trainer(format).equals("CatBoost")) {
        throw Failure.usage(
            "--categories-as values: expected a table with a header, not SVMlight lines");
      }
      boolean fromOne = ModelFormats.has(format, Trait.FEATURES_FROM_ONE);
      int first;
      if (firstFeature != null) {
        first = firstFeature;
      } else {
        first = fromOne ? 1 : SvmLightRows.firstFeature(file, ensemble);
      }
      boolean missing =
          absentIsMissing == null
              ? ModelFormats.has(format, Trait.ABSENT_IS_MISSING)
              : absentIsMissing;
      int features = ensemble.featureNames().size();
      return named(new SvmLightRows(reader(file), features, first, missing, fromOne), file);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
    }
  }

  /** Returns a reader of the same documents that adds the file's name to failure messages. */
  private static Rows named(Rows rows, Path file) {
    return new Rows() {
      @Override
      public float @Nullable [] next() throws IOException, Failure {
        try {
          return rows.next();
        } catch (Failure e) {
          throw e.in(file);
        }
      }

      @Override
      public void close() throws IOException {
        rows.close();
      }
    };
  }

  /**
   * Opens a file of numbers, which may be a pipe. Decompresses gzip and skips a byte order mark.
   * Invalid UTF-8 is no error, because only comments contain text.
   */
  public static BufferedReader reader(Path file) throws IOException {
    return reader(file, CodingErrorAction.REPLACE);
  }

  /** Opens a file that contains text, such as names, in UTF-8. Invalid UTF-8 is an error. */
  public static BufferedReader textReader(Path file) throws IOException {
    return reader(file, CodingErrorAction.REPORT);
  }

  /** Receives the lines of a file, with their numbers from 1. */
  public interface Line {
    void accept(String line, long number) throws Failure;
  }

  /** Reads the lines of a UTF-8 file. An empty file counts as one empty line. */
  public static void lines(Path file, Line lines) throws Failure {
    try (BufferedReader reader = textReader(file)) {
      String line = reader.readLine();
      lines.accept(line == null ? "" : line, 1);
      for (long number = 2; (line = reader.readLine()) != null; number++) {
        lines.accept(line, number);
      }
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
    }
  }

  /**
   * Splits a line of a table into cells.
   *
   * @param quotes whether a quote begins a quoted cell; two quotes in a quoted cell mean one quote
   */
  public static List<String> cells(String line, char separator, boolean quotes) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    // Whether the cell contains a quote or something other than spaces.
    boolean begun = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        cell.append(c);
        i++;
      } else if (quotes && c == '"' && (quoted || !begun)) {
        quoted = !quoted;
        begun = true;
      } else if (c == separator && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
        begun = false;
      } else {
        cell.append(c);
        begun |= c != ' ';
      }
    }
    cells.add(cell.toString());
    return cells;
  }

  private static BufferedReader reader(Path file, CodingErrorAction malformed) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(rereadable(file)));
    in.mark(2);
    boolean gzipped = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    InputStream plain = gzipped ? new GZIPInputStream(in) : in;
    BufferedReader text =
        new BufferedReader(
            new InputStreamReader(
                plain, StandardCharsets.UTF_8.newDecoder().onMalformedInput(malformed)));
    text.mark(1);
    if (text.read() != BYTE_ORDER_MARK) {
      text.reset();
    }
    return text;
  }

  private static synchronized Path rereadable(Path file) throws IOException {
    boolean input = file.equals(STANDARD_INPUT) && !Files.exists(file);
    if (!input && (!Files.exists(file) || Files.isRegularFile(file) || Files.isDirectory(file))) {
      return file;
    }
    Path copy = COPIES.get(file);
    if (copy == null) {
      copy = Files.createTempFile("quickscorer", ".data");
      copy.toFile().deleteOnExit();
      try (InputStream in = input ? System.in : Files.newInputStream(file)) {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      }
      COPIES.put(file, copy);
    }
    return copy;
  }

  /**
   * Returns whether the first line is in SVMlight's format and not a header: its first or second
   * word has the form {@code id:value}, or its only word is a number.
   */
  private static boolean isSvmLight(Path file) throws IOException {
    try (BufferedReader reader = reader(file)) {
      String line;
      while ((line = reader.readLine()) != null) {
        String text = SvmLightRows.withoutComment(line).strip();
        if (!text.isEmpty()) {
          String[] words = text.split("\\s+", 3);
          return SvmLightRows.isPair(words[0])
              || (words.length > 1
                  ? SvmLightRows.isPair(words[1])
                  : NUMBER.matcher(text).matches());
        }
      }
      return true;
    }
  }
}
