// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.GrowingFields;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.SlowPatterns;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Memory and time that a text or a number from outside could choose: regular expressions are
 * constants that read each character a few times, formats of texts are constants, and arrays,
 * buffers and collections that live on are listed with their bounds.
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
              "GlobalOrder.finals",
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
          List.of("ObservedFeatures.observe"),
          "the terms of a query in memory",
          List.of("TermStatisticsFeature$QueryTerms.ofDocuments"),
          "the dimension of a mapping, at most 16,000",
          List.of("VectorFieldMapper.parseCreateField"),
          "a model's length, which was charged before",
          List.of("Gzip.decompress"));

  /** Methods that make a growing buffer or collection of such a capacity, by its bound. */
  private static final Map<String, List<String>> CAPACITIES =
      Map.of("a model's stored length, which was charged before", List.of("ModelStore.read"));

  /** Fields of the node's objects with a collection that may grow, by the bound of its size. */
  private static final Map<String, List<String>> FIELDS =
      Map.of(
          "has an entry per model of the node; entries of other models are removed",
          List.of(
              "DriftWindows.models",
              "LoadMarks.died",
              "LoadMarks.failures",
              "LoadMarks.quarantined",
              "LoadOrder.aliased",
              "LoadQueue.waiting",
              "ModelRegistry.current",
              "ModelRegistry.slots",
              "ObservedFeatures.models",
              "Quarantine.engines",
              "RecentUses.uses",
              "RecentUses.written",
              "RescoreStats.models",
              "SearchWarmUp.done",
              "SearchWarmUp.pending",
              "Verifier.logged",
              "VerifyStats.models"),
          "has a maximum number of entries or bytes",
          List.of(
              "ComparisonStats.agreements",
              "ComparisonStats.draws",
              "DerivedCache.entries",
              "FeatureSetStore.parsed: Cache",
              "FeaturesCache.entries",
              "IdleBuffers$Kept.kept",
              "LoggedRowStore.waiting",
              "LuceneExpression$Compiled.cache: Cache",
              "PipelineStats.pipelines",
              "SearchWarmUp.warm",
              "Verifier.firsts"),
          "has an entry per charge or request that has not ended",
          List.of("LoadMarks.open", "MemoryCharge.OPEN", "WaitingListeners.waiting"),
          "has an entry per constant, setting or declared field",
          List.of(
              "Counters.counts",
              "NodeMetrics.NO_LABELS",
              "SearchSettings.current",
              "Shape.fields",
              "SlowLog.THRESHOLDS",
              "SlowLog.nanos",
              "TelemetryMetrics.counters"),
          "columns of a model in memory",
          List.of("DriftWindows$Model.counts", "DriftWindows$Model.names"),
          "belongs to a request or a feature set while it is read",
          List.of(
              "ClauseParser.models",
              "ClauseParser.params",
              "ClauseParser.scoringNames",
              "ClauseParser.shadows",
              "ExportedModel$Fields.file",
              "ExportedModel$Fields.metadata",
              "LogRequest$Query.ids",
              "LogRequest$Query.labels",
              "LogRequest$Search.params",
              "ModelUpload$Envelope.featureMap",
              "ModelUpload$Envelope.featureRanges",
              "Parity$Fields.rows",
              "QueryTemplate.lists",
              "QueryTemplate.optional",
              "QueryTemplate.parts",
              "QueryTemplate.values",
              "ReadFields.categories"));

  private static Set<String> inPlugin(NumberFlow.Finding finding) throws Exception {
    return NumberFlow.inModuleOf(QuickScorerPlugin.class, finding, PLUGIN);
  }

  public void testRegularExpressionsAreConstants() throws Exception {
    assertEquals(Set.of(), inPlugin(NumberFlow.Finding.PATTERN));
    assertEquals(Set.of(), SlowPatterns.inModuleOf(QuickScorerPlugin.class, PLUGIN));
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

  /** Other collections for several threads would live as long as a field that has none of ours. */
  public void testSharedCollectionsBelongToFields() throws Exception {
    Set<String> methods = new TreeSet<>(inPlugin(NumberFlow.Finding.SHARED_COLLECTION));
    methods.removeIf(method -> method.endsWith(".<init>") || method.endsWith(".<clinit>"));
    assertEquals(Set.of(), methods);
  }

  public void testGrowingFieldsAreBounded() throws Exception {
    assertEquals(NumberFlow.listed(FIELDS), GrowingFields.inModuleOf(QuickScorerPlugin.class));
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

  /** Each method has an expression that reads characters again and again. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Backtracking {
    boolean nested(String text) {
      return text.matches("(a+)+b");
    }

    boolean optional(String text) {
      return Pattern.matches("(?:\\w+\\.?){1,16}", text);
    }

    String overlapping(String text) {
      return text.replaceAll("id\\s*\\W*:", "id:");
    }

    String fromEachPlace(String text) {
      return text.replaceFirst("/+$", "");
    }
  }

  /** Its fields are found if they belong to an object that lives on. */
  @SuppressWarnings("unused") // read by the rule
  private static final class Living {
    private static final Set<String> FOUND_STATIC = ConcurrentHashMap.newKeySet();

    private final Map<String, LivingElement> foundMap = new HashMap<>();
    private final Map<Locale.Category, Long> foundOfOthers = new TreeMap<>();
    private final Map<LivingElement.Key, List<String>> foundLists = new HashMap<>();
    private List<String> foundReplaced = List.of();
    private final List<String> given;
    private final Set<String> copy;

    Living(List<String> given) {
      this.given = given;
      copy = Set.copyOf(given);
    }

    void add(String text) {
      foundReplaced = Stream.concat(foundReplaced.stream(), Stream.of(text)).toList();
    }
  }

  @SuppressWarnings("unused") // read by the rule
  private static final class LivingElement {
    private enum Key {
      ONE
    }

    private final Deque<Long> foundInner = new ArrayDeque<>();
    private final Map<Key, Long> bounded = new ConcurrentHashMap<>();
  }

  @SuppressWarnings("unused") // read by the rule
  private static final class OfARequest {
    private final List<String> items = new ArrayList<>();
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

  public void testSlowPatternsAreFound() throws Exception {
    String planted = Backtracking.class.getName().replace('.', '/');
    Set<String> methods = new TreeSet<>();
    for (Method method : Backtracking.class.getDeclaredMethods()) {
      methods.add("OutsideSizesTests$Backtracking." + method.getName());
    }
    assertEquals(methods, SlowPatterns.inModuleOf(OutsideSizesTests.class, planted));
  }

  public void testGrowingFieldsAreFound() throws Exception {
    Set<String> found = GrowingFields.inModuleOf(Living.class);
    found.removeIf(field -> !field.startsWith("OutsideSizesTests$"));
    assertEquals(
        Set.of(
            "OutsideSizesTests$Living.FOUND_STATIC",
            "OutsideSizesTests$Living.foundLists",
            "OutsideSizesTests$Living.foundMap",
            "OutsideSizesTests$Living.foundOfOthers",
            "OutsideSizesTests$Living.foundReplaced",
            "OutsideSizesTests$LivingElement.foundInner"),
        found);
  }
}
