package io.quickscorer.cli;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The data argument of a command: LETOR/SVMlight lines, or a table with a header of feature names;
 * either may be gzipped. Which of them is found out from the first line.
 */
final class DataFile {
  private DataFile() {}

  /**
   * Opens the rows of a file.
   *
   * @param firstFeature see {@link SvmLightRows}; null to find it out
   * @param absentIsMissing see {@link SvmLightRows}; null for what the model's trainer does
   */
  static Rows open(
      Path file,
      TreeEnsemble ensemble,
      @Nullable Integer firstFeature,
      @Nullable Boolean absentIsMissing)
      throws Failure {
    try {
      if (!isSvmLight(file)) {
        return new TableRows(reader(file), ensemble);
      }
      int first = firstFeature == null ? SvmLightRows.firstFeature(file, ensemble) : firstFeature;
      boolean missing =
          absentIsMissing == null
              ? ensemble.source().format().startsWith("xgboost")
              : absentIsMissing;
      return new SvmLightRows(reader(file), ensemble.featureNames().size(), first, missing);
    } catch (IOException e) {
      throw Failure.io(file, e);
    }
  }

  static BufferedReader reader(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    in.mark(2);
    boolean gzipped = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    InputStream plain = gzipped ? new GZIPInputStream(in) : in;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
  }

  /** A first line that begins with a number and has no tab or comma is no header. */
  private static boolean isSvmLight(Path file) throws IOException {
    try (BufferedReader reader = reader(file)) {
      String line;
      while ((line = reader.readLine()) != null) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String label = line.strip().split("\\s", 2)[0];
          return label.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?") && line.indexOf(',') < 0;
        }
      }
      return true;
    }
  }
}
