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
 * @param file relative to the folder
 * @param format the model's, empty if it was refused
 * @param result the kind of verdict
 * @param reason the reason, if it is not obvious; else empty
 * @param expected the file of the trainer's scores, or null
 * @param data the rows' file, or null
 * @param leftOut rows left out because floats cannot decide them as doubles do
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
  /** Kinds of verdicts. */
  public enum Result {
    /** Bits are equal on every row. */
    EXACT,
    /** As near as the printed digits, or the precision of the trainer's function, can show. */
    WITHIN_BOUND,
    /** The expected scores are those of the first trees, because the trainer used no more. */
    FIRST_TREES,
    /** The format has lost a constant; apart from it the scores agree to its digits. */
    LOSSY_FORMAT,
    /** There are scores, but their rows are missing, or they have too few digits to compare. */
    NOT_COMPARED,
    DIFFERS,
    REFUSED,
    /** The model was read, but there is nothing to compare it with. */
    NO_EXPECTED_SCORES,
    NOT_A_MODEL
  }

  static Verdict without(Path file, String format, Result result, String reason) {
    return new Verdict(file, format, result, reason, null, null, null, 0);
  }

  /** Returns this verdict, if scores differ, with one more possible reason. */
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
    map.put("verdict", label());
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

  String label() {
    return result.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns the verdict in words, for a line. */
  public String text() {
    StringBuilder text = new StringBuilder(label());
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
