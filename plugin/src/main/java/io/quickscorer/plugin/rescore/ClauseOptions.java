package io.quickscorer.plugin.rescore;

import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.plan.BatchPlans;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * What a user writes in the {@code quickscorer} clause. Immutable.
 *
 * @param model the model's name, or null if {@code featureSet} is given
 * @param featureSet a feature set to log for hits that keep their order, or null
 * @param params values for the features' parameters
 * @param log whether each hit shows its feature values
 * @param combination how first-pass and model score are combined
 * @param outsideWindow what becomes of hits beyond the window
 * @param transformed whether the model's score is its trainer's transformed output, not the raw one
 * @param algorithm the engine asked for
 * @param plan the plans prescribed instead, or null
 */
record ClauseOptions(
    @Nullable String model,
    @Nullable String featureSet,
    Map<String, Object> params,
    boolean log,
    ScoreCombination combination,
    OutsideWindow outsideWindow,
    boolean transformed,
    Algorithm algorithm,
    @Nullable BatchPlans plan)
    implements Writeable, ToXContentFragment {

  ClauseOptions {
    if ((model == null) == (featureSet == null)) {
      throw new IllegalArgumentException("expected one of [model] and [feature_set]");
    }
    if (algorithm != Algorithm.AUTO && plan != null) {
      throw new IllegalArgumentException("expected one of [algorithm] and [plan]");
    }
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  ClauseOptions(StreamInput in) throws IOException {
    this(
        in.readOptionalString(),
        in.readOptionalString(),
        map(in),
        in.readBoolean(),
        new ScoreCombination(in),
        in.readEnum(OutsideWindow.class),
        in.readBoolean(),
        Algorithm.of(in.readString()),
        plan(in.readOptionalString()));
  }

  /** Whether the model's own engine scores, as it was compiled when it was loaded. */
  boolean usesOwnEngine() {
    return algorithm == Algorithm.AUTO && plan == null;
  }

  private static @Nullable BatchPlans plan(@Nullable String text) {
    return text == null ? null : BatchPlans.parse(text);
  }

  private static Map<String, Object> map(StreamInput in) throws IOException {
    Map<String, Object> map = in.readMap();
    return map == null ? Map.of() : map;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeOptionalString(model);
    out.writeOptionalString(featureSet);
    out.writeMap(params);
    out.writeBoolean(log);
    combination.writeTo(out);
    out.writeEnum(outsideWindow);
    out.writeBoolean(transformed);
    out.writeString(algorithm.label());
    out.writeOptionalString(plan == null ? null : plan.toString());
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params ignored) throws IOException {
    if (model != null) {
      builder.field("model", model);
    }
    if (featureSet != null) {
      builder.field("feature_set", featureSet);
    }
    builder.field("params", params);
    builder.field("log", log);
    builder.field("score_mode", combination.mode().toString());
    builder.field("first_pass_weight", combination.firstPassWeight());
    builder.field("model_weight", combination.modelWeight());
    builder.field("outside_window", outsideWindow.toString());
    builder.field("output", transformed ? "transformed" : "raw");
    builder.field("algorithm", algorithm.label());
    if (plan != null) {
      builder.field("plan", plan.toString());
    }
    return builder;
  }

  /**
   * Reads the clause's object.
   *
   * @param parser at the object's start
   * @throws ParsingException if a field is unknown or has the wrong type or value
   */
  static ClauseOptions parse(XContentParser parser) throws IOException {
    String model = null;
    String featureSet = null;
    Map<String, Object> params = Map.of();
    boolean log = false;
    ScoreCombination.Mode mode = ScoreCombination.Mode.REPLACE;
    float firstPassWeight = 1;
    float modelWeight = 1;
    OutsideWindow outside = OutsideWindow.KEEP_BELOW;
    boolean transformed = false;
    Algorithm algorithm = Algorithm.AUTO;
    BatchPlans plan = null;
    String field = "";
    XContentParser.Token token;
    while ((token = parser.nextToken()) != XContentParser.Token.END_OBJECT) {
      if (token == XContentParser.Token.FIELD_NAME) {
        field = parser.currentName();
        continue;
      }
      expect(field, token, parser);
      try {
        switch (field) {
          case "model" -> model = parser.text();
          case "feature_set" -> featureSet = parser.text();
          case "params" -> params = parser.mapOrdered();
          case "log" -> log = parser.booleanValue();
          case "score_mode" -> mode = ScoreCombination.Mode.of(parser.text());
          case "first_pass_weight" -> firstPassWeight = parser.floatValue();
          case "model_weight" -> modelWeight = parser.floatValue();
          case "outside_window" -> outside = OutsideWindow.of(parser.text());
          case "output" -> transformed = transformed(parser.text());
          case "plan" -> plan = BatchPlans.parse(parser.text());
          default -> algorithm = Algorithm.of(parser.text());
        }
      } catch (IllegalArgumentException e) {
        throw new ParsingException(
            parser.getTokenLocation(), "[quickscorer] " + field + ": " + e.getMessage(), e);
      }
    }
    try {
      return new ClauseOptions(
          model,
          featureSet,
          params,
          log || featureSet != null,
          new ScoreCombination(mode, firstPassWeight, modelWeight),
          outside,
          transformed,
          algorithm,
          plan);
    } catch (IllegalArgumentException e) {
      throw new ParsingException(parser.getTokenLocation(), "[quickscorer] " + e.getMessage(), e);
    }
  }

  private static void expect(String field, XContentParser.Token token, XContentParser parser) {
    XContentParser.Token expected =
        switch (field) {
          case "model",
              "feature_set",
              "score_mode",
              "outside_window",
              "output",
              "algorithm",
              "plan" ->
              XContentParser.Token.VALUE_STRING;
          case "params" -> XContentParser.Token.START_OBJECT;
          case "log" -> XContentParser.Token.VALUE_BOOLEAN;
          case "first_pass_weight", "model_weight" -> XContentParser.Token.VALUE_NUMBER;
          default ->
              throw new ParsingException(
                  parser.getTokenLocation(), "[quickscorer] unknown field [" + field + "]");
        };
    if (token != expected) {
      throw new ParsingException(
          parser.getTokenLocation(),
          "[quickscorer] "
              + field
              + ": expected "
              + expected.name().toLowerCase(Locale.ROOT)
              + ", not "
              + token.name().toLowerCase(Locale.ROOT));
    }
  }

  private static boolean transformed(String output) {
    return switch (output) {
      case "raw" -> false;
      case "transformed" -> true;
      default -> throw new IllegalArgumentException("must be raw or transformed");
    };
  }
}
