// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Properties;

/**
 * A wrong score with all that is needed to see it again, as a file of properties.
 *
 * @param seed of the JVM
 * @param number of the case in the JVM
 * @param planted label of the planted defect
 * @param flags of the JVM, separated by blanks
 * @param engine label of the algorithm
 * @param state what was done with the scorer
 * @param model the ensemble, see {@link EnsembleBytes}
 * @param matrix the batch
 * @param document number of the document
 */
record Finding(
    long seed,
    int number,
    String planted,
    String flags,
    String engine,
    String state,
    byte[] model,
    FeatureMatrix matrix,
    int document,
    double expected,
    double actual) {

  static Finding of(
      long seed,
      int number,
      String planted,
      String flags,
      Subject subject,
      Batch batch,
      int document,
      double actual)
      throws IOException {
    FeatureMatrix matrix = batch.matrix();
    return new Finding(
        seed,
        number,
        planted,
        flags,
        subject.algorithm().label(),
        subject.description(),
        EnsembleBytes.of(subject.ensemble()),
        matrix,
        document,
        batch.expected(document),
        actual);
  }

  TreeEnsemble ensemble() throws IOException {
    return EnsembleBytes.read(model);
  }

  String summary() {
    return engine
        + " "
        + state
        + ", document "
        + document
        + " of "
        + matrix.documents()
        + ", expected "
        + expected
        + ", got "
        + actual;
  }

  void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("seed", Long.toString(seed));
    properties.setProperty("case", Integer.toString(number));
    properties.setProperty("planted", planted);
    properties.setProperty("flags", flags);
    properties.setProperty("engine", engine);
    properties.setProperty("state", state);
    properties.setProperty("model", Base64.getEncoder().encodeToString(model));
    properties.setProperty("features", Integer.toString(matrix.features()));
    properties.setProperty("documents", hexRows());
    properties.setProperty("document", Integer.toString(document));
    properties.setProperty("expected", hex(expected));
    properties.setProperty("actual", hex(actual));
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, "replay with -Dtorture.replay=" + file);
    }
  }

  static Finding read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    int features = Integer.parseInt(properties.getProperty("features"));
    return new Finding(
        Long.parseLong(properties.getProperty("seed")),
        Integer.parseInt(properties.getProperty("case")),
        properties.getProperty("planted"),
        properties.getProperty("flags"),
        properties.getProperty("engine"),
        properties.getProperty("state"),
        Base64.getDecoder().decode(properties.getProperty("model")),
        matrix(properties.getProperty("documents"), features),
        Integer.parseInt(properties.getProperty("document")),
        number(properties.getProperty("expected")),
        number(properties.getProperty("actual")));
  }

  /** Eight digits per value, document after document. */
  private String hexRows() {
    StringBuilder rows = new StringBuilder();
    for (int d = 0; d < matrix.documents(); d++) {
      for (int f = 0; f < matrix.features(); f++) {
        rows.append(HexFormat.of().toHexDigits(Float.floatToRawIntBits(matrix.get(d, f))));
      }
    }
    return rows.toString();
  }

  private static FeatureMatrix matrix(String rows, int features) {
    float[] values = new float[rows.length() / 8];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.intBitsToFloat(HexFormat.fromHexDigits(rows, 8 * i, 8 * i + 8));
    }
    return FeatureMatrix.ofRows(values, features);
  }

  private static String hex(double value) {
    return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
  }

  private static double number(String hex) {
    return Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(hex));
  }
}
