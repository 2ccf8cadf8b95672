// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.SingleSearches;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.HeldOut;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import io.quickscorer.train.trainer.CategoryLine;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The logged hits of judged queries, in three parts that share no near-duplicate queries.
 *
 * @param reached a sentence on how many relevant documents are among the hits
 * @param learning hits to learn from
 * @param rows of these, or of single searches with them
 * @param clicks sentences on the single searches; empty if the rows are judged
 * @param validation hits for early stopping; may be empty
 * @param heldOut hits for the evaluation only
 */
record TrainingData(
    FeatureLog log,
    String reached,
    List<FeatureRows.Hits> learning,
    FeatureRows rows,
    List<String> clicks,
    List<FeatureRows.Hits> validation,
    List<FeatureRows.Hits> heldOut) {
  private static final double VALIDATION = 0.15;
  private static final int PARITY_ROWS = 50;

  /**
   * Reads and splits the hits.
   *
   * @param share of the queries to hold out
   * @param allowConstant whether a feature of documents may be the same in all rows
   * @param searches to learn from, with their clicks; null to learn from the judgments
   * @param positions how the trainer learns from the positions of hits
   */
  static TrainingData read(
      Path features,
      Coverage judged,
      double share,
      boolean allowConstant,
      @Nullable Path searches,
      Trainer.Positions positions)
      throws Failure {
    FeatureLog log = FeatureLog.read(features);
    List<FeatureRows.Hits> hits = hits(judged.judgments().queries(), log);
    String reached = judged.logged(hits);
    if (hits.isEmpty()) {
      throw Failure.usage(features + ": " + reached);
    }
    System.out.println("    " + reached);
    ConstantFeatures.check(features, log, hits, allowConstant);
    HeldOut test = HeldOut.together(hits.stream().map(FeatureRows.Hits::query).toList(), share);
    HeldOut validation = HeldOut.together(test.training(), VALIDATION);
    List<FeatureRows.Hits> learning = of(hits, ids(validation.training()));
    FeatureRows rows = FeatureRows.of(learning);
    List<String> clicks = new ArrayList<>();
    if (searches != null) {
      SingleSearches reader = new SingleSearches(learning, judged.ids());
      rows = reader.read(searches, positions == Trainer.Positions.COUNTED);
      clicks.add(rows.groups().size() + " single searches of " + searches + " to learn from");
      reader.leftOut().forEach((why, number) -> clicks.add("left out: " + number + " " + why));
      clicks.forEach(sentence -> System.out.println("    " + sentence));
    }
    TrainingData data =
        new TrainingData(
            log,
            reached,
            learning,
            rows,
            clicks,
            of(hits, ids(validation.test())),
            of(hits, ids(test.test())));
    int groups = rows.groups().size();
    if (groups == 0 || data.heldOut.isEmpty()) {
      throw Failure.usage(
          features
              + ": "
              + groups
              + (searches == null ? " queries" : " searches")
              + " whose hits have different grades to learn from, "
              + data.heldOut.size()
              + " held out; expected some of both: more judgments, or a first pass that finds"
              + " them; "
              + reached);
    }
    return data;
  }

  /** Returns the logged hits of some queries. */
  static List<FeatureRows.Hits> hits(List<JudgedQuery> queries, FeatureLog log) throws Failure {
    try {
      return FeatureRows.read(queries, log.lines());
    } catch (IllegalStateException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the ids of some queries, in order. */
  static Set<String> ids(List<JudgedQuery> queries) {
    Set<String> ids = new TreeSet<>();
    queries.forEach(query -> ids.add(query.id()));
    return ids;
  }

  private static List<FeatureRows.Hits> of(List<FeatureRows.Hits> hits, Set<String> ids) {
    return hits.stream().filter(h -> ids.contains(h.query().id())).toList();
  }

  /** Returns the features of all columns. */
  BitSet allFeatures() {
    BitSet all = new BitSet();
    all.set(0, log.names().size());
    return all;
  }

  /**
   * Trains on some of the features. The others are 0 in all rows, so that no tree tests them; the
   * model keeps all names.
   *
   * @throws IllegalStateException if the trainer refuses the data or an option
   */
  TrainedModel train(Trainer trainer, TrainingOptions options, BitSet features) {
    FeatureRows watched = FeatureRows.of(validation);
    @Nullable FeatureRows stopsBy = watched.groups().isEmpty() ? null : watched.only(features);
    TrainedModel model =
        trainer.train(rows.only(features), stopsBy, log.names(), options, PARITY_ROWS);
    byte[] file =
        CategoryLine.appended(model.file(), log.names(), log.origin().path(LogOrigin.FEATURES));
    return new TrainedModel(
        file, model.sample(), model.expected(), model.toleranceUlp(), model.curve());
  }
}
