// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.LIGHTGBM;
import static io.quickscorer.reader.SmallModels.XGBOOST;
import static io.quickscorer.reader.SmallModels.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.catboost.CatBoostFile;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever bytes are offered, the outcome is an ensemble that scores finite numbers or an {@link
 * InvalidModelException}: every truncation, every single-bit flip and random edits of a small model
 * of each format.
 */
final class DamagedModelsTest {
  private static final int EDITS = 4_000;

  static Map<String, byte[]> models() {
    Map<String, byte[]> models = new TreeMap<>();
    models.put("lightgbm_text", bytes(LIGHTGBM));
    models.put("lightgbm_text values", bytes(SmallModels.LIGHTGBM_VALUES));
    models.put("xgboost_json values", bytes(SmallModels.XGBOOST_VALUES));
    models.put("lightgbm_text old", bytes(SmallModels.LIGHTGBM_OLD));
    models.put("xgboost_json", bytes(XGBOOST));
    models.put("xgboost_dump_json", bytes(SmallModels.XGBOOST_DUMP));
    models.put("xgboost_dump_text", bytes(SmallModels.XGBOOST_DUMP_TEXT));
    models.put("lightgbm_json", bytes(SmallModels.LIGHTGBM_DUMP));
    models.put("catboost_json", bytes(SmallModels.CATBOOST));
    models.put("catboost_json categories", bytes(SmallModels.CATBOOST_CATEGORIES));
    models.put("catboost_json ctr", bytes(SmallModels.CATBOOST_CTR));
    models.put("ranklib", bytes(SmallModels.RANKLIB));
    models.put("quickrank_xml", bytes(SmallModels.QUICKRANK));
    models.put("ranklib linear", bytes(SmallModels.RANKLIB_LINEAR));
    models.put("linear_json", bytes(SmallModels.LINEAR));
    models.put("xgboost_json linear", bytes(SmallModels.XGBOOST_LINEAR));
    models.put("solr_json", bytes(SmallModels.SOLR));
    models.put("solr_json linear", bytes(SmallModels.SOLR_LINEAR));
    models.put("stored_model", bytes(StoredModelTest.DOCUMENT));
    models.put("catboost_binary", CatBoostFile.small().toBytes());
    models.put("catboost_binary categories", CatBoostFile.categories().toBytes());
    models.put("xgboost_binary", fixture("xgboost-2.1.4", "constant", "bin"));
    models.put("onnx", fixture("onnxruntime-1.29.0", "small", "onnx"));
    models.put("onnx steps", fixture("onnxruntime-1.29.0", "steps_labels", "onnx"));
    models.put("xgboost_ubjson", fixture("xgboost-3.4.0", "constant", "ubj"));
    return models;
  }

  private static byte[] fixture(String trainer, String name, String encoding) {
    return Fixture.all().stream()
        .filter(f -> f.trainer().equals(trainer) && f.name().equals(name))
        .findFirst()
        .orElseThrow()
        .model(encoding);
  }

