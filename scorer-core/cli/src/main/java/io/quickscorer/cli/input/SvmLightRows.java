// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of the form {@code label [qid:query] feature:value ... [# comment]}.
 *
 * <p>Feature ids start with 0, as in the trainers' own loaders, or with 1, as in LETOR files. If
 * the command does not specify the first id, it is detected: 0 if the id 0 occurs; 1 if the largest
 * id is the number of features or more; 0 if the largest id is the number of features minus 1 and
 * no split tests feature 0 (as if LightGBM's training file had ids from 1, so that feature 0 is
 * unused). Other files are refused.
 *
 * <p>Models of RankLib and QuickRank do not contain the number of features. Their ids start with 1,
 * and ids above the largest id that the model tests are skipped.
 *
 * <p>By default, a feature that a line lacks is missing for XGBoost models and 0 for others.
 */
final class SvmLightRows implements Rows {
  private static final Pattern PAIR = Pattern.compile("([0-9]+|qid):");

  private final BufferedReader reader;
  private final int firstFeature;
  private final float absent;
  private final boolean openEnded;
  private final float[] row;
  private final boolean[] given;
  private long line;

  /**
   * Creates a reader of documents from SVMlight lines.
   *
   * @param features the number of the model's features
   * @param firstFeature the id of the first feature, 0 or 1
   * @param absentIsMissing whether a feature that a line lacks is missing; otherwise it is 0
   * @param openEnded whether lines may contain ids above that of the model's last feature; they are
   *     skipped
   */
  SvmLightRows(
      BufferedReader reader,
      int features,
      int firstFeature,
      boolean absentIsMissing,
      boolean openEnded) {
    this.reader = reader;
    this.firstFeature = firstFeature;
    this.absent = absentIsMissing ? Float.NaN : 0f;
    this.openEnded = openEnded;
    this.row = new float[features];
    this.given = new boolean[features];
  }

  @Override
  public float @Nullable [] next() throws IOException, Failure {
    String text;
    while ((text = reader.readLine()) != null) {
      line++;
      StringTokenizer words = words(text);
      if (words.hasMoreTokens()) {
        read(words);
        return row;
      }
    }
    return null;
  }

  private static StringTokenizer words(String text) {
    return new StringTokenizer(withoutComment(text));
  }

  static String withoutComment(String text) {
    int comment = text.indexOf('#');
    return comment < 0 ? text : text.substring(0, comment);
  }

  /** Returns whether a word begins with a feature id and a colon, or with {@code qid:}. */
  static boolean isPair(String word) {
    return PAIR.matcher(word).lookingAt();
  }

  private void read(StringTokenizer words) throws Failure {
    Arrays.fill(row, absent);
    Arrays.fill(given, false);
    String label = words.nextToken();
    if (isPair(label)) {
      throw Failure.data(line, "expected a label before \"" + label + "\"");
    }
    Values.parse(label, line);
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      if (word.startsWith("qid:")) {
        continue;
      }
      int feature = id(word, line) - firstFeature;
      if (openEnded && feature >= row.length) {
        Values.parse(word.substring(word.indexOf(':') + 1), line);
        continue;
      }
      if (feature < 0 || feature >= row.length) {
        throw Failure.data(
            line,
            "feature "
                + (feature + firstFeature)
                + ", expected "
                + firstFeature
                + ".."
                + (firstFeature + row.length - 1));
      }
      if (given[feature]) {
        throw Failure.data(line, "feature " + (feature + firstFeature) + " is given twice");
      }
      given[feature] = true;
      row[feature] = Values.parse(word.substring(word.indexOf(':') + 1), line);
    }
  }

  private static int id(String word, long line) throws Failure {
    int colon = word.indexOf(':');
    if (colon > 0 && colon <= 9 && word.chars().limit(colon).allMatch(c -> c >= '0' && c <= '9')) {
      return Integer.parseInt(word.substring(0, colon));
    }
    throw Failure.data(line, "expected feature:value");
  }

  /** Detects the id of the model's first feature, 0 or 1, from the ids in the whole file. */
  static int firstFeature(Path file, TreeEnsemble ensemble) throws IOException, Failure {
    int smallest = Integer.MAX_VALUE;
    int largest = -1;
    long line = 0;
    try (BufferedReader reader = DataFile.reader(file)) {
      String text;
      while ((text = reader.readLine()) != null) {
        line++;
        StringTokenizer words = words(text);
        while (words.hasMoreTokens()) {
          String word = words.nextToken();
          if (word.indexOf(':') >= 0 && !word.startsWith("qid:")) {
            int id = id(word, line);
            smallest = Math.min(smallest, id);
            largest = Math.max(largest, id);
          }
        }
      }
    }
    return choose(smallest, largest, ensemble);
  }

  private static int choose(int smallest, int largest, TreeEnsemble ensemble) throws Failure {
    int features = ensemble.featureNames().size();
    if (smallest == 0 || largest < 0) {
      return 0;
    }
    if (largest >= features) {
      return 1;
    }
    if (largest == features - 1 && !ensemble.uses(0)) {
      return 0;
    }
    throw Failure.usage(
        "the feature ids "
            + smallest
            + ".."
            + largest
            + " fit the model's "
            + features
            + " features both if the first id is 0 and if it is 1; add --first-feature 0 or"
            + " --first-feature 1");
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
