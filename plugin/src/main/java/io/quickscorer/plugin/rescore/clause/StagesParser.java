// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.rescore.clause.ClauseOptions.EarlierStage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parsed field {@code stages} of a clause, whose elements are models that rank hits one after
 * the other ({@link BoundClause.Stage}). Error messages number the stages from 1.
 *
 * @param earlier all stages except the last one, in the order in which they rank hits
 * @param lastModel the name of the model that ranks hits last
 * @param last the fields that determine how the last stage's model scores
 */
record StagesParser(List<EarlierStage> earlier, String lastModel, ClauseParser.ScoringFields last) {
  static final Shape<Stage> SHAPE =
      new Shape<Stage>()
          .text(EarlierStage.MODEL, (stage, model) -> stage.model = model)
          .whole(
              EarlierStage.KEEP,
              Integer.MIN_VALUE,
              Integer.MAX_VALUE,
              (stage, keep) -> stage.keep = (int) keep)
          .all(ClauseParser.ScoringFields.SHAPE, (stage, field) -> stage.scoring);

  /** The JSON fields of one stage in a request. */
  static final class Stage {
    private @Nullable String model;
    private @Nullable Integer keep;
    private final ClauseParser.ScoringFields scoring = new ClauseParser.ScoringFields();

    String model(int count) {
      if (model == null) {
        throw new IllegalArgumentException(
            "[model] is missing"
                + (count == 1
                    ? "; to rank only the best hits of the first pass, set a smaller [window_size]"
                    : ""));
      }
      return model;
    }

    EarlierStage earlier(int number) {
      if (keep == null) {
        throw new IllegalArgumentException(
            "[keep] is missing; it is the number of hits that stage " + (number + 1) + " ranks");
      }
      return new EarlierStage(
          model(number), keep, scoring.combination(), scoring.transformed(), scoring.algorithm());
    }
  }

  /**
   * Checks the stages of a request.
   *
   * @throws IllegalArgumentException naming the wrong stage by its number, from 1
   */
  static StagesParser of(List<Stage> written) {
    List<EarlierStage> earlier = new ArrayList<>();
    String lastModel = "";
    ClauseParser.ScoringFields last = new ClauseParser.ScoringFields();
    for (int s = 0; s < written.size(); s++) {
      int number = s + 1;
      Stage stage = written.get(s);
      if (number < written.size()) {
        earlier.add(inStage(number, () -> stage.earlier(number)));
        continue;
      }
      if (stage.keep != null) {
        throw new IllegalArgumentException(
            "stage "
                + number
                + ": [keep] is not allowed in the last stage, which ranks all its hits");
      }
      lastModel = inStage(number, () -> stage.model(number));
      last = stage.scoring;
    }
    ClauseOptions.checkStages(written.size());
    return new StagesParser(earlier, lastModel, last);
  }

  private static <T> T inStage(int number, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("stage " + number + ": " + e.getMessage(), e);
    }
  }
}
