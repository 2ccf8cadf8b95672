// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The counters that compare models, of one node or summed over several nodes.
 *
 * @param draws the number of searches that used each model of an alias, by alias and model
 * @param agreements the similarity of rankings, one element for each pair of models
 */
record ComparisonCounts(Map<String, Map<String, Long>> draws, List<Agreeing> agreements)
    implements WireRecord, ToXContentObject {
  public static final ComparisonCounts NONE = new ComparisonCounts(Map.of(), List.of());

  /**
   * Sums over hit lists (windows). They measure how similar the rankings of two models are.
   *
   * @param ranking the model whose ranking the searches used
   * @param other the model with which it is compared
   * @param experiment the name of the experiment in the searches; empty for none
   * @param windows the number of windows with 2 or more documents that both models scored
   * @param sameFirst the number of windows in which both models ranked the same document first
   * @param longWindows the number of windows with more than {@value Agreement#BEST} documents
   * @param overlap the sum of {@link Agreement#overlap} over the windows that {@code longWindows}
   *     counts
   * @param correlation the sum of {@link Agreement#correlation} over all windows
   */
  public record Agreeing(
      ModelId ranking,
      ModelId other,
      String experiment,
      long windows,
      long sameFirst,
      long longWindows,
      double overlap,
      double correlation)
      implements WireRecord, ToXContentObject {
    static Agreeing of(ComparisonStats.Versions pair, Agreement one) {
      boolean isLong = !Double.isNaN(one.overlap());
      return new Agreeing(
          pair.ranking(),
          pair.other(),
          pair.experiment(),
          1,
          one.sameFirst() ? 1 : 0,
          isLong ? 1 : 0,
          isLong ? one.overlap() : 0,
          one.correlation());
    }

    Agreeing and(Agreeing more) {
      return new Agreeing(
          ranking,
          other,
          experiment,
          windows + more.windows,
          sameFirst + more.sameFirst,
          longWindows + more.longWindows,
          overlap + more.overlap,
          correlation + more.correlation);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      if (!experiment.isEmpty()) {
        builder.field("experiment", experiment);
      }
      builder.field("model", ranking.name()).field("version", ranking.version());
      builder.field("other", other.name()).field("other_version", other.version());
      builder.field("windows", windows);
      if (windows > 0) {
        builder.field("same_first", (double) sameFirst / windows);
        builder.field("rank_correlation", correlation / windows);
      }
      if (longWindows > 0) {
        builder.field("overlap_at_" + Agreement.BEST, overlap / longWindows);
      }
      return builder.endObject();
    }
  }

  /** Returns a copy with only the counts of one experiment. */
  public ComparisonCounts of(String experiment) {
    return new ComparisonCounts(
        Map.of(), agreements.stream().filter(pair -> pair.experiment.equals(experiment)).toList());
  }

  /** Returns the sums of these counts and other counts, for example another node's. */
  public ComparisonCounts and(ComparisonCounts more) {
    Map<String, Map<String, Long>> drawn = new TreeMap<>();
    for (ComparisonCounts counts : List.of(this, more)) {
      counts.draws.forEach(
          (alias, models) ->
              models.forEach(
                  (model, count) ->
                      drawn
                          .computeIfAbsent(alias, a -> new TreeMap<>())
                          .merge(model, count, Long::sum)));
    }
    Map<ComparisonStats.Versions, Agreeing> byPair = new LinkedHashMap<>();
    Stream.concat(agreements.stream(), more.agreements.stream())
        .forEach(
            a ->
                byPair.merge(
                    new ComparisonStats.Versions(a.ranking, a.other, a.experiment),
                    a,
                    Agreeing::and));
    List<Agreeing> agreeing = new ArrayList<>(byPair.values());
    agreeing.sort(
        Comparator.comparing((Agreeing a) -> a.ranking.name())
            .thenComparing(a -> a.other.name())
            .thenComparing(a -> a.experiment));
    return new ComparisonCounts(drawn, agreeing);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return builder.startObject().field("aliases", draws).field("agreement", agreements).endObject();
  }
}
