// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result of interleaving two models.
 *
 * @param first the first model's name
 * @param second the second model's name
 * @param wins number of searches that the first model won
 * @param losses number of searches that the second model won
 * @param ties number of searches without a winner
 * @param interval confidence interval of the first model's share of the searches with a winner,
 *     valid for all sample sizes at once
 */
public record InterleavingResult(
    String first,
    String second,
    long wins,
    long losses,
    long ties,
    ConfidenceSequence.Interval interval) {
  /**
   * Returns the result of a comparison.
   *
   * @param outcomes one per search
   */
  static InterleavingResult of(
      List<String> pair, List<InterleavedClicks.Outcome> outcomes, ConfidenceSequence sequence) {
    long wins = outcomes.stream().filter(outcome -> outcome.sign() > 0).count();
    long losses = outcomes.stream().filter(outcome -> outcome.sign() < 0).count();
    long ties = outcomes.size() - wins - losses;
    ConfidenceSequence.Interval interval = sequence.interval(wins, losses);
    return new InterleavingResult(pair.getFirst(), pair.getLast(), wins, losses, ties, interval);
  }

  /**
   * Returns the first model's share of the searches that have a winner; 0.5 if no search has one.
   */
  public double share() {
    return wins + losses == 0 ? 0.5 : (double) wins / (wins + losses);
  }

  /** Returns the name of the model that is significantly better; null if neither is yet. */
  public @Nullable String better() {
    return interval.low() > 0.5 ? first : interval.high() < 0.5 ? second : null;
  }

  /** Returns the result in one sentence, for users. */
  String verdict() {
    String better = better();
    return better != null
        ? "[" + better + "] is better"
        : "no difference detected yet: the interval contains 0.5";
  }

  /** Returns the first model's share and its interval as text, with three decimals. */
  String shown() {
    return String.format(
        Locale.ROOT, "%.3f (%.3f to %.3f)", share(), interval.low(), interval.high());
  }

  /** Returns the result as a JSON object. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("models").add(first).add(second);
    json.putObject("wins").put(first, wins).put(second, losses);
    json.put("ties", ties).put("share_of_wins", share());
    json.putArray("share_interval").add(interval.low()).add(interval.high());
    return better() == null ? json : json.put("better", better());
  }
}
