// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.ModelNames;
import io.quickscorer.plugin.rescore.clause.SentHits;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.transport.client.Client;

/**
 * The {@code quickscorer} clause of a search request.
 *
 * <p>The coordinating node determines the version of each model, fetches the features, inserts the
 * request's parameters into them, and rewrites their queries. So all shards get the same versions
 * and queries, including shards of other clusters. A shard's node waits until these versions are
 * compiled. {@link ClauseState} contains the steps. Immutable, except for the window's size and the
 * memory charge while the request is parsed.
 */
public final class EnsembleRescorerBuilder extends RescorerBuilder<EnsembleRescorerBuilder> {
  public static final String NAME = "quickscorer";

  /** Default number of hits that the model ranks on each shard. */
  public static final int DEFAULT_WINDOW_SIZE = 100;

  private final RequestedClause clause;
  private final ClauseState state;
  private @Nullable MemoryCharge memory;

  private EnsembleRescorerBuilder(
      @Nullable Integer windowSize, RequestedClause clause, ClauseState state) {
    this.windowSize = windowSize;
    this.clause = clause;
    this.state = state;
  }

  public EnsembleRescorerBuilder(ClauseOptions options, Supplier<RescoreServices> services) {
    this(
        DEFAULT_WINDOW_SIZE,
        new RequestedClause(options, 0, null, null, null, SentHits.ALL, services),
        new ClauseState.Parsed());
  }

  public EnsembleRescorerBuilder(StreamInput in, Supplier<RescoreServices> services)
      throws IOException {
    super(in);
    Wire.head(in);
    ClauseOptions options = WireRecord.read(in, ClauseOptions.class);
    this.state = ClauseState.read(in);
    int collected = in.readVInt();
    StandingHits standing = in.readOptionalWriteable(WireRecord.reader(StandingHits.class));
    SentHits sent = WireRecord.read(in, SentHits.class);
    this.clause = new RequestedClause(options, collected, null, null, standing, sent, services);
  }

  /**
   * Parses the clause of a search request. The caller sets the number of hits to rank later,
   * because it is not in the clause's JSON object.
   *
   * @param memory receives the clause's charge, which is released when the search ends or the
   *     clause is garbage-collected
   */
  public static EnsembleRescorerBuilder parse(
      XContentParser parser, MemoryCharge memory, Supplier<RescoreServices> services)
      throws IOException {
    EnsembleRescorerBuilder builder =
        new EnsembleRescorerBuilder(
            Guard.call(() -> "the clause", () -> ClauseOptions.parse(parser, memory)), services);
    builder.memory = memory.owned();
    return builder;
  }

  /** Returns the clause's charge; null if the clause was not parsed from a request's body. */
  public @Nullable MemoryCharge memory() {
    return memory;
  }

  public ClauseOptions options() {
    return clause.options();
  }

  /** Returns the services of this node that rescoring uses. */
  public RescoreServices services() {
    return clause.services();
  }

  /**
   * Loads a clause's models on this node, compiles them for the engine (algorithm) that the clause
   * names, and then calls the listener.
   */
  public void load(BoundClause bound, Client client, ActionListener<Void> listener) {
    new ClauseState.Loading(bound).load(clause, client, listener);
  }

  /** Returns whether the clause ranks the hits of another search ({@link StandingHits}). */
  public boolean isStanding() {
    return clause.standing() != null;
  }

  /**
   * Returns whether the models' versions are determined. The versions are always determined if
   * another node or cluster sent the clause after the rewrite.
   */
  public boolean isBound() {
    return state.bound() != null;
  }

  /**
   * Returns a copy that determines the versions of its models, even if this clause has already done
   * so, and records them.
   *
   * @param trace receives the versions, for the response
   * @param hits the minimum number of hits that each shard collects
   * @param names holds the versions of models for all clauses of the search
   * @param sent the data that shards send to this node
   */
  public EnsembleRescorerBuilder traced(
      ClauseTrace trace, int hits, AtomicReference<ModelLookup.Names> names, SentHits sent) {
    return parsed(
        new RequestedClause(options(), hits, trace, names, clause.standing(), sent, clause.node()));
  }

  /**
   * Returns a copy with other models, whose versions are not determined yet.
   *
   * @param shared holds the versions of models for the clauses of several searches
   */
  public EnsembleRescorerBuilder with(ModelNames names, AtomicReference<ModelLookup.Names> shared) {
    return parsed(
        new RequestedClause(
            options().with(names),
            0,
            null,
            shared,
            clause.standing(),
            SentHits.ALL,
            clause.node()));
  }

  /**
   * Returns the object that holds the versions of models for all clauses of the search; null if
   * each clause determines them itself.
   */
  public @Nullable AtomicReference<ModelLookup.Names> names() {
    return clause.names();
  }

