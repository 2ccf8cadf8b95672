// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.NumberFlow;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Memory and time that a text or a number from outside could choose: regular expressions and
 * formats of texts are constants, and arrays, buffers and collections that live on are listed with
 * their bounds.
 */
public class OutsideSizesTests extends OpenSearchTestCase {
  private static final String PLUGIN = "io/quickscorer/plugin/";

  /** Methods that make an array whose length is no constant and no length, by its bound. */
  private static final Map<String, List<String>> ARRAYS =
      Map.of(
          "the hits of a window, whose number the limits bound",
          List.of(
              "Cascade.kept",
              "EnsembleRescorer$HitKeys.of",
              "GlobalPage.finals",
              "ModelScores.score",
              "Window.of",
              "WindowScale.apply"),
          "values of a window that were charged before",
          List.of("GlobalWindow.logged", "LoggedRows.of", "LoggedRows.only"),
          "a block of documents of a segment",
          List.of(
              "ScorePlan.run",
              "ShardFeatures.targets",
              "TermColumn$Norms.allocate",
              "TermColumn.block"),
          "counts of the features of a model in memory",
          List.of("DriftWindows$Model.empty", "ObservedFeatures.observe"),
          "the terms of a query in memory",
          List.of("TermStatisticsFeature$QueryTerms.ofDocuments"),
          "the dimension of a mapping, at most 16,000",
          List.of("VectorFieldMapper.parseCreateField"),
          "a model's length, which was charged before",
          List.of("Gzip.decompress"));

  /** Methods that make a growing buffer or collection of such a capacity, by its bound. */
  private static final Map<String, List<String>> CAPACITIES =
      Map.of("a model's stored length, which was charged before", List.of("ModelStore.read"));

  /** Methods that make a collection for several threads, by the bound of its size. */
  private static final Map<String, List<String>> SHARED_COLLECTIONS =
      Map.of(
          "has an entry per model of the node; entries of other models are removed",
          List.of(
              "DriftWindows.<init>",
              "ObservedFeatures.<init>",
              "Quarantine.<init>",
              "RecentUses.<init>",
              "RescoreStats.<init>",
              "VerifyStats.<init>"),
          "has a maximum number of entries",
          List.of("ComparisonStats.<init>", "PipelineStats.<init>", "Verifier.<init>"),
          "has an entry per constant of an enumeration",
          List.of("PipelineStats$Pipeline.<init>"));

  private static Set<String> inPlugin(NumberFlow.Finding finding) throws Exception {
    return NumberFlow.inModuleOf(QuickScorerPlugin.class, finding, PLUGIN);
  }

  public void testRegularExpressionsAreConstants() throws Exception {
    assertEquals(Set.of(), inPlugin(NumberFlow.Finding.PATTERN));
  }

  public void testFormatsAreConstants() throws Exception {
    assertEquals(Set.of(), inPlugin(NumberFlow.Finding.FORMAT));
  }

  public void testArraysAreBounded() throws Exception {
    assertEquals(NumberFlow.listed(ARRAYS), inPlugin(NumberFlow.Finding.ARRAY));
  }

  public void testCapacitiesAreBounded() throws Exception {
    assertEquals(NumberFlow.listed(CAPACITIES), inPlugin(NumberFlow.Finding.CAPACITY));
  }

  public void testSharedCollectionsAreBounded() throws Exception {
    assertEquals(
        NumberFlow.listed(SHARED_COLLECTIONS), inPlugin(NumberFlow.Finding.SHARED_COLLECTION));
  }

  /** Each method is a violation. */
  @SuppressWarnings("unused") // read by the rules
  private abstract static class Planted {
    boolean pattern(String text, String given) {
      return text.matches(given);
    }

    String[] split(String text, String given) {
      return text.split(given);
    }

    String format(String given) {
      return String.format(Locale.ROOT, given + ": %d", 3);
    }

    String formatted(String given) {
      return given.formatted(3);
    }

    int[] array(int given) {
      return new int[given];
    }

    float[][] matrix(int given) {
      return new float[2][given];
    }

    Object capacity(int given) {
      return new ByteArrayOutputStream(Math.max(16, given));
    }

    Object shared() {
      return new ConcurrentHashMap<String, String>();
    }
  }

  /** No method is one. */
  @SuppressWarnings("unused") // read by the rules
  private abstract static class Harmless {
    String[] split(String text) {
      return text.split(" ", -1);
    }

    String format(String given) {
      return String.format(Locale.ROOT, "%s: %d", given, 3) + "%s".formatted(given);
    }

    int[] copy(List<Integer> numbers) {
      return new int[numbers.size()];
    }

    int[] bounded(int given) {
      return new int[Math.min(given, 16)];
    }

    Object capacity(byte[] bytes) {
      return new ByteArrayOutputStream(bytes.length + 16);
    }

    Object toArray(List<String> texts) {
      return texts.stream().toArray(String[]::new);
    }
  }

  private static Set<String> in(Class<?> type, NumberFlow.Finding finding) throws Exception {
    String name = type.getName().replace('.', '/');
    Set<String> methods = new TreeSet<>();
    for (String method : NumberFlow.inModuleOf(OutsideSizesTests.class, finding, name)) {
      methods.add(method.substring(method.indexOf('.') + 1));
    }
    return methods;
  }

  public void testTheRulesBite() throws Exception {
    assertEquals(Set.of("pattern", "split"), in(Planted.class, NumberFlow.Finding.PATTERN));
    assertEquals(Set.of("format", "formatted"), in(Planted.class, NumberFlow.Finding.FORMAT));
    assertEquals(Set.of("array", "matrix"), in(Planted.class, NumberFlow.Finding.ARRAY));
    assertEquals(Set.of("capacity"), in(Planted.class, NumberFlow.Finding.CAPACITY));
    assertEquals(Set.of("shared"), in(Planted.class, NumberFlow.Finding.SHARED_COLLECTION));
    for (NumberFlow.Finding finding : NumberFlow.Finding.values()) {
      assertEquals(Set.of(), in(Harmless.class, finding));
    }
  }
}
