// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.Locale;

/** A counter or timer of the statistics, with its name and its description. */
public interface Measure {
  String MODEL = "model";
  String PIPELINE = "pipeline";

  /** Returns the name of the enum constant that implements this measure. */
  String name();

  /** Returns this measure's enum; the enum's name is the name of the measure's group. */
  Class<?> getDeclaringClass();

  /** Returns the name of this measure's group. In a metric's name, it follows "quickscorer". */
  default String group() {
    return getDeclaringClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Returns a description for users, without a line break. */
  String help();

  /** Returns the name of the JSON field that contains the measure's value. */
  default String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The counters that exist for each version of a model. */
  enum Model implements Measure {
    SEARCHES("searches that named the model, on their coordinating node"),
    WINDOWS("shard windows that the model scored"),
    DOCUMENTS("documents that the model scored"),
    FAILURES("shard windows that failed"),
    OVER_BUDGET("shard windows that took longer than their search allowed");

    private final String help;

    Model(String help) {
      this.help = help;
    }

    @Override
    public String help() {
      return help;
    }
  }

  /**
   * The counters of a node for rescoring, including models that were deleted. A list of hits
   * (window) is counted once, even if several models scored it.
   */
  enum Rescore implements Measure {
    SEARCHES("clauses of searches, on the searches' coordinating node"),
    WINDOWS("shard windows that were rescored"),
    DOCUMENTS("documents of the shard windows that were rescored"),
    GLOBAL_WINDOWS("windows of the hits of all shards, on the coordinating node"),
    GLOBAL_DOCUMENTS("hits in the windows of the hits of all shards"),
    FAILURES("shard windows that failed"),
    OVER_BUDGET("shard windows that took longer than their search allowed");

    private final String help;

    Rescore(String help) {
      this.help = help;
    }

    @Override
    public String help() {
      return help;
    }
  }

  /**
   * The parts of rescoring whose time is measured for the node. Only {@link #EXTRACT} and {@link
   * #SCORE} are also measured for each model.
   */
  enum Part implements Measure {
    BIND("time to bind a search to a model"),
    EXTRACT("time to extract the features of a window, which the models of a clause share"),
    SCORE("time to score a window"),
    SORT("time to sort a window");

    private final String help;

    Part(String help) {
      this.help = help;
    }

    @Override
    public String help() {
      return help;
    }
  }

  /**
   * The counters of the verification of scores on a node. Only the first three constants are also
   * counted for each model.
   */
  enum Verify implements Measure {
    WINDOWS("samples that the reference scored again, each of one window"),
    DOCUMENTS("documents that the reference scored again"),
    MISMATCHES("documents for which an engine computed a wrong score"),
    REFERENCE_DISAGREEMENTS("samples for which the reference returned two different scores"),
    FAILURES("samples that were lost because of an exception"),
    DROPPED_QUEUE("samples that were not taken because too many were waiting"),
    DROPPED_MEMORY("samples that were not taken or compared because memory was short"),
    DROPPED_MODEL("samples whose model was dropped before they were verified");

    private final String help;

    Verify(String help) {
      this.help = help;
    }

    @Override
    public String help() {
      return help;
    }
  }

  /** The counters that exist for each search pipeline. */
  enum Pipeline implements Measure {
    RANKED("searches whose hits the processor ranked, or to which it added the clause"),
    IGNORED_FAILURES("searches that failed with the clause and got their first-pass order");

    private final String help;

    Pipeline(String help) {
      this.help = help;
    }

    @Override
    public String help() {
      return help;
    }
  }
}