  /**
   * Returns a copy that ranks the hits of another search. The versions of the copy's models are not
   * determined yet.
   */
  public EnsembleRescorerBuilder standing(StandingHits hits) {
    return parsed(new RequestedClause(options(), 0, null, null, hits, SentHits.ALL, clause.node()));
  }

  private EnsembleRescorerBuilder parsed(RequestedClause changed) {
    return new EnsembleRescorerBuilder(windowSize, changed, new ClauseState.Parsed());
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  /**
   * Sets the number of hits that the model ranks on each shard.
   *
   * @throws IllegalArgumentException if the number is not positive, which the server does not check
   */
  @Override
  public EnsembleRescorerBuilder windowSize(int windowSize) {
    if (windowSize < 1) {
      throw new IllegalArgumentException(
          "[window_size] of [" + NAME + "] must be 1 or more, not " + windowSize);
    }
    return super.windowSize(windowSize);
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    Wire.head(out);
    options().writeTo(out);
    state.writeTo(out);
    out.writeVInt(clause.collected());
    out.writeOptionalWriteable(clause.standing());
    clause.sent().writeTo(out);
  }

  @Override
  protected void doXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject(NAME);
    options().toXContent(builder, params);
    builder.endObject();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a rewrite that changes nothing returns its own object
  public RescorerBuilder<EnsembleRescorerBuilder> rewrite(QueryRewriteContext context)
      throws IOException {
    if (context.convertToShardContext() != null) {
      // No further rewrite, because the last one before the search must not wait. The clause is
      // completely bound by now.
      return this;
    }
    if (state instanceof ClauseState.Parsed && windowSize != null) {
      options().checkWindow(windowSize);
    }
    ClauseState next = Guard.call(() -> "the clause", () -> state.rewrite(clause, context));
    return next == state ? this : new EnsembleRescorerBuilder(windowSize, clause, next);
  }

  @Override
  protected RescoreContext innerBuildContext(int windowSize, QueryShardContext context) {
    BoundClause bound = state.bound();
    if (bound == null) {
      throw new QueryShardException(
          context,
          "internal error: ["
              + NAME
              + "] reached a shard before it was bound to its models; report this as a bug");
    }
    try {
      return Guard.call(() -> "the clause", () -> bind(bound, windowSize, context));
    } catch (RuntimeException e) {
      clause.services().stats().failed(bound.ids());
      throw e;
    }
  }

  private EnsembleRescoreContext bind(
      BoundClause bound, int windowSize, QueryShardContext context) {
    int max = context.getIndexSettings().getMaxRescoreWindow();
    int collected = clause.collected();
    if (collected > Math.max(max, windowSize)) {
      throw new QueryShardException(
          context,
          "["
              + NAME
              + "] with [outside_window] mix collects [from] + [size] + [window_size] hits of each"
              + " shard, here "
              + collected
              + ", but [index.max_rescore_window] allows "
              + max);
    }
    if (!isCacheable(bound)) {
      context.setIsCacheable(false);
    }
    return new EnsembleRescoreContext(
        windowSize,
        Math.max(windowSize, collected),
        options(),
        bound,
        // Only the node that coordinates the search and sends the response has a trace.
        clause.trace() == null ? null : clause.trace().budget(),
        clause.standing(),
        clause.sent(),
        clause.services(),
        context);
  }

  /**
   * Returns whether the shard may cache the search's result. The shard must not cache it if the
   * clause has a time limit or logs values, or if an engine (algorithm) is quarantined because it
   * computed wrong scores.
   */
  private boolean isCacheable(BoundClause bound) {
    ModelLookup models = services().models();
    return bound.nonce() == null
        && options().budget() == null
        && bound.ids().stream().allMatch(id -> models.quarantined(id).isEmpty());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof EnsembleRescorerBuilder builder
        && options().equals(builder.options())
        && clause.collected() == builder.clause.collected()
        && Objects.equals(clause.standing(), builder.clause.standing())
        && clause.sent().equals(builder.clause.sent())
        && state.equals(builder.state);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), options(), state);
  }

  /**
   * The parts of a clause that do not change while the server prepares the search. Immutable.
   *
   * @param options the options in the request
   * @param collected the minimum number of hits that a shard must collect; 0 if the server collects
   *     enough
   * @param trace receives the models' versions for the response; null on shards
   * @param names holds the versions of models for all clauses of the search; null if each clause
   *     determines them itself
   * @param standing hits of another search to rank; null to rank the search's own hits
   * @param sent the data that shards send to the coordinating node
   * @param node returns the services of this node
   */
  record RequestedClause(
      ClauseOptions options,
      int collected,
      @Nullable ClauseTrace trace,
      @Nullable AtomicReference<ModelLookup.Names> names,
      @Nullable StandingHits standing,
      SentHits sent,
      Supplier<RescoreServices> node) {
    RescoreServices services() {
      return node.get();
    }
  }
}
