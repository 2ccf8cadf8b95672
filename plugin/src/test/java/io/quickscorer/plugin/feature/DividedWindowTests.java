// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** Columns filled by several threads have the bits of one thread's. */
public class DividedWindowTests extends ShardFeaturesTestCase {
  private static final String MAPPING =
      """
      {"properties": {
        "id": {"type": "integer"}, "title": {"type": "text"}, "body": {"type": "text"},
        "tag": {"type": "keyword"}, "price": {"type": "double"}, "sold": {"type": "long"},
        "place": {"type": "geo_point"}}}
      """;

  /** Kinds of features, among them one that only another reads. */
  private static final List<String> FEATURES =
      List.of(
          "{\"name\":\"first\",\"type\":\"first_pass_score\"}",
          "{\"name\":\"title\",\"type\":\"query\",\"query\":{\"match\":{\"title\":\"{{q}}\"}}}",
          "{\"name\":\"both\",\"type\":\"query\",\"query\":{\"multi_match\":{\"query\":\"{{q}}\","
              + "\"fields\":[\"title^3\",\"body\"],\"tie_breaker\":0.3}}}",
          "{\"name\":\"all\",\"type\":\"query\",\"query\":{\"match\":{\"body\":{\"query\":\"{{q}}\","
              + "\"operator\":\"and\"}}},\"missing\":-1}",
          "{\"name\":\"phrase\",\"type\":\"query\",\"query\":{\"match_phrase\":{\"body\":"
              + "{\"query\":\"{{q}}\",\"slop\":2}}}}",
          "{\"name\":\"factor\",\"type\":\"query\",\"query\":{\"function_score\":{"
              + "\"field_value_factor\":{\"field\":\"sold\",\"missing\":2,\"modifier\":\"log1p\"}}}}",
          "{\"name\":\"tagged\",\"type\":\"query\",\"query\":{\"constant_score\":{\"filter\":"
              + "{\"term\":{\"tag\":\"a\"}},\"boost\":2}}}",
          "{\"name\":\"price\",\"type\":\"field\",\"field\":\"price\",\"missing\":0.5}",
          "{\"name\":\"sold\",\"type\":\"field\",\"field\":\"sold\",\"normalize\":\"log1p\"}",
          "{\"name\":\"near\",\"type\":\"field\",\"field\":\"place\",\"distance_from\":\"here\"}",
          "{\"name\":\"ratio\",\"type\":\"expression\",\"expression\":\"price / (1 + sold)\"}",
          "{\"name\":\"tf\",\"type\":\"term_statistics\",\"field\":\"body\",\"text\":\"{{q}}\","
              + "\"statistic\":\"tf\",\"aggregate\":\"sum\"}",
          "{\"name\":\"df\",\"type\":\"term_statistics\",\"field\":\"body\",\"text\":\"{{q}}\","
              + "\"statistic\":\"df\",\"aggregate\":\"max\"}",
          "{\"name\":\"script\",\"type\":\"script\",\"script\":"
              + "\"doc['sold'].size() == 0 ? 0 : doc['sold'].value % 7 + _score\"}");

  private static final Map<String, Object> PARAMS =
      Map.of("q", "red ship sea", "here", Map.of("lat", 1, "lon", 2));

  private static final List<String> WORDS = List.of("red", "ship", "sea", "star", "king", "the");

  /** Documents that two threads share. */
  private static final int LARGE = 1280;

  private int documents;
  private ThreadPool threadPool;

  /** A pool of which nobody else takes threads. */
  @Before
  public void startPool() {
    threadPool = new TestThreadPool(getTestName());
  }

  @After
  public void stopPool() {
    assertTrue(ThreadPool.terminate(threadPool, 30, TimeUnit.SECONDS));
  }

  private void addDocuments() {
    createCatalogue(MAPPING);
    for (int segment = between(1, 5); segment > 0; segment--) {
      List<String> some = new ArrayList<>();
      for (int i = segment == 1 ? 2500 : between(1, 500); i > 0; i--) {
        some.add(document(documents + some.size()));
      }
      add(documents, some);
      documents += some.size();
    }
    for (int i = 0; i < 20; i++) {
      delete(between(0, documents - 1));
    }
  }