  static Iterable<Map.Entry<String, byte[]>> entries() {
    return models().entrySet();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void everyTruncation(Map.Entry<String, byte[]> model) {
    Outcomes outcomes = new Outcomes();
    for (int length = 0; length < model.getValue().length; length++) {
      outcomes.offer(Arrays.copyOf(model.getValue(), length));
    }
    outcomes.print("truncations of " + model.getKey());
    assertTrue(outcomes.refused > model.getValue().length / 3, "a cut model is mostly refused");
  }

  @ParameterizedTest
  @MethodSource("entries")
  void everyBitFlip(Map.Entry<String, byte[]> model) {
    Outcomes outcomes = new Outcomes();
    byte[] bytes = model.getValue().clone();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      outcomes.offer(bytes);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
    outcomes.print("bit flips of " + model.getKey());
    assertTrue(outcomes.refused > 0 && outcomes.accepted > 0);
  }

  @ParameterizedTest
  @MethodSource("entries")
  void randomEdits(Map.Entry<String, byte[]> model) {
    SplittableRandom random = Seeds.random("randomEdits");
    Outcomes outcomes = new Outcomes();
    for (int i = 0; i < EDITS * Seeds.iterations(); i++) {
      outcomes.offer(edited(model.getValue(), random));
    }
    outcomes.print("edits of " + model.getKey());
  }

  /** A piece copied over, inserted or left out, and a few bytes made extreme. */
  private static byte[] edited(byte[] model, SplittableRandom random) {
    int from = random.nextInt(model.length);
    int length = random.nextInt(Math.min(40, model.length - from) + 1);
    int to = random.nextInt(model.length);
    byte[] piece = Arrays.copyOfRange(model, from, from + length);
    int cut = random.nextBoolean() ? Math.min(length, model.length - to) : 0;
    byte[] edited = new byte[model.length + length - cut];
    System.arraycopy(model, 0, edited, 0, to);
    System.arraycopy(piece, 0, edited, to, length);
    System.arraycopy(model, to + cut, edited, to + length, model.length - to - cut);
    String extremes = "09-eE.,:{}[]\"\n =\u0000\u00ff";
    for (int i = random.nextInt(3); i > 0; i--) {
      edited[random.nextInt(edited.length)] =
          (byte) extremes.charAt(random.nextInt(extremes.length()));
    }
    return edited;
  }

  @Test
  void gzipped() throws IOException {
    for (byte[] model : models().values()) {
      TreeEnsemble plain = ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      TreeEnsemble packed = ModelReader.read(gzip(model), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      assertEquals(plain.shape(), packed.shape());
      Outcomes outcomes = new Outcomes();
      byte[] gzipped = gzip(model);
      for (int length = 0; length < gzipped.length; length++) {
        outcomes.offer(Arrays.copyOf(gzipped, length));
      }
      assertEquals(0, outcomes.accepted, "a cut gzip stream has lost its checksum");
    }
  }

  @Test
  void gzipBomb() throws IOException {
    byte[] bomb = gzip(new byte[200 << 20]);
    assertTrue(bomb.length < 1 << 18);
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(bomb, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    assertTrue(String.valueOf(e.getMessage()).contains(" bytes unpacks to more than "));
  }

  /** A file read as another format is refused, not misread. */
  @Test
  void wrongFormats() {
    for (Map.Entry<String, byte[]> model : models().entrySet()) {
      for (ModelFormat format : ModelFormats.all()) {
        // One reader takes both XML forms and says which it met.
        boolean xml = Set.of("ranklib", "quickrank_xml").contains(format.label());
        String own = model.getKey().split(" ")[0];
        boolean same = format.label().equals(own);
        if (!same && !(xml && SmallModels.isRankLib(model.getValue()))) {
          assertThrows(
              InvalidModelException.class,
              () -> ModelReader.read(model.getValue(), format, EnsembleLimits.DEFAULT));
        }
      }
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  /** Counts what became of the offered bytes. */
  private static final class Outcomes {
    private int accepted;
    private int refused;

    void offer(byte[] bytes) {
      TreeEnsemble ensemble;
      try {
        // CatBoost's categories are looked for among all that the limits allow.
        ensemble = ModelReader.read(bytes, ModelFormat.AUTO, ReaderOracle.LIMITS);
      } catch (InvalidModelException e) {
        assertFalse(String.valueOf(e.getMessage()).isEmpty());
        refused++;
        return;
      }
      accepted++;
      EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
      int features = ensemble.featureNames().size();
      if (features <= 16) {
        double[] scores = new double[3];
        float[] rows = new float[3 * features];
        Arrays.fill(rows, features, 2 * features, Float.NaN);
        Arrays.fill(rows, 2 * features, 3 * features, 1f);
        scorer.score(FeatureMatrix.ofRows(rows, features), scorer.newScratch(), scores);
        for (double score : scores) {
          assertFalse(Double.isNaN(score));
        }
      }
    }

    void print(String what) {
      System.out.printf("%s: %d refused, %d accepted%n", what, refused, accepted);
    }
  }
}
