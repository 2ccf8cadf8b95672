// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A model that a trainer wrote, with what its upload needs.
 *
 * @param fixture the rows and the trainer's predictions
 * @param file as the trainer wrote it
 * @param ensemble the same, read
 */
public record TestModel(Fixture fixture, byte[] file, TreeEnsemble ensemble) {
  public static final TestModel LIGHTGBM = of("lightgbm-4.3.0", "regression_plain", "txt");
  public static final TestModel LIGHTGBM_BINARY = of("lightgbm-4.3.0", "binary_nan", "txt");
  public static final TestModel XGBOOST = of("xgboost-3.4.0", "squarederror_plain", "json");

  /** The fixture of that trainer and name. */
  public static TestModel of(String trainer, String name, String encoding) {
    Fixture found =
        Fixture.all().stream()
            .filter(f -> f.trainer().equals(trainer) && f.name().equals(name))
            .findFirst()
            .orElseThrow();
    byte[] file = found.model(encoding);
    return new TestModel(
        found, file, ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
  }

  public String text() {
    return new String(file, StandardCharsets.UTF_8);
  }

  /** A feature set whose features are parameters of the model's names. */
  public String featureSet() {
    StringBuilder json = new StringBuilder("{\"features\":[");
    for (String name : ensemble.featureNames()) {
      json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"name\":\"%s\",\"type\":\"param\",\"param\":\"%s\",\"default\":0}",
                  name,
                  name));
    }
    return json.append("]}").toString();
  }

  /** The envelope with that many of the fixture's rows for parity. */
  public String envelope(String featureSet, int rows, boolean transformed) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      json.startObject().field("feature_set", featureSet).field("model", text());
      parity(json, fixture.cases(), rows, transformed);
      return json.endObject().toString();
    }
  }

  /** Writes the first of those rows as the parity of an envelope. */
  public static void parity(
      XContentBuilder json, Fixture.Cases cases, int rows, boolean transformed) throws IOException {
    json.startObject("parity").field("output", transformed ? "transformed" : "raw");
    json.startArray("rows");
    for (int row = 0; row < rows; row++) {
      json.startArray();
      for (int f = 0; f < cases.features(); f++) {
        float value = cases.values()[row * cases.features() + f];
        if (Float.isNaN(value)) {
          json.nullValue();
        } else {
          json.value((double) Math.clamp(value, -Float.MAX_VALUE, Float.MAX_VALUE));
        }
      }
      json.endArray();
    }
    json.endArray().startArray("expected");
    for (int row = 0; row < rows; row++) {
      json.value(transformed ? cases.transformed()[row] : cases.raw()[row]);
    }
    json.endArray().endObject();
  }
}