  private static String words(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = between(0, most); i > 0; i--) {
      text.append(randomFrom(WORDS)).append(' ');
    }
    return text.toString();
  }

  private static String document(int id) {
    StringBuilder json = new StringBuilder("{\"id\":").append(id);
    json.append(",\"title\":\"").append(words(4)).append("\",\"body\":\"").append(words(30));
    json.append("\",\"tag\":\"").append(randomFrom("a", "b", "c")).append('"');
    if (randomBoolean()) {
      json.append(",\"price\":").append(between(-100, 100) / 8.0);
    }
    if (rarely()) {
      json.append(",\"sold\":[").append(between(0, 9)).append(',').append(between(0, 9));
      json.append(']');
    } else if (randomBoolean()) {
      json.append(",\"sold\":").append(between(0, 1 << 25));
    }
    if (randomBoolean()) {
      json.append(",\"place\":{\"lat\":").append(between(-80, 80)).append(",\"lon\":3.5}");
    }
    return json.append('}').toString();
  }

  private IdleThreads threads(int count) {
    Settings settings = Settings.builder().put(SearchSettings.MAX_THREADS.getKey(), count).build();
    RequestMemory memory = new RequestMemory(SearchSettings.of(settings));
    new RequestMemory.Wiring(memory, getInstanceFromNode(CircuitBreakerService.class));
    return new IdleThreads(threadPool, 64, memory);
  }

  /** A random window: live documents, of some segments more than of others. */
  private Window window(IndexSearcher searcher) {
    BitSet chosen = new BitSet();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      int oneIn = between(1, 3);
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (between(1, oneIn) == 1 && (live == null || live.get(doc))) {
          chosen.set(leaf.docBase + doc);
        }
      }
    }
    int[] docs = chosen.stream().toArray();
    float[] scores = new float[docs.length];
    for (int i = 0; i < docs.length; i++) {
      scores[i] = between(0, 1000) / 16f;
    }
    return new Window(docs, scores);
  }

  private static float[] filled(
      ShardFeatures features,
      IndexSearcher searcher,
      Window window,
      int[] columns,
      IdleThreads idle)
      throws IOException {
    int width = 1 + Arrays.stream(columns).max().orElse(0);
    FeatureMatrix matrix = new FeatureMatrix(width, window.size());
    Arrays.fill(matrix.values(), -12345);
    features.collect(searcher, window, columns, new BitSet(), matrix, idle);
    return matrix.values();
  }

  private ShardFeatures bind(List<String> features, QueryShardContext on) throws IOException {
    BoundFeatures bound =
        BoundFeatures.bind(
            parse("{\"features\":" + features + "}"),
            name -> true,
            PARAMS,
            xContentRegistry(),
            FreeBudget.create());
    return ShardFeatures.of(
        bound.rewrite(on), on, new LuceneExpression.Compiled(), FreeBudget.create());
  }

  /** Tasks that the pool was given so far; a bit late, as it counts. */
  private long tasks() {
    return ((ThreadPoolExecutor) threadPool.executor(ThreadPool.Names.INDEX_SEARCHER))
        .getTaskCount();
  }

  /** The same when the pool is idle: threads that are still busy are not asked to help. */
  private long tasksOnceIdle() {
    ThreadPoolExecutor pool =
        (ThreadPoolExecutor) threadPool.executor(ThreadPool.Names.INDEX_SEARCHER);
    try {
      assertBusy(
          () -> assertEquals(0, pool.getQueue().size() + pool.getActiveCount()),
          60,
          TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return tasks();
  }

  private void assertTasks(String message, long before, boolean more) {
    try {
      assertBusy(() -> assertEquals(message, more, tasks() > before), 60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public void testSameBits() throws IOException {
    addDocuments();
    // Each a second time under another name, so that there is work for several threads.
    List<String> features = new ArrayList<>(FEATURES);
    FEATURES.forEach(f -> features.add(f.replace("{\"name\":\"", "{\"name\":\"again_")));
    onShard(
        (context, searcher) -> {
          ShardFeatures bound = bind(features, context);
          for (int round = 0; round < 3; round++) {
            Window window = window(searcher);
            int[] columns = IntStream.range(0, features.size()).toArray();
            // One that nobody wants, and whose place another takes.
            int left = between(0, columns.length - 2);
            columns[columns.length - 1] = left;
            columns[left] = -1;
            float[] alone = filled(bound, searcher, window, columns, IdleThreads.NONE);
            for (int threads : new int[] {1, 2, 3, 4, 8}) {
              long before = tasksOnceIdle();
              float[] shared = filled(bound, searcher, window, columns, threads(threads));
              assertArrayEquals(bits(alone), bits(shared));
              boolean large = window.size() >= LARGE;
              assertTasks("threads: " + threads, before, large && threads > 1);
            }
          }
          return null;
        });
  }

  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(values[i]);
    }
    return bits;
  }

  /** What first does something for a whole segment is done by one thread. */
  public void testWhatWouldBeDoneTwiceIsNotDivided() throws IOException {
    addDocuments();
    Map<String, Boolean> divided = new HashMap<>();
    divided.put("{\"match\":{\"title\":\"red\"}}", true);
    divided.put("{\"match_all\":{}}", true);
    divided.put("{\"exists\":{\"field\":\"sold\"}}", true);
    divided.put("{\"range\":{\"price\":{\"gt\":1}}}", false);
    divided.put("{\"prefix\":{\"title\":\"r\"}}", false);
    divided.put(
        "{\"bool\":{\"should\":[{\"term\":{\"tag\":\"a\"}},{\"term\":{\"sold\":3}}]}}", false);
    divided.put(
        "{\"function_score\":{\"query\":{\"match_all\":{}},\"functions\":[{\"filter\":"
            + "{\"range\":{\"price\":{\"gt\":1}}},\"weight\":2}]}}",
        false);
    for (Map.Entry<String, Boolean> query : divided.entrySet()) {
      List<String> features = new ArrayList<>(FEATURES);
      features.add("{\"name\":\"q\",\"type\":\"query\",\"query\":" + query.getKey() + "}");
      onShard(
          (context, searcher) -> {
            ShardFeatures bound = bind(features, context);
            Window window = window(searcher);
            long before = tasksOnceIdle();
            filled(
                bound, searcher, window, IntStream.range(0, features.size()).toArray(), threads(4));
            boolean large = window.size() >= LARGE;
            assertTasks(query.getKey(), before, large && query.getValue());
            return null;
          });
    }
  }
}
