// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.testing.FreeBudget;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.Bits;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexService;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchModule;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Feature sets bound to a shard of a real node, without searches around them. */
public abstract class ShardFeaturesTestCase extends OpenSearchSingleNodeTestCase {
  static final String INDEX = "catalogue";
  private final LuceneExpression.Compiled expressions = new LuceneExpression.Compiled();
  private IndexService index;

  /** The field type alone, without the rest of the plugin. */
  public static final class VectorFields extends Plugin implements MapperPlugin {
    @Override
    public Map<String, Mapper.TypeParser> getMappers() {
      return Map.of(VectorFieldMapper.TYPE, VectorFieldMapper.parser());
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(PainlessModulePlugin.class, VectorFields.class);
  }

  protected void createCatalogue(String mapping) {
    index =
        createIndex(
            INDEX,
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.merge.policy.segments_per_tier", 50)
                .build());
    client().admin().indices().preparePutMapping(INDEX).setSource(mapping, XContentType.JSON).get();
  }

  /** Adds documents of ids counted on from {@code first}, as one segment. */
  protected void add(int first, List<String> documents) {
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < documents.size(); i++) {
      bulk.add(
          client()
              .prepareIndex(INDEX)
              .setId(Integer.toString(first + i))
              .setSource(documents.get(i), XContentType.JSON));
    }
    assertFalse(bulk.get().hasFailures());
  }

  protected void delete(int id) {
    client()
        .prepareDelete(INDEX, Integer.toString(id))
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
  }

  /** What a test does with the shard while its searcher is open. */
  protected interface OnShard<T> {
    T run(QueryShardContext context, IndexSearcher searcher) throws IOException;
  }

  protected <T> T onShard(OnShard<T> work) throws IOException {
    try (Engine.Searcher searcher = index.getShard(0).acquireSearcher("test")) {
      return work.run(
          index.newQueryShardContext(0, searcher, System::currentTimeMillis, null), searcher);
    }
  }

  protected FeatureSet parse(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      return FeatureSet.read("set", Door.within(parser));
    }
  }

  /** The features of all documents, by their field {@code id}. */
  protected Map<Integer, float[]> rows(String set, Map<String, Object> params) throws IOException {
    BoundFeatures bound =
        BoundFeatures.bind(
            parse(set), name -> true, params, xContentRegistry(), FreeBudget.create());
    BoundFeatures sent = copyWriteable(bound, wire(), WireRecord.reader(BoundFeatures.class));
    assertEquals(bound, sent);
    return onShard((context, searcher) -> rows(sent, context, searcher));
  }

  protected void assertColumn(String feature, float... expected) throws IOException {
    assertColumn(feature, Map.of(), expected);
  }

  protected void assertColumn(String feature, Map<String, Object> params, float... expected)
      throws IOException {
    Map<Integer, Float> column = column(feature, params);
    for (int id = 0; id < expected.length; id++) {
      assertEquals(feature + " of " + id, expected[id], column.get(id), 0);
    }
  }

  private static NamedWriteableRegistry wire() {
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>(FeatureKinds.namedWriteables());
    entries.addAll(new SearchModule(Settings.EMPTY, List.of()).getNamedWriteables());
    return new NamedWriteableRegistry(entries);
  }

  protected Map<Integer, float[]> rows(
      BoundFeatures bound, QueryShardContext context, IndexSearcher searcher) throws IOException {
    ShardFeatures shard =
        ShardFeatures.of(bound.rewrite(context), context, expressions, FreeBudget.create());
    Map<Integer, Integer> ids = ids(searcher);
    int[] docs = ids.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    float[] scores = new float[docs.length];
    for (int i = 0; i < docs.length; i++) {
      scores[i] = ids.get(docs[i]) + 0.5f;
    }
    int features = bound.features().size();
    FeatureMatrix matrix = new FeatureMatrix(features, docs.length);
    int[] columns = IntStream.range(0, features).toArray();
    shard.collect(searcher, new Window(docs, scores), columns, matrix);
    Map<Integer, float[]> rows = new HashMap<>();
    for (int i = 0; i < docs.length; i++) {
      float[] row = new float[features];
      for (int f = 0; f < features; f++) {
        row[f] = matrix.get(i, f);
      }
      rows.put(ids.get(docs[i]), row);
    }
    return rows;
  }

  /** The first feature of all documents, by id. */
  Map<Integer, Float> column(String feature, Map<String, Object> params) throws IOException {
    return rows("{\"features\": [" + feature + "]}", params).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue()[0]));
  }

  /** The message of the error that a feature gives when it is parsed or bound. */
  String refusal(String feature, Map<String, Object> params) {
    return expectThrows(Exception.class, () -> rows("{\"features\": [" + feature + "]}", params))
        .getMessage();
  }

  /** Ids of live documents by doc id. */
  private static Map<Integer, Integer> ids(IndexSearcher searcher) throws IOException {
    Map<Integer, Integer> ids = new HashMap<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), "id");
      Bits live = leaf.reader().getLiveDocs();
      while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(values.docID())) {
          ids.put(leaf.docBase + values.docID(), (int) values.nextValue());
        }
      }
    }
    return ids;
  }

  /** What a search for the query gives, by id. */
  protected Map<Integer, Float> scores(Query query, IndexSearcher searcher) throws IOException {
    Map<Integer, Integer> ids = ids(searcher);
    Map<Integer, Float> scores = new HashMap<>();
    for (ScoreDoc hit :
        searcher.search(query, Math.max(1, searcher.getIndexReader().maxDoc())).scoreDocs) {
      scores.put(ids.get(hit.doc), hit.score);
    }
    return scores;
  }
}
