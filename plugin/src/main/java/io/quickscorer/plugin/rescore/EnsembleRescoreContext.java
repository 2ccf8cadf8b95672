package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.ShardFeatures;
import io.quickscorer.plugin.feature.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.search.rescore.RescoreContext;

/**
 * One clause on one shard: the pinned model, its bound features, and the rows to log. Made anew for
 * each phase of a search; used by one thread at a time.
 */
final class EnsembleRescoreContext extends RescoreContext {
  private final ClauseOptions options;
  private final BoundClause bound;
  private final ShardFeatures features;
  private final CircuitBreaker breaker;
  private final RescoreServices services;
  private final List<LoggedRows> rows = new ArrayList<>();

  EnsembleRescoreContext(
      int windowSize,
      ClauseOptions options,
      BoundClause bound,
      ShardFeatures features,
      CircuitBreaker breaker,
      RescoreServices services) {
    super(windowSize, EnsembleRescorer.INSTANCE);
    this.options = options;
    this.bound = bound;
    this.features = features;
    this.breaker = breaker;
    this.services = services;
  }

  ClauseOptions options() {
    return options;
  }

  BoundClause bound() {
    return bound;
  }

  ShardFeatures features() {
    return features;
  }

  CircuitBreaker breaker() {
    return breaker;
  }

  RescoreServices services() {
    return services;
  }

  /** Lets a distributed search collect the statistics of the features' terms too. */
  @Override
  public List<ParsedQuery> getParsedQueries() {
    return features.queries().stream().map(GlobalStatistics::source).toList();
  }

  @Override
  public List<Query> getQueries() {
    return features.queries().stream().map(ParsedQuery::query).toList();
  }

  /** Adds to the rescored documents: a hybrid query rescores each of its parts in one context. */
  void addRescored(Window window) {
    Set<Integer> all = new HashSet<>();
    if (getRescoredDocs() != null) {
      all.addAll(getRescoredDocs());
    }
    for (int doc : window.docs()) {
      all.add(doc);
    }
    setRescoredDocs(all);
  }

  void addRows(LoggedRows added) {
    rows.add(added);
  }

  /** The rows to log; of several that hold a document the last counts. */
  List<LoggedRows> rows() {
    return rows;
  }

  /** Hands the rows, and the duty to close them, to the caller. */
  List<LoggedRows> takeRows() {
    List<LoggedRows> taken = List.copyOf(rows);
    rows.clear();
    return taken;
  }

  void keepRowsOf(int[] docs) {
    rows.replaceAll(r -> r.only(docs));
  }

  void closeRows() {
    rows.forEach(LoggedRows::close);
    rows.clear();
  }
}
