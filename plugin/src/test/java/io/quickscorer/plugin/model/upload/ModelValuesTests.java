// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.testing.CountingBreaker;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

/** Names, hashes, distances and what goes over the wire. */
public class ModelValuesTests extends OpenSearchTestCase {
  public void testNames() {
    for (String good : List.of("a", "0", "a_b-c.d", "a.b.c", "z".repeat(128))) {
      assertEquals(good, ResourceNames.check("model", good));
    }
    Map<String, String> bad =
        Map.of(
            "",
            "is empty",
            "z".repeat(129),
            "129 characters",
            "a..b",
            "two dots",
            "aB",
            "character 2",
            "_a",
            "character 1",
            "-a",
            "character 1",
            ".a",
            "character 1",
            "a/b",
            "character 2",
            "a\n",
            "character 2",
            "é",
            "character 1");
    bad.forEach(
        (name, says) -> {
          IllegalArgumentException e =
              expectThrows(
                  IllegalArgumentException.class, () -> ResourceNames.check("model", name));
          assertThat(e.getMessage(), containsString(says));
        });
  }

  public void testSharesAreNumbers() {
    List<Setting<?>> shares = new ArrayList<>(RescoreStats.settings());
    shares.add(ModelSettings.VERIFY_SHARE);
    shares.removeIf(setting -> !(setting.getDefault(Settings.EMPTY) instanceof Double));
    assertEquals(2, shares.size());
    for (Setting<?> setting : shares) {
      Settings wrong = Settings.builder().put(setting.getKey(), "NaN").build();
      expectThrows(IllegalArgumentException.class, () -> setting.get(wrong));
      Settings right = Settings.builder().put(setting.getKey(), "0.5").build();
      assertEquals(0.5, setting.get(right));
    }
  }

