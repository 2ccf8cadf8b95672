package io.quickscorer.plugin.feature.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.bound.BoundFeature;
import io.quickscorer.plugin.feature.bound.BoundFeatures;
import io.quickscorer.plugin.feature.score.ScorePlan;
import io.quickscorer.plugin.feature.set.ClauseCount;
import io.quickscorer.plugin.feature.set.FeatureOrder;
import io.quickscorer.plugin.feature.set.Modifiers;
import io.quickscorer.plugin.feature.set.QueryText;
import io.quickscorer.plugin.feature.set.TermStatistic;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.script.ScriptException;

/**
 * Features bound to one shard: queries made from its mapping, field data at hand. Used by one
 * search; {@link #collect} may be called several times.
 */
public final class ShardFeatures {
  private final BoundFeatures bound;
  private final List<ParsedQuery> queries;

  /** Per feature what reads its values, null for those made of queries or of the request. */
  private final @Nullable DocumentValues[] values;

  /** Per feature its expression, null for the other kinds. */
  private final @Nullable ComputedColumn[] computed;

  /** All features, each after those it reads. */
  private final int[] order;

  private ShardFeatures(BoundFeatures bound, List<ParsedQuery> queries) {
    int size = bound.features().size();
    this.bound = bound;
    this.queries = queries;
    this.values = new DocumentValues[size];
    this.computed = new ComputedColumn[size];
    this.order =
        FeatureOrder.of(
            bound.features().stream().map(ShardFeatures::inputs).toList(),
            f -> bound.features().get(f).name());
  }

  private static int[] inputs(BoundFeature feature) {
    return feature instanceof BoundFeature.Computed expression
        ? expression.inputs().stream()
            .filter(BoundFeature.Input.Feature.class::isInstance)
            .mapToInt(input -> ((BoundFeature.Input.Feature) input).place())
            .toArray()
        : new int[0];
  }

  /**
   * @param budget is charged for the queries' clauses
   * @throws QueryShardException (400) naming the feature whose query or field does not fit the
   *     index
   */
  public static ShardFeatures of(
      BoundFeatures bound,
      QueryShardContext context,
      Expressions expressions,
      RequestBudget budget) {
    List<ParsedQuery> queries = new ArrayList<>();
    ClauseCount clauses = new ClauseCount();
    for (int q = 0; q < bound.queries().size(); q++) {
      try {
        ParsedQuery query = context.toQuery(bound.queries().get(q));
        long before = clauses.sum();
        query.query().visit(clauses);
        budget.clauses(clauses.sum() - before, clauses.sum());
        queries.add(query);
      } catch (CircuitBreakingException e) {
        throw e;
      } catch (StackOverflowError e) {
        throw wrong(context, bound.nameOf(q), QueryText.tooDeep());
      } catch (RuntimeException e) {
        throw wrong(context, bound.nameOf(q), e);
      }
    }
    ShardFeatures features = new ShardFeatures(bound, queries);
    for (int f = 0; f < features.values.length; f++) {
      try {
        features.bind(f, context, expressions);
      } catch (RuntimeException e) {
        throw wrong(context, bound.features().get(f).name(), e);
      }
    }
    return features;
  }

  private void bind(int place, QueryShardContext context, Expressions expressions) {
    switch (bound.features().get(place)) {
      case BoundFeature.FieldValue field ->
          values[place] = FieldValues.of(field.field(), field.reading(), context);
      case BoundFeature.Distance distance ->
          values[place] = FieldValues.distance(distance, context);
      case BoundFeature.Computed expression ->
          computed[place] =
              ComputedColumn.of(expression, expressions.get(expression.source()), context);
      case BoundFeature.Scripted scripted ->
          values[place] = ScriptValues.of(scripted.script(), context);
      case BoundFeature.Vector vector -> values[place] = VectorValues.of(vector, context);
      case BoundFeature.TermStatistics terms ->
          values[place] = terms(terms, queries.get(terms.query()).query(), context);
      case BoundFeature.Unused ignored -> {}
      case BoundFeature.Constant ignored -> {}
      case BoundFeature.FirstPassScore ignored -> {}
      case BoundFeature.QueryScore ignored -> {}
    }
  }

