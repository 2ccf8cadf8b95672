// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.compile.Engines;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseOptions.EarlierStage;
import io.quickscorer.plugin.rescore.clause.FinalRules;
import io.quickscorer.plugin.rescore.clause.ModelNames;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.Scope;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import io.quickscorer.plugin.rescore.clause.TimeBudget;
import io.quickscorer.plugin.testing.FreeBudget;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchModule;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.test.EqualsHashCodeTestUtils;
import org.opensearch.test.OpenSearchTestCase;

public class EnsembleRescorerBuilderTests extends OpenSearchTestCase {
  private static ModelNames randomNames() {
    return switch (randomIntBetween(0, 2)) {
      case 0 -> ModelNames.of(randomAlphaOfLength(5));
      case 1 -> new ModelNames(List.of("a", "b"), List.of(), randomLong());
      default ->
          new ModelNames(
              List.of("a", "b", "c"),
              List.of("d"),
              null,
              randomAlphaOfLength(3),
              randomFrom("", "autumn"));
    };
  }

  private static EnsembleRescorerBuilder randomBuilder() {
    ModelNames names = randomNames();
    Scope scope = randomFrom(Scope.values());
    boolean staged = scope == Scope.SHARD && names.models().size() == 1 && randomBoolean();
    FinalRules cuts = new FinalRules("score * 2 + field.x", randomBoolean() ? null : 0.5, 7);
    ClauseOptions options =
        new ClauseOptions(
            names,
            null,
            Map.of("q", randomAlphaOfLength(5), "n", randomInt(), "list", List.of("a", 2)),
            randomBoolean(),
            new ScoreCombination(
                randomFrom(ScoreCombination.Mode.values()), randomFloat(), randomFloat()),
            staged ? OutsideWindow.DROP : randomFrom(OutsideWindow.values()),
            randomBoolean(),
            randomFrom(Engines.names()),
            randomBoolean() ? null : new TimeBudget(randomIntBetween(0, 1000), randomBoolean()),
            randomBoolean() ? null : TimeValue.timeValueMillis(randomIntBetween(0, 1000)),
            scope,
            scope == Scope.SHARD || names.seed() != null ? FinalRules.NONE : cuts,
            staged ? randomStages() : List.of());
    return new EnsembleRescorerBuilder(options, () -> null).windowSize(randomIntBetween(1, 1000));
  }

  private static List<EarlierStage> randomStages() {
    EarlierStage first =
        new EarlierStage(
            "first",
            randomIntBetween(500, 900),
            new ScoreCombination(
                randomFrom(ScoreCombination.Mode.values()), randomFloat(), randomFloat()),
            randomBoolean(),
            randomFrom(Engines.names()));
    EarlierStage second =
        new EarlierStage(
            "second", randomIntBetween(1, 499), ScoreCombination.REPLACE, false, Algorithm.AUTO);
    return randomBoolean() ? List.of(first) : List.of(first, second);
  }

  private static EnsembleRescorerBuilder copy(EnsembleRescorerBuilder builder) throws IOException {
    BytesStreamOutput out = new BytesStreamOutput();
    builder.writeTo(out);
    NamedWriteableRegistry registry =
        new NamedWriteableRegistry(
            new SearchModule(Settings.EMPTY, List.of()).getNamedWriteables());
    return new EnsembleRescorerBuilder(
        new NamedWriteableAwareStreamInput(out.bytes().streamInput(), registry), () -> null);
  }

  public void testSurvivesTheWire() throws IOException {
    EqualsHashCodeTestUtils.checkEqualsAndHashCode(
        randomBuilder(),
        EnsembleRescorerBuilderTests::copy,
        b -> copy(b).windowSize(b.windowSize() + 1));
  }

