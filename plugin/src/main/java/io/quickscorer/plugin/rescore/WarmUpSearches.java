// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.QueryTemplate;
import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.rescore.SearchWarmUp.Target;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Runs searches with one new model until the JIT has compiled the code (the "warm-up"). The
 * searches look for words from an index's documents. They run one at a time, until they no longer
 * become faster or the time is over. If an index is unsuitable, the next one is used. Each instance
 * is used once.
 */
final class WarmUpSearches {
  private static final Logger LOGGER = LogManager.getLogger(WarmUpSearches.class);

  /**
   * The numbers of hits that the model ranks in the searches. The largest is first, because the JIT
   * compiles loops after many iterations.
   */
  private static final int[] WINDOWS = {1_000, 100, 10};

  private static final int SAMPLED_HITS = 20;
  private static final int WORDS_PER_TEXT = 3;
  private static final int MAX_WORDS = 600;

  /** A search counts as faster if its time is below this fraction of the shortest time so far. */
  private static final double GAIN = 0.95;

  /** Time, in nanoseconds, after which the searches stop if none reached a new shortest time. */
  private static final long STEADY_NANOS = 1_500_000_000;

  private final GuardedClient client;
  private final Supplier<RescoreServices> services;
  private final ModelId id;
  private final FeatureSet set;
  private final Deque<Target> targets;
  private final long end;
  private final Consumer<Exception> onError;
  private final ActionListener<Boolean> listener;
  private final ClauseOptions clause;

  private List<String> texts = List.of();

  /** Whether the searches use fixed parameters, because words were not valid as parameters. */
  private boolean plain;

  private boolean sampled;
  private boolean fits;
  private int searches;
  private final long[] best = new long[WINDOWS.length];
  private long lastGain;

  /**
   * Prepares the searches with a new model.
   *
   * @param end the {@link System#nanoTime} at which the searches stop
   * @param onError receives the failure of a search if an {@link Error} caused the failure
   * @param listener receives whether a search succeeded on some index
   */
  WarmUpSearches(
      GuardedClient client,
      Supplier<RescoreServices> services,
      ModelId id,
      FeatureSet set,
      List<Target> targets,
      long end,
      Consumer<Exception> onError,
      ActionListener<Boolean> listener) {
    this.client = client;
    this.services = services;
    this.id = id;
    this.set = set;
    this.targets = new ArrayDeque<>(targets);
    this.end = end;
    this.onError = onError;
    this.listener = listener;
    this.clause = ClauseOptions.of(id.name());
  }

  void run() {
    Sequence.repeat(
        () -> targets.isEmpty() || isSteady() ? 0 : end - System.nanoTime(),
        this::next,
        ActionListener.map(
            listener,
            ended -> {
              LOGGER.debug("warmed up model [{}] with {} searches", id, searches);
              return fits;
            }));
  }

  private void next(ActionListener<Void> listener) {
    ActionListener<Void> ended =
        Guard.recovering(
            listener,
            (l, failure) -> {
              failed(failure);
              l.onResponse(null);
            });
    try {
      Guard.run(
          () -> "a warm-up of [" + id + "]",
          () -> {
            if (sampled) {
              search(targets.element(), ended);
            } else {
              sample(targets.element(), ended);
            }
          });
    } catch (RuntimeException e) {
      ended.onFailure(e);
    }
  }

  private boolean isSteady() {
    return fits && System.nanoTime() - lastGain > STEADY_NANOS;
  }

  /** Reads words from some documents of an index, for the queries of the searches. */
  private void sample(Target target, ActionListener<Void> ended) {
    SearchSourceBuilder source = new SearchSourceBuilder().size(SAMPLED_HITS);
    client.search(
        request(target, source),
        ActionListener.map(
            ended,
            answer -> {
              texts = texts(answer);
              plain = texts.isEmpty();
              sampled = true;
              return null;
            }));
  }

  private void search(Target target, ActionListener<Void> ended) {
    int window = searches % WINDOWS.length;
    String text = plain ? QueryTemplate.SAMPLE : texts.get(searches % texts.size());
    QueryBuilder firstPass =
        plain
            ? QueryBuilders.matchAllQuery()
            : QueryBuilders.simpleQueryStringQuery(text).lenient(true);
    ClauseOptions options = clause.with(params(text));
    SearchSourceBuilder source =
        new SearchSourceBuilder()
            .query(firstPass)
            .size(10)
            .addRescorer(
                new EnsembleRescorerBuilder(options, services).windowSize(WINDOWS[window]));
    long start = System.nanoTime();
    client.search(
        request(target, source),
        ActionListener.map(
            ended,
            answer -> {
              long now = System.nanoTime();
              if (!fits || best[window] == 0 || now - start < GAIN * best[window]) {
                best[window] = now - start;
                lastGain = now;
              }
              fits = true;
              searches++;
              return null;
            }));
  }

  /** Returns a search on one shard, whose timeout is the time that is left. */
  private SearchRequest request(Target target, SearchSourceBuilder source) {
    long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
    return new SearchRequest(target.index())
        .source(source.timeout(TimeValue.timeValueMillis(left)))
        .requestCache(false)
        .allowPartialSearchResults(false)
        .preference("_shards:" + target.shard() + "|_only_local");
  }

  /**
   * Handles a failed search. If it used words from documents, the next search uses fixed
   * parameters, because words may not be valid as parameters. Otherwise the next index is used.
   */
  private void failed(Exception failure) {
    LOGGER.debug("a search that warms up model [" + id + "] failed", failure);
    if (ExceptionsHelper.unwrap(failure, CaughtError.class) != null) {
      onError.accept(failure);
    }
    if (fits || !sampled || plain) {
      targets.poll();
      sampled = false;
    }
    plain = true;
  }

  private Map<String, Object> params(String text) {
    Map<String, Object> params = new HashMap<>();
    for (FeatureDefinition feature : set.features()) {
      feature.tell(template -> params.putAll(template.sample(Map.of(), text)));
    }
    params.keySet().removeAll(set.defaultParams().keySet());
    return params;
  }

  private static List<String> texts(SearchResponse answer) {
    List<String> words =
        Stream.of(answer.getHits().getHits())
            .filter(SearchHit::hasSource)
            .flatMap(hit -> Door.nested(Door.document(hit.getSourceRef())))
            .filter(String.class::isInstance)
            .flatMap(text -> Stream.of(((String) text).split("[^\\p{L}\\p{N}]+")))
            .filter(word -> !word.isEmpty())
            .limit(MAX_WORDS)
            .toList();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i + WORDS_PER_TEXT <= words.size(); i += WORDS_PER_TEXT) {
      texts.add(String.join(" ", words.subList(i, i + WORDS_PER_TEXT)));
    }
    return texts;
  }
}
