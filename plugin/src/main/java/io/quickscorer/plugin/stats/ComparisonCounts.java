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
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A snapshot of the counters that compare models, of one node or of several.
 *
 * @param draws by alias and model how many searches got that model
 * @param agreements of pairs of models
 */
record ComparisonCounts(Map<String, Map<String, Long>> draws, List<Agreeing> agreements)
    implements WireRecord, ToXContentFragment {
  public static final ComparisonCounts NONE = new ComparisonCounts(Map.of(), List.of());

  /**
   * How far the rankings of two models agreed.
   *
   * @param experiment of the clauses; "" for none
   * @param windows of 2 documents or more that both scored
   * @param sameFirst windows in which both had the same document first
   * @param longWindows windows of more than {@value Agreement#BEST} documents
   * @param overlap added up over the long windows
   * @param correlation added up over all windows
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
      implements WireRecord, ToXContentFragment {
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
      named(builder, experiment);
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

  private static void named(XContentBuilder builder, String experiment) throws IOException {
    if (!experiment.isEmpty()) {
      builder.field("experiment", experiment);
    }
  }

  /** Returns the counts of one experiment. */
  public ComparisonCounts of(String experiment) {
    return new ComparisonCounts(
        Map.of(), agreements.stream().filter(pair -> pair.experiment.equals(experiment)).toList());
  }

  /** Returns the sums of these counts and those of another node. */
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
    List<Agreeing> agreeing =
        merged(
            agreements,
            more.agreements,
            a -> new ComparisonStats.Versions(a.ranking, a.other, a.experiment),
            Agreeing::and);
    agreeing.sort(
        Comparator.comparing((Agreeing a) -> a.ranking.name())
            .thenComparing(a -> a.other.name())
            .thenComparing(a -> a.experiment));
    return new ComparisonCounts(drawn, agreeing);
  }

  private static <T> List<T> merged(
      List<T> some, List<T> more, Function<T, Object> key, BinaryOperator<T> adding) {
    Map<Object, T> byKey = new LinkedHashMap<>();
    some.forEach(one -> byKey.merge(key.apply(one), one, adding));
    more.forEach(one -> byKey.merge(key.apply(one), one, adding));
    return new ArrayList<>(byKey.values());
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("aliases", draws);
    builder.startArray("agreement");
    for (Agreeing pair : agreements) {
      pair.toXContent(builder, params);
    }
    return builder.endArray();
  }
}
