package io.quickscorer.plugin.feature;

import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;

/**
 * Features bound to one shard: queries made from its mapping, field data at hand. Used by one
 * search; {@link #collect} may be called several times.
 */
public final class ShardFeatures {
  private final BoundFeatures bound;
  private final List<ParsedQuery> queries;

  /** Per feature its field data, null for the other kinds. */
  private final IndexNumericFieldData[] fields;

  private ShardFeatures(
      BoundFeatures bound, List<ParsedQuery> queries, IndexNumericFieldData[] fields) {
    this.bound = bound;
    this.queries = queries;
    this.fields = fields;
  }

  /**
   * @throws QueryShardException (400) naming the feature whose query or field does not fit the
   *     index
   */
  public static ShardFeatures of(BoundFeatures bound, QueryShardContext context) {
    List<ParsedQuery> queries = new ArrayList<>();
    for (int q = 0; q < bound.queries().size(); q++) {
      try {
        queries.add(context.toQuery(bound.queries().get(q)));
      } catch (RuntimeException e) {
        throw wrong(context, bound.nameOf(q), e.getMessage(), e);
      }
    }
    IndexNumericFieldData[] fields = new IndexNumericFieldData[bound.features().size()];
    for (int f = 0; f < fields.length; f++) {
      if (bound.features().get(f) instanceof BoundFeature.FieldValue feature) {
        fields[f] = field(feature, context);
      }
    }
    return new ShardFeatures(bound, queries, fields);
  }

  private static IndexNumericFieldData field(
      BoundFeature.FieldValue feature, QueryShardContext context) {
    MappedFieldType type = context.fieldMapper(feature.field());
    if (type == null) {
      throw wrong(context, feature.name(), "no field [" + feature.field() + "]", null);
    }
    RuntimeException cause = null;
    try {
      IndexFieldData<?> data = context.getForField(type);
      if (data instanceof IndexNumericFieldData numeric) {
        return numeric;
      }
    } catch (RuntimeException e) {
      cause = e;
    }
    throw wrong(
        context,
        feature.name(),
        "field ["
            + feature.field()
            + "] is of type ["
            + type.typeName()
            + "], expected a number, date or boolean with doc values",
        cause);
  }

  private static QueryShardException wrong(
      QueryShardContext context, String feature, @Nullable String what, @Nullable Exception cause) {
    return new QueryShardException(context, "feature [{}]: {}", cause, feature, what);
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
    List<QueryColumns> byQuery = new ArrayList<>();
    for (int q = 0; q < queries.size(); q++) {
      byQuery.add(new QueryColumns(queries.get(q).query()));
    }
    for (int f = 0; f < columns.length; f++) {
      int column = columns[f];
      if (column < 0) {
        continue;
      }
      switch (bound.features().get(f)) {
        case BoundFeature.Unused ignored -> matrix.fill(column, Float.NaN);
        case BoundFeature.Constant constant -> matrix.fill(column, constant.value());
        case BoundFeature.FirstPassScore ignored ->
            System.arraycopy(
                window.scores(), 0, matrix.values(), matrix.column(column), window.size());
        case BoundFeature.FieldValue field -> {
          cancellation.check();
          matrix.fill(column, field.missing());
          FieldColumn.collect(fields[f], searcher, window, column, matrix);
        }
        case BoundFeature.QueryScore score -> {
          matrix.fill(column, score.missing());
          byQuery.get(score.query()).add(column);
        }
      }
    }
    IndexSearcher features = new FeatureSearcher(searcher, cancellation);
    for (QueryColumns query : byQuery) {
      query.collect(features, window, matrix, cancellation);
    }
  }

  /** Every feature in its own column, in the set's order. */
  public int[] allColumns() {
    int[] columns = new int[bound.features().size()];
    Arrays.setAll(columns, f -> f);
    return columns;
  }
}
