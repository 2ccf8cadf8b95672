// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.verdict.ExpectedScores.Distance;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on one model file.
 *
 * @param file the model's file, relative to the folder
 * @param format the model's format; empty if the file was refused
 * @param result the result of the check
 * @param reason the reason for the result, for users
 * @param expected the file with the trainer's scores, or null
 * @param data the file with the rows, or null
 * @param distance the difference of the scores, or null if they were not compared
 * @param leftOut number of rows that were not compared, because rounding may change which leaves
 *     they reach
 */
public record Verdict(
    Path file,
    String format,
    Result result,
    String reason,
    @Nullable Path expected,
    @Nullable Path data,
    @Nullable Distance distance,
    int leftOut) {
  /** The result of checking one model file. */
  public enum Result {
    /** The scores of all rows are bit-identical to the trainer's. */
    EXACT,
    /**
     * The scores agree with the trainer's to the printed digits, or to the precision of the link
     * function (such as the sigmoid).
     */
    WITHIN_BOUND,
    /** The expected scores are those of only the first trees of the model. */
    FIRST_TREES,
    /**
     * The scores agree with the trainer's, apart from a constant that the model's format does not
     * contain.
     */
    LOSSY_FORMAT,
    /** The rows of the expected scores were not found, or the scores have too few digits. */
    NOT_COMPARED,
    /** The scores differ from the trainer's. */
    DIFFERS,
    /** The model's file could not be read. */
    REFUSED,
    /** The model was read, but there are no expected scores to compare. */
    NO_EXPECTED_SCORES,
    /** The file is not a model in a supported format. */
    NOT_A_MODEL;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  static Verdict without(Path file, String format, Result result, String reason) {
    return new Verdict(file, format, result, reason, null, null, null, 0);
  }

  /**
   * Returns a copy whose reason also contains a note, if the scores differ. Otherwise, returns this
   * object.
   */
  Verdict noting(String note) {
    if (result != Result.DIFFERS || note.isEmpty()) {
      return this;
    }
    String all = reason.isEmpty() ? note : reason + "; " + note;
    return new Verdict(file, format, result, all, expected, data, distance, leftOut);
  }

  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", file);
    map.put("format", format);
    map.put("verdict", result.label());
    map.put("reason", reason);
    if (expected != null && data != null && distance != null) {
      map.put("expected", expected);
      map.put("data", data);
      map.put("rows", distance.rows());
      map.put("rows_left_out", leftOut);
      map.put("rows_differing", distance.differing());
      map.put("max_ulp", distance.ulps());
      map.put("max_difference", distance.absolute());
    }
    return map;
  }

  /** Returns the verdict as one line of text. */
  public String text() {
    StringBuilder text = new StringBuilder(result.label());
    if (!reason.isEmpty()) {
      text.append(": ").append(reason);
    }
    if (distance != null) {
      text.append(", ").append(distance.rows()).append(" rows, max ");
      text.append(distance.ulps()).append(" ulp, ").append(distance.absolute());
      text.append(leftOut == 0 ? "" : ", " + leftOut + " rows left out");
    }
    return text.toString();
  }
}