  private static DocumentValues terms(
      BoundFeature.TermStatistics feature, Query query, QueryShardContext context) {
    MappedFieldType type = context.fieldMapper(feature.field());
    if (type == null) {
      throw new IllegalArgumentException("no field [" + feature.field() + "]");
    }
    QueryTerms terms = new QueryTerms(query);
    if (terms.isEmpty() && !(query instanceof MatchNoDocsQuery)) {
      throw new IllegalArgumentException(
          "field [" + feature.field() + "] of type [" + type.typeName() + "] has no terms");
    }
    if (feature.statistic() == TermStatistic.POSITION && !type.getTextSearchInfo().hasPositions()) {
      throw new IllegalArgumentException(
          "field [" + feature.field() + "] is indexed without positions");
    }
    return switch (feature.statistic()) {
      case DF, TTF, IDF ->
          (searcher, window, values) ->
              Arrays.fill(
                  values, terms.ofShard(searcher, feature.statistic(), feature.aggregate()));
      case TF, POSITION ->
          (searcher, window, values) ->
              terms.ofDocuments(searcher, window, feature.statistic(), feature.aggregate(), values);
    };
  }

  /** The server shows the innermost of its own exceptions as the root cause: this is to be it. */
  private static QueryShardException wrong(
      QueryShardContext context, String feature, Exception cause) {
    Exception plain =
        cause instanceof OpenSearchException
            ? new IllegalArgumentException(cause.getMessage(), cause)
            : cause;
    return new QueryShardException(context, "feature [{}]: {}", plain, feature, cause.getMessage());
  }

  public BoundFeatures bound() {
    return bound;
  }

  /** The queries of all features, for the statistics of a distributed search. */
  public List<ParsedQuery> queries() {
    return queries;
  }

  /**
   * Fills one column after the other for all documents of a window.
   *
   * @param columns {@code columns[f]} is the matrix's column of feature f, or -1 to leave it out
   * @param matrix as many documents as the window
   */
  public void collect(IndexSearcher searcher, Window window, int[] columns, FeatureMatrix matrix)
      throws IOException {
    Cancellation cancellation = Cancellation.of(searcher);
    IndexSearcher features = new FeatureSearcher(searcher, cancellation);
    @Nullable Column[] targets = targets(columns, matrix);
    queries(features, window, targets, cancellation);
    double[] scratch = new double[window.size()];
    for (int f : order) {
      Column target = targets[f];
      if (target == null) {
        continue;
      }
      switch (bound.features().get(f)) {
        case BoundFeature.Unused ignored -> fill(target, window, Float.NaN);
        case BoundFeature.Constant constant -> fill(target, window, constant.value());
        case BoundFeature.FirstPassScore first -> {
          System.arraycopy(window.scores(), 0, target.values(), target.start(), window.size());
          first.modifiers().apply(target.values(), target.start(), window.size());
        }
        case BoundFeature.QueryScore query ->
            query.modifiers().apply(target.values(), target.start(), window.size());
        case BoundFeature.FieldValue field ->
            read(f, field.modifiers(), features, window, scratch, target, cancellation);
        case BoundFeature.Distance distance ->
            read(f, distance.modifiers(), features, window, scratch, target, cancellation);
        case BoundFeature.TermStatistics terms ->
            read(f, terms.modifiers(), features, window, scratch, target, cancellation);
        case BoundFeature.Scripted scripted ->
            read(f, scripted.modifiers(), features, window, scratch, target, cancellation);
        case BoundFeature.Vector vector ->
            read(f, vector.modifiers(), features, window, scratch, target, cancellation);
        case BoundFeature.Computed expression -> {
          cancellation.check();
          Objects.requireNonNull(computed[f]).read(features, window, targets, scratch);
          store(scratch, expression.modifiers(), target);
        }
      }
    }
  }

