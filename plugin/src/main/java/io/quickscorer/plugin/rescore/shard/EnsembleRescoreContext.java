// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseStage;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.tasks.Task;

/**
 * One clause on one shard: the pinned models, their bound features, and the rows to log. Made again
 * for each phase of a search. {@link EnsembleRescorer} holds its monitor: it works for one thread
 * at a time. The marks and the rows may be read by several.
 */
public final class EnsembleRescoreContext extends RescoreContext {
  private static final ToXContent.Params ONE_LINE =
      new ToXContent.MapParams(Map.of("pretty", "false"));

  private final int window;
  private final ClauseOptions options;
  private final BoundClause bound;
  private final List<ClauseStage> stages;
  private final List<ShardFeatures> groups;
  private final long bindNanos;
  private final RequestBudget budget;
  private final RequestBudget answer;
  private final @Nullable StandingScores standing;
  private final RescoreServices services;
  private final QueryShardContext shard;
  private final List<LoggedRows> rows = new ArrayList<>();
  private final @Nullable String groupField;
  private @Nullable SearchContext search;
  private @Nullable ParsedQuery query;
  private boolean ofPage;
  private @Nullable ClauseProfile profile;
  private long explainNanos;
  private long spentNanos;
  private boolean spent;

  private EnsembleRescoreContext(
      int window,
      int collected,
      ClauseOptions options,
      BoundClause bound,
      List<ShardFeatures> groups,
      long bindNanos,
      RequestBudget budget,
      RequestBudget answer,
      @Nullable StandingScores standing,
      @Nullable String groupField,
      RescoreServices services,
      QueryShardContext shard) {
    super(collected, EnsembleRescorer.INSTANCE);
    this.window = window;
    this.options = options;
    this.bound = bound;
    this.stages = ClauseStage.of(options, bound);
    this.groups = List.copyOf(groups);
    this.bindNanos = bindNanos;
    this.budget = budget;
    this.answer = answer;
    this.standing = standing;
    this.groupField = groupField;
    this.services = services;
    this.shard = shard;
  }

  /**
   * Creates the shard's queries of a clause's features.
   *
   * @param window how many hits are rescored
   * @param collected minimum number of hits that the shard collects for this
   * @param answer charged for the data in the response; null if another node sends it
   * @param standing hits of another search that are ranked, or null
   * @param groupField field whose values the coordinating node needs of each hit, or null
   */
  public static EnsembleRescoreContext open(
      int window,
      int collected,
      ClauseOptions options,
      BoundClause bound,
      @Nullable RequestBudget answer,
      @Nullable StandingHits standing,
      @Nullable String groupField,
      RescoreServices services,
      QueryShardContext shard) {
    long start = System.nanoTime();
    RequestBudget budget = services.memory().budget();
    List<ShardFeatures> groups = new ArrayList<>();
    try {
      budget.charge(bound.rendered(), "<quickscorer queries>");
      for (BoundFeatures group : bound.groups()) {
        groups.add(ShardFeatures.of(group, shard, services.expressions(), budget));
      }
    } finally {
      // It is held as soon as there is a search that ends.
      budget.suspend();
    }
    return new EnsembleRescoreContext(
        window,
        collected,
        options,
        bound,
        groups,
        System.nanoTime() - start,
        budget,
        answer == null ? budget : answer,
        standing == null ? null : StandingScores.of(standing, shard),
        groupField,
        services,
        shard);
  }

  /**
   * Begins a phase.
   *
   * @param of has the query that the clause belongs to; inner hits share the rescorers, but have
   *     their own queries
   * @param page whether the hits of the page are fetched; otherwise they may be hits of
   *     aggregations
   */
  public void begin(SearchContext of, boolean page) {
    this.search = of;
    this.query = of.parsedQuery();
    this.ofPage = page;
  }

  /** Returns whether the clause ranks the hits of this query. */
  @SuppressWarnings("ReferenceEquality") // an inner hit's query may be equal
  public boolean ranks(ParsedQuery of) {
    return of == query;
  }

  /** Returns whether the fetched hits are those of the page. */
  public boolean isOfPage() {
    return ofPage;
  }