  public void testSurvivesJson() throws IOException {
    EnsembleRescorerBuilder builder = randomBuilder();
    NamedXContentRegistry registry =
        new NamedXContentRegistry(
            List.of(
                new NamedXContentRegistry.Entry(
                    RescorerBuilder.class,
                    new ParseField(EnsembleRescorerBuilder.NAME),
                    p ->
                        EnsembleRescorerBuilder.parse(
                            p, FreeBudget.create().memory(), () -> null))));
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(registry, null, builder.toString())) {
      parser.nextToken();
      assertEquals(builder, RescorerBuilder.parseFromXContent(parser));
    }
  }

  public void testFeatureSetAloneIsForLogging() throws IOException {
    try (XContentParser parser =
        createParser(JsonXContent.jsonXContent, "{\"feature_set\":\"s\"}")) {
      parser.nextToken();
      assertTrue(ClauseOptions.parse(parser, FreeBudget.create().memory()).log());
    }
  }

  public void testWindowMustBePositive() {
    for (int size : new int[] {0, -1, Integer.MIN_VALUE}) {
      expectThrows(IllegalArgumentException.class, () -> randomBuilder().windowSize(size));
    }
    assertEquals(
        EnsembleRescorerBuilder.DEFAULT_WINDOW_SIZE,
        (int)
            new EnsembleRescorerBuilder(
                    new ClauseOptions(
                        ModelNames.of("m"),
                        null,
                        Map.of(),
                        false,
                        ScoreCombination.REPLACE,
                        OutsideWindow.MIX,
                        false,
                        Algorithm.AUTO,
                        null,
                        null,
                        Scope.SHARD,
                        FinalRules.NONE,
                        List.of()),
                    () -> null)
                .windowSize());
  }

  public void testParsingErrorsSayWhere() throws IOException {
    String eight = "\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\"";
    for (String json :
        List.of(
            "{}",
            "{\"model\":3}",
            "{\"x\":1}",
            "{\"model\":\"m\",\"log\":1}",
            "{\"model\":\"m\",\"models\":[\"n\"]}",
            "{\"models\":[]}",
            "{\"models\":[1]}",
            "{\"models\":[\"m\",\"m\"]}",
            "{\"models\":[" + eight + "],\"shadow_models\":[\"8\"]}",
            "{\"model\":\"m\",\"shadow_models\":[\"m\"]}",
            "{\"feature_set\":\"s\",\"shadow_models\":[\"m\"]}",
            "{\"model\":\"m\",\"interleave\":{\"seed\":1}}",
            "{\"models\":[\"m\",\"n\"],\"interleave\":{}}",
            "{\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":\"x\"}}",
            "{\"model\":\"m\",\"budget_ms\":-1}",
            "{\"model\":\"m\",\"budget_ms\":1.5}",
            "{\"model\":\"m\",\"on_budget\":\"error\"}",
            "{\"model\":\"m\",\"final\":3}",
            "{\"model\":\"m\",\"final\":\"\"}",
            "{\"model\":\"m\",\"final\":\"score +\"}",
            "{\"model\":\"m\",\"final\":\"doc.price\"}",
            "{\"feature_set\":\"s\",\"final\":\"score\"}",
            "{\"model\":\"m\",\"min_model_score\":0}",
            "{\"model\":\"m\",\"max_rank\":9}",
            "{\"model\":\"m\",\"scope\":\"global\",\"max_rank\":0}",
            "{\"model\":\"m\",\"scope\":\"global\",\"max_rank\":1.5}",
            "{\"model\":\"m\",\"scope\":\"global\",\"max_rank\":\"9\"}",
            "{\"models\":[\"m\",\"n\"],\"scope\":\"global\",\"max_rank\":9,\"interleave\":{\"seed\":1}}",
            "{\"model\":\"m\",\"budget_ms\":1,\"on_budget\":\"x\"}",
            "{\"stages\":[]}",
            "{\"stages\":3}",
            "{\"model\":\"m\",\"outside_window\":\"x\"}")) {
      try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
        parser.nextToken();
        ParsingException e =
            expectThrows(
                ParsingException.class,
                () -> ClauseOptions.parse(parser, FreeBudget.create().memory()));
        assertTrue(e.getMessage(), e.getMessage().contains("[quickscorer]"));
        assertEquals(1, e.getLineNumber());
      }
    }
  }

  public void testInvalidJsonSaysWhere() throws IOException {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{\"model\":\"m\",\"model\":\"n\"}",
                "duplicate field [model]",
                "{\"model\":\"m\",\"params\":{\"a\":1,\"a\":2}}",
                "duplicate field [a]",
                "{\"model\":\"m\",\"params\":{\"a\":[1,NaN]}}",
                "at params.a[0]")
            .entrySet()) {
      try (XContentParser parser = createParser(JsonXContent.jsonXContent, wrong.getKey())) {
        parser.nextToken();
        ParsingException e =
            expectThrows(
                ParsingException.class,
                () -> ClauseOptions.parse(parser, FreeBudget.create().memory()));
        String separator = wrong.getValue().startsWith("at") ? ", " : ": ";
        assertEquals("[quickscorer] not valid json" + separator + wrong.getValue(), e.getMessage());
      }
    }
  }

  public void testWhatIsWrongWithStagesNamesTheStage() throws IOException {
    String first = "{\"model\":\"a\",\"keep\":50}";
    String last = "{\"model\":\"b\"}";
    Map<String, String> wrong = new HashMap<>();
    wrong.put(last, "[stages] must have 2 to 3 stages, not 1");
    wrong.put(
        first + ",{\"model\":\"c\",\"keep\":9}",
        "stage 2: [keep] is not allowed in the last stage");
    wrong.put(
        last + "," + last,
        "stage 1: [keep] is missing; it is the number of hits that stage 2 ranks");
    wrong.put(
        "{\"keep\":5}," + last,
        "stage 1: [model] is missing; to rank only the best hits of the first");
    wrong.put(first + ",{}", "stage 2: [model] is missing");
    wrong.put(first + ",7", "stages[1]: expected an object");
    wrong.put("{\"model\":\"a\",\"keep\":0}," + last, "stage 1: [keep] must be 1 or more, not 0");
    wrong.put(
        "{\"model\":\"a\",\"keep\":\"5\"}," + last,
        "stages[0].keep: expected a number, not a string");
    wrong.put(first + ",{\"model\":\"b\",\"log\":true}", "stages[1]: unknown field [log]");
    wrong.put(
        first + "," + first + "," + last, "stage 2: [keep] 50 must be less than the 50 hits that");
    wrong.put(first + ",{\"model\":\"a\"}", "[stages] name model [a] twice");
    wrong.put(
        first + ",{\"model\":\"b\",\"score_mode\":\"x\"}",
        "stages[1].score_mode: [score_mode] must be one of");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      assertRefused("{\"stages\":[" + each.getKey() + "]}", each.getValue());
    }
    String beside = "{\"stages\":[" + first + "," + last + "],";
    assertRefused(
        beside + "\"model\":\"m\"}",
        "[stages] cannot be used with [model], [models], [interleave]");
    assertRefused(beside + "\"score_mode\":\"max\"}", "put these fields into the stages");
    assertRefused(
        beside + "\"scope\":\"global\"}",
        "[stages] cannot be used with [models] or [scope] global");
    assertRefused(
        beside + "\"outside_window\":\"mix\"}",
        "[stages] cannot be used with [outside_window] mix");
  }

  private void assertRefused(String json, String message) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      parser.nextToken();
      ParsingException e =
          expectThrows(
              ParsingException.class,
              () -> ClauseOptions.parse(parser, FreeBudget.create().memory()));
      assertThat(json, e.getMessage(), containsString(message));
    }
  }
}