  /**
   * Something that an expression reads.
   *
   * @param name as the expression may call it
   * @param value NaN if it is missing
   */
  public record Input(String name, double value) {}

  /**
   * What a feature's expression reads for a window's first document; nothing for a feature of
   * another kind.
   *
   * @param columns the matrix's column of every feature that is needed, those of inputs too
   * @param matrix filled by {@link #collect} for the window
   */
  public List<Input> inputs(
      int feature, IndexSearcher searcher, Window window, int[] columns, FeatureMatrix matrix)
      throws IOException {
    ComputedColumn expression = computed[feature];
    return expression == null
        ? List.of()
        : expression.inputs(searcher, window, targets(columns, matrix));
  }

  /**
   * Memory that {@link #collect} takes beside the matrix, about, in bytes.
   *
   * @param columns as for {@link #collect}
   */
  public long scratchBytes(int[] columns, int documents) {
    long doubles = 1;
    long floats = 0;
    for (int f = 0; f < columns.length; f++) {
      floats += columns[f] < 0 && !(bound.features().get(f) instanceof BoundFeature.Unused) ? 1 : 0;
      doubles += bound.features().get(f) instanceof BoundFeature.Computed ? 1 : 0;
    }
    return documents * (floats * Float.BYTES + doubles * Double.BYTES) + ScorePlan.MAX_BYTES;
  }

  /** Where each feature's values go; what only other features read goes nowhere the model sees. */
  private @Nullable Column[] targets(int[] columns, FeatureMatrix matrix) {
    @Nullable Column[] targets = new Column[columns.length];
    boolean[] wanted = new boolean[columns.length];
    for (int i = order.length - 1; i >= 0; i--) {
      int f = order[i];
      wanted[f] |= columns[f] >= 0;
      if (wanted[f]) {
        targets[f] =
            columns[f] >= 0
                ? new Column(matrix.values(), matrix.column(columns[f]))
                : new Column(new float[matrix.documents()], 0);
        for (int input : inputs(bound.features().get(f))) {
          wanted[input] = true;
        }
      }
    }
    return targets;
  }

  private void queries(
      IndexSearcher searcher, Window window, @Nullable Column[] targets, Cancellation cancellation)
      throws IOException {
    ScorePlan plan = new ScorePlan(searcher);
    boolean any = false;
    for (int f = 0; f < targets.length; f++) {
      Column target = targets[f];
      if (target != null && bound.features().get(f) instanceof BoundFeature.QueryScore score) {
        fill(target, window, Float.NaN);
        plan.add(queries.get(score.query()).query(), target);
        any = true;
      }
    }
    if (any) {
      plan.run(window, cancellation);
    }
  }

  private void read(
      int place,
      Modifiers modifiers,
      IndexSearcher searcher,
      Window window,
      double[] scratch,
      Column target,
      Cancellation cancellation)
      throws IOException {
    cancellation.check();
    try {
      Objects.requireNonNull(values[place]).read(searcher, window, scratch);
    } catch (ScriptException e) {
      throw new IllegalArgumentException(
          "feature [" + bound.features().get(place).name() + "]: " + e.getMessage(), e);
    }
    store(scratch, modifiers, target);
  }

  private static void store(double[] values, Modifiers modifiers, Column target) {
    for (int i = 0; i < values.length; i++) {
      target.values()[target.start() + i] = modifiers.apply(values[i]);
    }
  }

  private static void fill(Column target, Window window, float value) {
    Arrays.fill(target.values(), target.start(), target.start() + window.size(), value);
  }

  /** Every feature in its own column, in the set's order. */
  public int[] allColumns() {
    int[] columns = new int[bound.features().size()];
    Arrays.setAll(columns, f -> f);
    return columns;
  }
}
