// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.SentHits;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QuerySearchResult;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.tasks.Task;

/**
 * The state of one clause on one shard in one phase of a search: the versions of the models, the
 * features, and the feature values to log. Only one thread at a time may rescore with this object.
 * Several threads at a time may read the logged values, and the stage that last ranked a document.
 */
public final class EnsembleRescoreContext extends RescoreContext {
  private static final ToXContent.Params ONE_LINE =
      new ToXContent.MapParams(Map.of("pretty", "false"));

  private final int window;
  private final ClauseOptions options;
  private final BoundClause bound;
  private final List<BoundClause.Stage> stages;
  private final List<ShardFeatures> groups;
  private final long bindNanos;
  private final RequestBudget budget;
  private final RequestBudget answer;
  private final @Nullable StandingHits standing;
  private final RescoreServices services;
  private final QueryShardContext shard;
  private final List<LoggedRows> rows = new ArrayList<>();
  private final SentHits sent;
  private @Nullable SearchContext search;
  private @Nullable PageFetch pageFetch;
  private @Nullable ClauseProfile profile;
  private long explainNanos;
  private long spentNanos;
  private boolean spent;

  /**
   * Creates the state of a clause, and converts the queries of its features for the shard.
   *
   * @param window the number of hits that the models rank
   * @param collected the minimum number of hits that the shard collects for the clause
   * @param answer the memory budget for data in the response; null if this node does not send the
   *     response
   * @param standing the hits of another search to rank; null to rank the search's own hits
   * @param sent the data that the shard sends to the coordinating node
   */
  public EnsembleRescoreContext(
      int window,
      int collected,
      ClauseOptions options,
      BoundClause bound,
      @Nullable RequestBudget answer,
      @Nullable StandingHits standing,
      SentHits sent,
      RescoreServices services,
      QueryShardContext shard) {
    super(collected, EnsembleRescorer.INSTANCE);
    long start = System.nanoTime();
    this.window = window;
    this.options = options;
    this.bound = bound;
    this.stages = BoundClause.Stage.of(options, bound);
    this.budget = services.memory().budget();
    this.answer = answer == null ? budget : answer;
    this.standing = standing;
    this.sent = sent;
    this.services = services;
    this.shard = shard;
    try {
      budget.charge(bound.rendered(), "<quickscorer queries>");
      this.groups =
          bound.groups().stream()
              .map(group -> ShardFeatures.of(group, shard, services.expressions(), budget))
              .toList();
    } finally {
      // The charge is released until there is a search that closes the budget. Then it is charged
      // again.
      budget.suspend();
    }
    this.bindNanos = System.nanoTime() - start;
  }

  /** Returns the states of this plugin's clauses among a search's rescorers, in their order. */
  public static List<EnsembleRescoreContext> among(@Nullable List<RescoreContext> rescorers) {
    return rescorers == null
        ? List.of()
        : rescorers.stream()
            .filter(EnsembleRescoreContext.class::isInstance)
            .map(EnsembleRescoreContext.class::cast)
            .toList();
  }

  /**
   * Begins a phase (query or fetch) of a search with this clause.
   *
   * @param newSearch the search that contains the clause
   * @param page true if this phase fetches the hits of the response's page, false if it may fetch
   *     hits of aggregations
   */
  public void begin(SearchContext newSearch, boolean page) {
    this.search = newSearch;
    this.pageFetch = page && options.isGlobal() ? new PageFetch(this) : null;
  }

  /**
   * Returns whether the clause ranks the hits of a query. Inner hits have queries of their own, for
   * which this is false.
   */
  @SuppressWarnings("ReferenceEquality") // identity is needed: an inner hit's query may be equal
  public boolean ranks(ParsedQuery other) {
    return search != null && other == search.parsedQuery();
  }

  /** Returns the fetch phase of a clause that ranks over all shards; null in other phases. */
  public @Nullable PageFetch pageFetch() {
    return pageFetch;
  }

  /** Returns which data the shard sends to a node that ranks the hits of all shards together. */
  public SentHits sent() {
    return sent;
  }

  /** Returns the number of hits that the models rank; the server's window may be larger. */
  int window() {
    return window;
  }

  /**
   * Returns the hits to rank: the hits of another search if the clause contains any, otherwise
   * {@code hits}.
   */
  ScoreDoc[] firstPass(ScoreDoc[] hits, IndexSearcher searcher) throws IOException {
    return standing == null ? hits : standing.rank(hits, searcher, shard);
  }

  /**
   * Returns the number of hits to rank. They are the first documents of the array. The other
   * documents have the score {@link StandingHits#NOT_A_HIT}.
   */
  int ranked(ScoreDoc[] firstPass) {
    if (standing == null) {
      return firstPass.length;
    }
    int ranked = firstPass.length;
    while (ranked > 0 && firstPass[ranked - 1].score == StandingHits.NOT_A_HIT) {
      ranked--;
    }
    return ranked;
  }

  public ClauseOptions options() {
    return options;
  }

  public BoundClause bound() {
    return bound;
  }

  /** Returns the clause's stages in the order in which they rank hits; at least one. */
  List<BoundClause.Stage> stages() {
    return stages;
  }

  /** Returns the index, from 0, of the last stage that scored a document; -1 if none did. */
  public synchronized int stageOf(int doc) {
    Set<Integer> marks = getRescoredDocs();
    return marks == null ? -1 : Cascade.stage(marks, doc, stages.size());
  }

  /** Returns whether the last stage scored a document. */
  public boolean isRanked(int doc) {
    return stageOf(doc) == stages.size() - 1;
  }

