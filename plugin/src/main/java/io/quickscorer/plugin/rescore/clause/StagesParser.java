// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.template.WellFormed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/** Reads the {@code stages} of a clause strictly; what is wrong names its stage, from 1. */
final class StagesParser {
  /** The fields of a stage, and how the value of each begins. */
  static final Map<String, Token> FIELDS = fields();

  private final List<EarlierStage> earlier = new ArrayList<>();
  private @Nullable String lastModel;
  private ScoringFields last = new ScoringFields();

  private StagesParser() {}

  private static Map<String, Token> fields() {
    Map<String, Token> fields = new HashMap<>(ScoringFields.FIELDS);
    fields.put(EarlierStage.MODEL, Token.VALUE_STRING);
    fields.put(EarlierStage.KEEP, Token.VALUE_NUMBER);
    return Map.copyOf(fields);
  }

  /** One stage as it is written. */
  private record Written(@Nullable String model, @Nullable Integer keep, ScoringFields scoring) {
    String model(int count) {
      if (model == null) {
        throw new IllegalArgumentException(
            "expected a [model]"
                + (count == 1
                    ? "; for the best hits of the first pass take fewer: [window_size]"
                    : ""));
      }
      return model;
    }

    EarlierStage earlier(int number) {
      if (keep == null) {
        throw new IllegalArgumentException(
            "expected [keep]: how many hits go on to stage " + (number + 1));
      }
      return new EarlierStage(
          model(number),
          keep,
          scoring.combination(),
          scoring.transformed(),
          scoring.algorithm(),
          scoring.plan());
    }
  }

  /**
   * @param parser at the start of the array
   * @throws IllegalArgumentException naming the stage
   */
  static StagesParser parse(XContentParser parser) throws IOException {
    List<Written> written = new ArrayList<>();
    while (parser.nextToken() != Token.END_ARRAY) {
      int number = written.size() + 1;
      written.add(inStage(number, () -> stage(parser)));
    }
    StagesParser stages = new StagesParser();
    for (int s = 0; s < written.size(); s++) {
      int number = s + 1;
      Written stage = written.get(s);
      if (number < written.size()) {
        stages.earlier.add(inStage(number, () -> stage.earlier(number)));
        continue;
      }
      if (stage.keep != null) {
        throw new IllegalArgumentException(
            "stage " + number + ": [keep] is not for the last stage, which ranks all its hits");
      }
      stages.lastModel = inStage(number, () -> stage.model(number));
      stages.last = stage.scoring;
    }
    ClauseOptions.checkStages(written.size());
    return stages;
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> T inStage(int number, Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("stage " + number + ": " + e.getMessage(), e);
    }
  }

  private static Written stage(XContentParser parser) throws IOException {
    if (parser.currentToken() != Token.START_OBJECT) {
      throw new IllegalArgumentException("expected an object");
    }
    String model = null;
    Integer keep = null;
    ScoringFields scoring = new ScoringFields();
    while (parser.nextToken() != Token.END_OBJECT) {
      String field = parser.currentName();
      String unexpected = ClauseParser.unexpected(FIELDS, field, parser.nextToken());
      if (unexpected != null) {
        throw new IllegalArgumentException(unexpected);
      }
      switch (field) {
        case EarlierStage.MODEL -> model = WellFormed.text("name", parser.text());
        case EarlierStage.KEEP -> keep = parser.intValue(false);
        default -> scoring.read(field, parser);
      }
    }
    return new Written(model, keep, scoring);
  }

  /** The stages before the last. */
  List<EarlierStage> earlier() {
    return earlier;
  }

  /** The model of the last stage. */
  String lastModel() {
    return String.valueOf(lastModel);
  }

  /** How the last stage scores. */
  ScoringFields last() {
    return last;
  }
}
