// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.feature.ShardBinding;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.feature.ShardFeature.Column;
import io.quickscorer.plugin.feature.ShardFeature.Extraction;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.SearchSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;

/**
 * Computes the features of one search on one shard: converts their queries for the shard, loads
 * their field data, and writes their values to columns. Used for one or more lists of hits
 * (windows).
 *
 * @param queries the queries of all features; a search with global statistics looks up their terms
 *     on all shards
 * @param counting the indices of the queries for which {@link #needsCounts} returns true
 * @param divisible whether several threads may compute parts of a list of hits
 * @param order the indices of all features; each comes after the features that it reads
 * @param last the searcher of the previous list of hits, which is used again for the next list;
 *     null before the first list
 */
public record ShardFeatures(
    BoundFeatures bound,
    List<ParsedQuery> queries,
    BitSet counting,
    boolean divisible,
    List<ShardFeature> features,
    int[] order,
    AtomicReference<@Nullable FeatureSearcher> last) {
  /**
   * Minimum number of documents per thread. Each thread repeats some preparation, which takes as
   * long as computing the features of 590 to 830 documents.
   */
  private static final long MIN_DOCUMENTS = 640;

  /** Minimum number of feature values per thread. Computing this number of values takes 0.36 ms. */
  private static final long MIN_VALUES = 1 << 13;

  /**
   * Prepares the features of a search for a shard.
   *
   * @param bound the features, with the request's parameters inserted
   * @param budget charges memory for each clause of the queries
   * @throws QueryShardException (400) naming the feature whose query or field does not fit the
   *     index
   */
  public static ShardFeatures of(
      BoundFeatures bound,
      QueryShardContext ofSearch,
      LuceneExpression.Compiled expressions,
      RequestBudget budget) {
    QueryShardContext context =
        budget.limits().get(SearchSettings.SCRIPTS) ? ofSearch : new ScriptFreeContext(ofSearch);
    List<ParsedQuery> queries = new ArrayList<>();
    BitSet counting = new BitSet();
    QueryCost cost = new QueryCost();
    for (int q = 0; q < bound.queries().size(); q++) {
      try {
        QueryBuilder builder = bound.queries().get(q);
        ParsedQuery query = Guard.call(() -> "the query", () -> context.toQuery(builder));
        long before = cost.clauses();
        query.query().visit(cost);
        budget.clauses(cost.clauses() - before, cost.clauses());
        counting.set(q, cost.takeBlends());
        queries.add(query);
      } catch (CircuitBreakingException e) {
        throw e;
      } catch (RuntimeException e) {
        throw wrong(context, bound.nameOf(q), e);
      }
    }
    ShardBinding shard = new ShardBinding(context, queries, expressions, budget);
    List<ShardFeature> features = new ArrayList<>();
    for (BoundFeature feature : bound.features()) {
      if (feature.readsTerms()) {
        counting.set(feature.query());
      }
      try {
        features.add(feature.onShard(shard));
      } catch (RuntimeException e) {
        throw wrong(context, feature.name(), e);
      }
    }
    if (!context.isCacheable()) {
      ofSearch.setIsCacheable(false);
    }
    int[] order =
        FeatureSet.order(
            bound.features().stream().map(BoundFeature::inputs).toList(),
            f -> bound.features().get(f).name());
    return new ShardFeatures(
        bound, queries, counting, cost.isPerDocument(), features, order, new AtomicReference<>());
  }

  private static QueryShardException wrong(
      QueryShardContext context, String feature, Exception cause) {
    Exception plain =
        cause instanceof OpenSearchException
            ? new IllegalArgumentException(cause.getMessage(), cause)
            : cause;
    return new QueryShardException(context, "feature [{}]: {}", plain, feature, cause.getMessage());
  }

  /**
   * Returns whether a search with global statistics needs another query to count a query's terms:
   * if the query combines (blends) their statistics, as {@code cross_fields} does, or if a feature
   * reads them, because a query without scores does not count its terms.
   *
   * @param query the index of the query
   */
  public boolean needsCounts(int query) {
    return counting.get(query);
  }

  /**
   * Writes the values of features for all hits of a window into a matrix.
   *
   * @param columns {@code columns[f]} is the matrix's column for feature f, or -1 to leave the
   *     feature out
   * @param matrix receives the values; it has one row per hit of the window
   */
  public void collect(IndexSearcher searcher, Window window, int[] columns, FeatureMatrix matrix)
      throws IOException {
    collect(searcher, window, columns, new BitSet(), matrix, IdleThreads.NONE);
  }

  /**
   * Writes the values of features to a matrix, except those in {@code known}.
   *
   * @param known features whose columns are already filled; other features may read them
   * @param idle lends idle threads for the computation
   */
  public void collect(
      IndexSearcher searcher,
      Window window,
      int[] columns,
      BitSet known,
      FeatureMatrix matrix,
      IdleThreads idle)
      throws IOException {
    if (IntStream.range(0, columns.length).allMatch(f -> columns[f] < 0 || known.get(f))) {
      return;
    }
    long used = computed(columns, known).cardinality();
    long values = divisible ? used * window.size() : 0;
    long minValues = Math.max(used * MIN_DOCUMENTS, MIN_VALUES);
    try (IdleThreads.Helpers helpers = idle.ask(values, minValues, ScorePlan.MAX_BYTES)) {
      int count = helpers.threads();
      if (count == 1) {
        collect(searcher, window, 0, columns, known, matrix);
        return;
      }
      // One part per thread, because each part creates its own score plan.
      helpers.run(
          count,
          parts -> {
            for (int part = parts.next(); part >= 0; part = parts.next()) {
              int from = (int) ((long) window.size() * part / count);
              int to = (int) ((long) window.size() * (part + 1) / count);
              collect(searcher, window.part(from, to), from, columns, known, matrix);
            }
          });
    }
  }

  /**
   * Computes features of the hits to rank (the window) on the calling thread, and writes the values
   * to the matrix.
   *
   * @param first the matrix row of the window's first document
   */
  private void collect(
      IndexSearcher searcher,
      Window window,
      int first,
      int[] columns,
      BitSet known,
      FeatureMatrix matrix)
      throws IOException {
    FeatureSearcher kept = last.getAndSet(null);
    FeatureSearcher own =
        kept != null && kept.isOf(searcher) ? kept : new FeatureSearcher(searcher);
    Extraction extraction = extraction(own, searcher, window, first, columns, known, matrix);
    scoreQueries(extraction, known);
    for (int f : order) {
      Column target = extraction.columns()[f];
      if (target == null || known.get(f)) {
        continue;
      }
      try {
        features.get(f).fill(extraction, target);
      } catch (RuntimeException e) {
        throw FeatureFailure.of(bound.features().get(f).name(), e);
      }
    }
    own.end();
    last.set(own);
  }

  private Extraction extraction(
      FeatureSearcher own,
      IndexSearcher searcher,
      Window window,
      int first,
      int[] columns,
      BitSet known,
      FeatureMatrix matrix)
      throws IOException {
    Cancellation cancellation = Cancellation.of(searcher);
    own.begin(window, cancellation);
    return new Extraction(
        own,
        window,
        targets(columns, known, matrix, first, window.size()),
        new double[window.size()],
        cancellation);
  }

  /**
   * Returns the values of other features, fields and parameters from which a feature was computed
   * for a window's first document; an empty list if there are none.
   *
   * @param columns {@code columns[f]} is the matrix's column for feature f; needed for each feature
   *     that this one reads
   * @param matrix the matrix that {@link #collect} filled for the window
   */
  public List<ShardFeature.Input> inputs(
      int feature, IndexSearcher searcher, Window window, int[] columns, FeatureMatrix matrix)
      throws IOException {
    return features.get(feature) instanceof ShardFeature.Computed computed
        ? computed.inputs(
            extraction(
                new FeatureSearcher(searcher), searcher, window, 0, columns, new BitSet(), matrix))
        : List.of();
  }

  /**
   * Returns an estimate of the bytes that {@link #collect} needs in addition to the matrix.
   *
   * @param columns {@code columns[f]} is the matrix's column for feature f, or -1 if there is none
   * @param documents the number of hits
   */
  public long scratchBytes(int[] columns, int documents) {
    long doubles = 1;
    long floats = 0;
    long fields = 0;
    for (int f = 0; f < columns.length; f++) {
      boolean used = !(bound.features().get(f) instanceof BoundFeature.Unused);
      floats += columns[f] < 0 && used ? 1 : 0;
      // Counts one field per feature, because most features read at most one.
      fields += used ? 1 : 0;
      doubles += bound.features().get(f).ownColumns();
    }
    return documents * (floats * Float.BYTES + doubles * Double.BYTES)
        + fields * SharedReader.bytesPerField(documents)
        + ScorePlan.MAX_BYTES;
  }

  /**
   * Returns the indices of the features that {@link #collect} computes: the features with a column,
   * and all features that these read.
   *
   * @param columns {@code columns[f]} is the matrix's column for feature f, or -1 if there is none
   * @param known features that are not computed, because their values are available
   */
  public BitSet computed(int[] columns, BitSet known) {
    BitSet computed = wanted(columns, known);
    computed.andNot(known);
    return computed;
  }

  private BitSet wanted(int[] columns, BitSet known) {
    BitSet wanted = new BitSet();
    for (int i = order.length - 1; i >= 0; i--) {
      int f = order[i];
      if (columns[f] >= 0) {
        wanted.set(f);
      }
      if (wanted.get(f) && !known.get(f)) {
        for (int input : bound.features().get(f).inputs()) {
          wanted.set(input);
        }
      }
    }
    return wanted;
  }

  /**
   * Returns one element per feature: the column to fill, or null if the feature is not computed. A
   * feature that only other features read gets a temporary column.
   *
   * @param first the matrix row of the window's first document
   */
  private @Nullable Column[] targets(
      int[] columns, BitSet known, FeatureMatrix matrix, int first, int documents) {
    @Nullable Column[] targets = new Column[columns.length];
    wanted(columns, known).stream()
        .forEach(
            f ->
                targets[f] =
                    columns[f] >= 0
                        ? new Column(matrix.values(), matrix.column(columns[f]) + first)
                        : new Column(new float[documents], 0));
    return targets;
  }

  private void scoreQueries(Extraction extraction, BitSet known) throws IOException {
    ScorePlan plan = new ScorePlan(extraction.searcher());
    boolean any = false;
    for (int f = 0; f < extraction.columns().length; f++) {
      Column target = extraction.columns()[f];
      Query query = target == null || known.get(f) ? null : features.get(f).scored();
      if (target != null && query != null) {
        int end = target.start() + extraction.window().size();
        Arrays.fill(target.values(), target.start(), end, Float.NaN);
        plan.add(bound.features().get(f).name(), query, target);
        any = true;
      }
    }
    if (any) {
      plan.run(extraction.window(), extraction.cancellation());
    }
  }
}