  /** Returns the versions of the models that score in the query phase; empty if none does. */
  List<ModelId> scoringIds() {
    boolean later = options.isGlobal() && !PageFetch.scoresInQueryPhase(this, search);
    return later ? List.of() : bound.ids();
  }

  /** Returns the features on this shard, one object per group of models that share features. */
  List<ShardFeatures> groups() {
    return groups;
  }

  /** Returns the time spent on creating this shard's queries for the features, in nanoseconds. */
  long bindNanos() {
    return bindNanos;
  }

  /** Returns the clause's memory budget, which is closed at the end of the phase. */
  public RequestBudget budget() {
    return budget;
  }

  /**
   * Returns the memory budget for data in the response. The budget is closed when the response is
   * sent; on a node that does not send it, at the end of the phase (query or fetch).
   */
  public RequestBudget answer() {
    return answer;
  }

  CircuitBreaker breaker() {
    return services.memory().breaker();
  }

  /** Returns the time spent in this phase on explaining hits so far, in nanoseconds. */
  long explainNanos() {
    return explainNanos;
  }

  void addExplainNanos(long nanos) {
    explainNanos += nanos;
  }

  /** Returns the time spent in this phase on rescoring so far, in nanoseconds. */
  long spentNanos() {
    return spentNanos;
  }

  void addSpentNanos(long nanos) {
    spentNanos += nanos;
  }

  /** Returns whether hits were not scored in this phase because the time ran out. */
  public boolean isSpent() {
    return spent;
  }

  void spend() {
    spent = true;
  }

  /**
   * Returns the explanation of a hit's score, even if this clause did not rank the hit.
   *
   * @param source explains the hit's score before this clause changed it
   */
  public Explanation explain(int doc, IndexSearcher searcher, Explanation source)
      throws IOException {
    synchronized (searcher) {
      return Guard.call(
          () -> "an explanation", () -> HitExplanation.timed(doc, searcher, this, source));
    }
  }

  /** Returns the shard's name, as OpenSearch's logs write it: {@code [index][shard]}. */
  String shard() {
    return "[" + shard.index().getName() + "][" + shard.getShardId() + "]";
  }

  /** Returns a description of the shard's request, as OpenSearch's slow log writes it. */
  String request() {
    if (search == null) {
      return "id[], source[]";
    }
    SearchShardTask task = search.getTask();
    String id = task == null ? null : task.getHeader(Task.X_OPAQUE_ID);
    SearchSourceBuilder source = search.request().source();
    return "id["
        + Objects.requireNonNullElse(id, "")
        + "], source["
        + (source == null ? "" : source.toString(ONE_LINE))
        + "]";
  }

  RescoreServices services() {
    return services;
  }

  /**
   * Returns queries with the features' terms, for a search that collects global statistics of
   * terms.
   */
  @Override
  public List<ParsedQuery> getParsedQueries() {
    List<ParsedQuery> sources = new ArrayList<>();
    for (ShardFeatures group : groups) {
      for (int q = 0; q < group.queries().size(); q++) {
        ParsedQuery source = group.queries().get(q);
        sources.add(group.needsCounts(q) ? GlobalStatistics.bare(source) : source);
      }
    }
    return sources;
  }

  @Override
  public List<Query> getQueries() {
    return groups.stream()
        .flatMap(group -> group.queries().stream().map(ParsedQuery::query))
        .toList();
  }

  /**
   * Adds documents that were rescored. Called several times for a hybrid query with several parts,
   * and for {@code top_hits} with several buckets.
   *
   * @param marks the documents, as {@link Cascade#marks} encodes them
   */
  synchronized void addRescored(int[] marks) {
    if (!(getRescoredDocs() instanceof DocSet)) {
      setRescoredDocs(new DocSet());
    }
    ((DocSet) getRescoredDocs()).add(marks);
  }

  public synchronized void addRows(LoggedRows added) {
    rows.add(added);
  }

  /** Returns whether there are no feature values to log in this phase. */
  public synchronized boolean hasNoRows() {
    return rows.isEmpty();
  }

  /**
   * Returns a document's row in the latest list of hits that contains it; null if no list does.
   * Throws an exception (429) if all rows were deleted.
   */
  public synchronized LoggedRows.@Nullable Row rowOf(int doc) {
    if (rows.isEmpty()) {
      throw LoggedRows.deleted();
    }
    for (int i = rows.size() - 1; i >= 0; i--) {
      LoggedRows.Row row = rows.get(i).row(doc);
      if (row != null) {
        return row;
      }
    }
    return null;
  }

  /** Starts to record the times of rescoring. */
  public void startProfile() {
    profile = new ClauseProfile(stages.size());
  }

  /**
   * Adds the recorded times of clauses to a shard's profile; does nothing if none were recorded.
   */
  public static void addProfiles(QuerySearchResult result, List<EnsembleRescoreContext> clauses) {
    if (clauses.stream().anyMatch(clause -> clause.profile != null)) {
      ClauseProfile.add(result, clauses);
    }
  }

  /** Returns the recorded times; null if the search is not profiled. */
  @Nullable ClauseProfile profile() {
    return profile;
  }

  /**
   * Returns the logged feature values, which the caller closes, and removes them from this object.
   */
  public synchronized List<LoggedRows> takeRows() {
    List<LoggedRows> taken = List.copyOf(rows);
    rows.clear();
    return taken;
  }

  public synchronized void keepRowsOf(int[] docs) {
    rows.replaceAll(r -> r.only(docs));
  }

  public synchronized void closeRows() {
    rows.forEach(LoggedRows::close);
    rows.clear();
  }
}