  /** Returns the field whose values the coordinating node needs of each hit, or null. */
  public @Nullable String groupField() {
    return groupField;
  }

  /** Returns how many hits are rescored. The server has only the number of hits to collect. */
  int window() {
    return window;
  }

  /** Returns the hits of the first pass, or of the search that found them before. */
  ScoreDoc[] firstPass(ScoreDoc[] hits, IndexSearcher searcher) throws IOException {
    return standing == null ? hits : standing.of(hits, searcher);
  }

  /** Returns how many of the {@link #firstPass} hits can be ranked, from the first. */
  int ranked(ScoreDoc[] firstPass) {
    if (standing == null) {
      return firstPass.length;
    }
    int ranked = firstPass.length;
    while (ranked > 0 && firstPass[ranked - 1].score == StandingHits.NOBODYS) {
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

  /**
   * Returns the clause's stages, in the order in which hits go through them; the clause itself if
   * it has none.
   */
  List<ClauseStage> stages() {
    return stages;
  }

  /** Returns the last stage that scored a document, from 0, or -1 if none did. */
  public synchronized int stageOf(int doc) {
    Set<Integer> marks = getRescoredDocs();
    return marks == null ? -1 : StageMarks.stage(marks, doc, stages.size());
  }

  /** Returns whether the models of the last stage have scored a document. */
  public boolean isRanked(int doc) {
    return stageOf(doc) == stages.size() - 1;
  }

  /** Returns the versions that score here; none if the coordinating node scores. */
  List<ModelId> scoringIds() {
    return options.isGlobal() ? List.of() : bound.ids();
  }

  /** Returns the features of each of the clause's groups. */
  List<ShardFeatures> groups() {
    return groups;
  }

  /** Returns the time it took to create this shard's queries of the features. */
  long bindNanos() {
    return bindNanos;
  }

  /** Returns the budget of this clause until the phase is over. */
  public RequestBudget budget() {
    return budget;
  }

  /**
   * Returns the budget until the response is sent, or if another node sends it, until the phase is
   * over.
   */
  public RequestBudget answer() {
    return answer;
  }

  CircuitBreaker breaker() {
    return services.memory().breaker();
  }

  /** Returns the time spent on explaining hits in this phase. */
  long explainNanos() {
    return explainNanos;
  }

  void addExplainNanos(long nanos) {
    explainNanos += nanos;
  }

  /** Returns the time that the windows of this phase have taken. */
  long spentNanos() {
    return spentNanos;
  }

  void addSpentNanos(long nanos) {
    spentNanos += nanos;
  }

  /** Returns whether a window of this phase was left unscored because the time was up. */
  public boolean isSpent() {
    return spent;
  }

  void spend() {
    spent = true;
  }

  /** Returns the shard, as logs show it. */
  String shard() {
    return "[" + shard.index().getName() + "][" + shard.getShardId() + "]";
  }

  /** Returns the shard's request, as the server's own slow log shows it. */
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

  /** Lets a distributed search collect the statistics of the features' terms too. */
  @Override
  public List<ParsedQuery> getParsedQueries() {
    List<ParsedQuery> sources = new ArrayList<>();
    for (ShardFeatures group : groups) {
      sources.addAll(GlobalStatistics.sources(group));
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
   * Adds to the rescored documents: a hybrid query rescores each of its parts in one context, a
   * top_hits aggregation each of its buckets.
   *
   * @param marks as {@link StageMarks} has them
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

  /** Returns whether there are no rows to log. */
  public synchronized boolean hasNoRows() {
    return rows.isEmpty();
  }

  /** Returns the rows with a document, the last ones if several have it, or null if none do. */
  public synchronized @Nullable LoggedRows rowsOf(int doc) {
    for (LoggedRows of : rows.reversed()) {
      if (of.find(doc) >= 0) {
        return of;
      }
    }
    return null;
  }

  /** Starts to record the times of rescoring. */
  void startProfile() {
    profile = new ClauseProfile(stages.size());
  }

  /** Returns the profile, or null if the search is not profiled. */
  @Nullable ClauseProfile profile() {
    return profile;
  }

  /** Hands the rows, and the duty to close them, to the caller. */
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