  public void testGzipIsBounded() throws IOException {
    byte[] plain = randomByteArrayOfLength(randomIntBetween(0, 300_000));
    byte[] compressed = gzip(plain);
    assertTrue(Gzip.isGzip(compressed));
    CountingBreaker breaker = new CountingBreaker(() -> false);
    MemoryCharge memory = MemoryCharge.none(breaker, "a test");
    assertArrayEquals(plain, Gzip.decompress(compressed, memory, bytes -> assertTrue(bytes > 0)));
    assertEquals(3L * plain.length, breaker.getUsed());
    byte[] bomb = gzip(new byte[50_000_000]);
    assertTrue(bomb.length < 100_000);
    expectThrows(
        ArithmeticException.class,
        () ->
            Gzip.decompress(
                bomb,
                memory,
                bytes -> {
                  if (bytes > 1_000_000) {
                    throw new ArithmeticException();
                  }
                }));
    byte[] cut = Arrays.copyOf(compressed, compressed.length / 2);
    expectThrows(IllegalArgumentException.class, () -> Gzip.decompress(cut, memory, bytes -> {}));
    memory.close();
    assertEquals(0, breaker.getUsed());
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(plain);
    }
    return compressed.toByteArray();
  }

  private FeatureSet featureSet(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      return FeatureSet.read("fs", Door.within(parser));
    }
  }

  public void testVersionDependsOnContentAlone() throws Exception {
    String one = "{\"features\":[{\"name\":\"a\",\"type\":\"first_pass_score\"}],";
    FeatureSet set = featureSet(one + "\"default_params\":{\"x\":1,\"y\":{\"p\":1,\"q\":null}}}");
    FeatureSet same = featureSet(one + "\"default_params\":{\"y\":{\"q\":null,\"p\":1},\"x\":1}}");
    FeatureSet other = featureSet(one + "\"default_params\":{\"x\":2}}");
    Map<String, String> map = new TreeMap<>(Map.of("f", "a", "g", "a"));
    ReadOptions none = ReadOptions.NONE;
    String version = ModelVersion.of("sha", "xgboost_json", none, set, map);
    assertEquals(32, version.length());
    assertEquals(
        version, ModelVersion.of("sha", "xgboost_json", none, same, Map.of("g", "a", "f", "a")));
    assertNotEquals(version, ModelVersion.of("sha2", "xgboost_json", none, set, map));
    assertNotEquals(version, ModelVersion.of("sha", "lightgbm_text", none, set, map));
    assertNotEquals(version, ModelVersion.of("sha", "xgboost_json", none, other, map));
    assertNotEquals(version, ModelVersion.of("sha", "xgboost_json", none, set, Map.of()));
    // What it was before there were options besides the output.
    assertEquals("0b725f962c3a712d64b0b38f31c08e5a", version);
    OptionalInt any = OptionalInt.empty();
    Set<String> versions = new HashSet<>(Set.of(version));
    for (ReadOptions options :
        List.of(
            ReadOptions.ofOutput(OptionalInt.of(0)),
            new ReadOptions(any, Map.of(), "model"),
            new ReadOptions(any, Map.of("f", List.of("a", "b")), ""),
            new ReadOptions(any, Map.of("f", List.of("b", "a")), ""),
            new ReadOptions(any, Map.of("g", List.of("a", "b")), ""))) {
      assertTrue(versions.add(ModelVersion.of("sha", "xgboost_json", options, set, map)));
    }
  }

  private static ModelManifest randomManifest(String name) {
    return new ModelManifest(
        new ModelId(name, randomAlphaOfLength(32)),
        randomAlphaOfLength(20),
        randomAlphaOfLength(64),
        randomNonNegativeLong(),
        randomNonNegativeLong(),
        randomIntBetween(1, 1_000),
        randomNonNegativeLong(),
        randomNonNegativeLong(),
        new ModelManifest.Checksums(randomAlphaOfLength(64), randomAlphaOfLength(64)));
  }

  private static Shares randomShares() {
    Map<String, Integer> shares = new HashMap<>();
    for (int i = randomIntBetween(1, Shares.MAX_MODELS); i > 0; i--) {
      shares.put("m" + i, randomIntBetween(1, Shares.MAX_SHARE));
    }
    return new Shares(shares);
  }

  public void testMetadataSurvivesDiskAndWire() throws Exception {
    ModelsMetadata models = ModelsMetadata.EMPTY;
    for (int i = 0; i < randomIntBetween(0, 5); i++) {
      models = models.with(randomManifest("m" + i));
    }
    for (int i = 0; i < randomIntBetween(0, 3); i++) {
      models =
          models.with(
              new ModelAlias("a" + i, randomShares(), randomBoolean() ? randomShares() : null));
    }
    XContentType type = randomFrom(XContentType.values());
    BytesReference written;
    try (XContentBuilder builder = XContentBuilder.builder(type.xContent())) {
      builder.startObject();
      models.toXContent(builder, ToXContent.EMPTY_PARAMS);
      written = BytesReference.bytes(builder.endObject());
    }
    try (XContentParser parser = createParser(type.xContent(), written)) {
      parser.nextToken();
      assertEquals(models, ModelsMetadata.fromXContent(parser));
    }
    assertEquals(models, copy(models, ModelsMetadata::read));
    ClusterState state = models.in(ClusterState.builder(ClusterName.DEFAULT).build());
    assertEquals(models, ModelsMetadata.of(state));
    ModelsMetadata without = models.without("m0");
    assertNull(without.get("m0"));
    assertEquals(Math.max(0, models.models().size() - 1), without.models().size());
    assertEquals(models.aliases(), without.aliases());
  }

  private ModelsMetadata metadata(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      parser.nextToken();
      return ModelsMetadata.fromXContent(parser);
    }
  }

  public void testMetadataOfANewerBuildOrNone() throws Exception {
    ModelsMetadata newer =
        metadata(
            "{\"later\":{\"x\":[1]},\"aliases\":[{\"name\":\"a\",\"model\":\"m\",\"later\":{}}],"
                + "\"wire\":1000000}");
    assertEquals(Map.of("a", new ModelAlias("a", "m", null)), newer.aliases());
    assertEquals(Wire.CURRENT, newer.wire());
    ModelsMetadata none = metadata("{}");
    assertEquals(Map.of(), none.models());
    assertEquals(Map.of(), none.aliases());
    assertEquals(0, none.wire());
    Exception failure =
        expectThrows(
            XContentParseException.class, () -> metadata("{\"models\":[{\"name\":\"m\"}]}"));
    assertThat(failure.getMessage(), containsString("failed to parse field [models]"));
    assertThat(failure.getCause().getMessage(), containsString("version"));
  }

  public void testSearchesAreSharedOutByTheirKeys() {
    ModelsMetadata models =
        ModelsMetadata.EMPTY.with(randomManifest("m")).with(randomManifest("n"));
    Shares shares = new Shares(Map.of("m", 90, "n", 10));
    ModelsMetadata shared = models.with(new ModelAlias("a", shares, null));
    int keys = 20_000;
    int drawn = 0;
    int moved = 0;
    for (int i = 0; i < keys; i++) {
      String key = "user " + i;
      String model = shares.draw("a", key);
      assertEquals(model, new Shares(Map.of("n", 9, "m", 81)).draw("a", key));
      assertEquals(models.get(model), shared.resolve("a", () -> key));
      drawn += model.equals("n") ? 1 : 0;
      String other = new Shares(Map.of("m", 80, "n", 20)).draw("a", key);
      assertTrue("who has the growing one keeps it", model.equals("m") || other.equals("n"));
      moved += model.equals(other) ? 0 : 1;
    }
    // By ten standard deviations of the 2,000 that are expected.
    assertEquals(0.1 * keys, drawn, 430);
    assertEquals(0.1 * keys, moved, 430);
    assertEquals(
        "a model of its own name needs no key", models.get("n"), shared.resolve("n", () -> "x"));
    assertEquals(models.get("m"), shared.resolve("a"));
    assertEquals(1, shared.aliasesOf("n").size());
  }

  public void testSharesAreChecked() {
    for (Map<String, Integer> wrong :
        List.of(
            Map.<String, Integer>of(),
            Map.of("a", 0),
            Map.of("a", -1),
            Map.of("a", 1, "b", Shares.MAX_SHARE + 1))) {
      expectThrows(IllegalArgumentException.class, () -> new Shares(wrong));
    }
    assertEquals(Shares.all("a"), new Shares(Map.of("a", 17)));
    assertEquals("a", new Shares(Map.of("b", 5, "a", 5)).main());
  }

  public void testAliasesStandForModels() {
    ModelsMetadata models =
        ModelsMetadata.EMPTY.with(randomManifest("m")).with(randomManifest("n"));
    ModelAlias alias = new ModelAlias("a", "m", null);
    ModelsMetadata aliased = models.with(alias);
    assertEquals(models.get("m"), aliased.resolve("a"));
    assertEquals(models.get("n"), aliased.resolve("n"));
    expectThrows(ResourceNotFoundException.class, () -> aliased.resolve("b"));
    assertNull("an alias is no model", aliased.get("a"));
    assertEquals(List.of(alias), aliased.aliasesOf("m"));
    assertEquals(List.of(), aliased.aliasesOf("n"));
    ModelAlias moved = alias.movedTo(Shares.all("n"));
    assertEquals(new ModelAlias("a", "n", "m"), moved);
    assertEquals(moved, moved.movedTo(Shares.all("n")));
    assertEquals(new ModelAlias("a", "m", "n"), moved.movedTo(Shares.all("m")));
    assertEquals(models, aliased.with(moved).withoutAlias("a"));
  }

  private static <T extends Writeable> T copy(Writeable value, Writeable.Reader<T> reader)
      throws IOException {
    try (var out = new BytesStreamOutput()) {
      value.writeTo(out);
      try (StreamInput in = out.bytes().streamInput()) {
        T read = reader.read(in);
        assertEquals(-1, in.read());
        return read;
      }
    }
  }

  public void testRangesComeFromTheUploadTheFileOrTheParityRows() {
    TestModel model = TestModel.LIGHTGBM;
    List<String> names = model.ensemble().featureNames();
    Parity parity = new Parity(List.of(new float[names.size()]), new double[] {0}, false, 0);
    Map<String, FeatureRange> given = Map.of(names.getFirst(), new FeatureRange(-1, 2));
    assertEquals(given, FeatureRange.of(upload(given, parity), model.ensemble(), model.file()));
    Map<String, FeatureRange> ofFile =
        FeatureRange.of(upload(Map.of(), parity), model.ensemble(), model.file());
    assertFalse(ofFile.isEmpty());
    assertTrue(names.containsAll(ofFile.keySet()));
    assertEquals(ofFile, FeatureRange.of(Map.of("feature_ranges", FeatureRange.toMap(ofFile))));
    Map<String, FeatureRange> ofRows =
        FeatureRange.of(upload(Map.of(), parity), TestModel.XGBOOST.ensemble(), new byte[0]);
    assertEquals(new FeatureRange(0, 0), ofRows.values().iterator().next());
    expectThrows(
        IllegalArgumentException.class,
        () ->
            FeatureRange.of(
                upload(Map.of("nobody", new FeatureRange(0, 1)), null),
                model.ensemble(),
                model.file()));
    expectThrows(IllegalArgumentException.class, () -> new FeatureRange(2, 1));
  }

  private static ModelUpload upload(Map<String, FeatureRange> ranges, Parity parity) {
    return new ModelUpload(
        "fs",
        ModelFormat.AUTO,
        ReadOptions.NONE,
        new byte[1],
        Map.of(),
        ranges,
        parity,
        false,
        false);
  }

  public void testStatesSurviveTheWire() throws Exception {
    ModelState state =
        new ModelState(
            new ModelId("m", "v"),
            randomFrom(Phase.values()),
            randomDouble(),
            randomBoolean(),
            "qs",
            randomNonNegativeLong(),
            randomIntBetween(0, 9),
            List.of("qs"),
            randomAlphaOfLength(5));
    assertEquals(state, copy(state, WireRecord.reader(ModelState.class)));
    RescoreStats stats = new RescoreStats();
    stats.bound(List.of(), 3);
    stats.rescored(List.of(), () -> "", () -> "", 200, 5, 6, 7);
    ModelId id = new ModelId("m", "v");
    stats.scored(id, 200, 5, 6);
    stats.failed(List.of(id));
    stats.overBudget(List.of(id), () -> "", () -> "", 200, 5);
    RescoreStats.Counts counts = stats.counts();
    assertEquals(200, counts.counts().of(Measure.Rescore.DOCUMENTS));
    assertEquals(1, counts.counts().of(Measure.Rescore.FAILURES));
    assertEquals(1, counts.counts().of(Measure.Rescore.OVER_BUDGET));
    assertEquals(counts, copy(counts, WireRecord.reader(RescoreStats.Counts.class)));
  }
}
