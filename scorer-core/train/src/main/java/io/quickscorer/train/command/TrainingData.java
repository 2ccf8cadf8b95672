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
 * The logged hits of judged queries, in three parts: for training, for early stopping, and held out
 * for the evaluation. Near-duplicate queries are in the same part.
 *
 * @param log the file of logged feature values
 * @param reached a sentence on how many relevant documents are among the logged hits
 * @param learning the hits for training
 * @param rows the training rows: the hits in {@code learning}, or, if clicks are learned directly,
 *     the hits that each search showed
 * @param clicks sentences for the report about the searches; empty if {@code rows} are not from
 *     clicks
 * @param validation the hits for early stopping; may be empty
 * @param heldOut the hits for the evaluation
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
   * Reads the logged hits and splits them into the three parts.
   *
   * @param share the share of the queries to hold out, 0 to 1
   * @param allowConstant whether a feature of documents may have the same value in all rows
   * @param searches a table of searches with their clicks to train on; null to train on judgments
   * @param positions how the trainer gets the positions of hits
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
    List<FeatureRows.Hits> hits = FeatureRows.read(judged.judgments().queries(), log.lines());
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
      clicks.add(rows.groups().size() + " single searches of " + searches + " for training");
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
              + ": found "
              + groups
              + (searches == null ? " queries" : " searches")
              + " for training (whose hits have different grades) and "
              + data.heldOut.size()
              + " held-out queries, expected at least 1 of each; use judgments of more queries,"
              + " or a first pass that finds more judged documents. Queries that share more than"
              + " half of their words are all held out, or none of them is: "
              + reached);
    }
    if (data.validation.isEmpty()) {
      System.out.println("    no validation queries are left, so all trees are trained");
    }
    return data;
  }

  /** Returns the ids of queries, sorted. */
  static Set<String> ids(List<JudgedQuery> queries) {
    Set<String> ids = new TreeSet<>();
    queries.forEach(query -> ids.add(query.id()));
    return ids;
  }

  private static List<FeatureRows.Hits> of(List<FeatureRows.Hits> hits, Set<String> ids) {
    return hits.stream().filter(h -> ids.contains(h.query().id())).toList();
  }

  BitSet allFeatures() {
    BitSet all = new BitSet();
    all.set(0, log.names().size());
    return all;
  }

  /**
   * Trains a model with some of the features. The other features' values are set to 0 in all rows,
   * so no tree tests them.
   */
  TrainedModel train(Trainer trainer, TrainingOptions options, BitSet features) {
    FeatureRows validationRows = FeatureRows.of(validation);
    @Nullable FeatureRows stopRows =
        validationRows.groups().isEmpty() ? null : validationRows.only(features);
    TrainedModel model =
        trainer.train(rows.only(features), stopRows, log.names(), options, PARITY_ROWS);
    byte[] file =
        CategoryLine.appended(model.file(), log.names(), log.origin().path(LogOrigin.FEATURES));
    return new TrainedModel(
        file, model.sample(), model.expected(), model.toleranceUlp(), model.curve());
  }
}
