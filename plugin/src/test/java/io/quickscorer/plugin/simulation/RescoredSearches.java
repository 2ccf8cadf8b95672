// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.FeatureKinds;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.OtherProcessors;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.verify.Verifier;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ChannelActionListener;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.BaseQueryRewriteContext;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;
import org.opensearch.plugins.SearchPlugin.RescorerSpec;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Searches that models score. The coordinating node binds the clause by the plugin's own filter and
 * rewrites, and sends it to two shards, each of which any node may have. A shard loads the versions
 * to which the clause is bound, as the plugin's own rewrite does, and scores one document.
 */
final class RescoredSearches {
  private static final String ACTION = "internal:simulation/score";
  private static final int SHARDS = 2;

  /** Nodes that have a copy of each shard. */
  private static final int COPIES = 2;

  /** Milliseconds that a shard holds a model at most. */
  private static final int MAX_WORK = 300;

  private final SimulatedNode node;
  private final SimulatedCluster cluster;
  private final RescoreModule module;
  private final RescorerSpec<?> spec;
  private @Nullable TransportService transport;
  private @Nullable Client client;
  private @Nullable NamedWriteableRegistry registry;

  RescoredSearches(
      SimulatedNode node, SimulatedCluster cluster, ModelBreaker memory, RequestMemory requests) {
    this.node = node;
    this.cluster = cluster;
    module =
        new RescoreModule(
            () -> node.models,
            () -> new UseRights(false),
            () -> memory,
            () -> requests,
            new RescoreStats(),
            () ->
                new Verifier(
                    node.models,
                    memory,
                    new VerifyStats(),
                    OpenSearchExecutors.newDirectExecutorService(),
                    0),
            () -> IdleThreads.NONE);
    spec = module.rescorers().getFirst();
  }

  /** The plugin's filter around searches. */
  ActionFilter filter() {
    return module.actionFilter(
        () -> node.client, node.local::getId, search -> new OtherProcessors("_none", false, false));
  }

  List<NamedWriteableRegistry.Entry> namedWriteables() {
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>(FeatureKinds.namedWriteables());
    entries.add(
        new NamedWriteableRegistry.Entry(
            RescorerBuilder.class, spec.getName().getPreferredName(), spec.getReader()));
    return entries;
  }

  /** Begins to serve shards. */
  void serve(TransportService service, Client own, NamedWriteableRegistry writeables) {
    transport = service;
    client = own;
    registry = writeables;
    service.registerRequestHandler(
        ACTION,
        ThreadPool.Names.GENERIC,
        Query::new,
        (request, channel, task) -> answer(request, channel));
  }

  /** Searches by the name of a model or an alias, and answers with the marks of the scores. */
  void search(String name, ActionListener<String> listener) {
    SearchRequest request =
        new SearchRequest("documents")
            .source(
                new SearchSourceBuilder()
                    .addRescorer(module.clause(ClauseOptions.of(name), COPIES)));
    node.client.search(
        request,
        ActionListener.map(
            listener,
            response ->
                Arrays.stream(response.getHits().getHits())
                    .map(hit -> Integer.toString((int) hit.getScore()))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(" "))));
  }

  private QueryRewriteContext context() {
    return new BaseQueryRewriteContext(
        NamedXContentRegistry.EMPTY, registry, client, cluster.timeline::getCurrentTimeMillis);
  }

  /** Carries out a search as the server does. */
  void search(SearchRequest request, ActionListener<SearchResponse> listener) {
    Rewriteable.rewriteAndFetch(
        request.source(),
        new QueryCoordinatorContext(context(), request),
        ActionListener.wrap(
            source -> query(source.rescores().getFirst(), listener), listener::onFailure));
  }

  private void query(RescorerBuilder<?> clause, ActionListener<SearchResponse> listener) {
    List<DiscoveryNode> nodes = new ArrayList<>(node.state().nodes().getDataNodes().values());
    nodes.sort(Comparator.comparing(DiscoveryNode::getId));
    Collections.shuffle(nodes, cluster.random);
    ActionListener<Object> each =
        new GroupedActionListener<>(
            ActionListener.map(listener, RescoredSearches::response), SHARDS);
    for (int shard = 0; shard < SHARDS; shard++) {
      Collections.rotate(nodes, 1);
      List<DiscoveryNode> copies = nodes.subList(0, Math.min(COPIES, nodes.size()));
      next(new Query(clause), List.copyOf(copies).iterator(), null, each);
    }
  }

  private void next(
      Query query,
      Iterator<DiscoveryNode> copies,
      @Nullable Exception last,
      ActionListener<Object> listener) {
    if (!copies.hasNext()) {
      Exception failure = last == null ? new IllegalStateException("no node has a copy") : last;
      listener.onResponse(new ShardSearchFailure(failure));
      return;
    }
    Objects.requireNonNull(transport)
        .sendRequest(
            copies.next(),
            ACTION,
            query,
            new ActionListenerResponseHandler<>(
                ActionListener.wrap(
                    listener::onResponse, failure -> next(query, copies, failure, listener)),
                ShardAnswer::new,
                ThreadPool.Names.GENERIC));
  }

  private static SearchResponse response(Collection<Object> answers) {
    ShardSearchFailure[] failures =
        answers.stream()
            .filter(ShardSearchFailure.class::isInstance)
            .toArray(ShardSearchFailure[]::new);
    if (failures.length == SHARDS) {
      throw new SearchPhaseExecutionException("query", "all shards failed", failures);
    }
    List<SearchHit> hits = new ArrayList<>();
    for (Object answer : answers) {
      if (answer instanceof ShardAnswer score) {
        SearchHit hit = new SearchHit(hits.size(), "1", Map.of(), Map.of());
        hit.score(score.documents.getFirst().number());
        hits.add(hit);
      }
    }
    SearchHits all =
        new SearchHits(
            hits.toArray(SearchHit[]::new),
            new TotalHits(hits.size(), TotalHits.Relation.EQUAL_TO),
            1);
    return new SearchResponse(
        new InternalSearchResponse(all, null, null, null, false, null, 1),
        null,
        SHARDS,
        SHARDS - failures.length,
        0,
        1,
        failures,
        SearchResponse.Clusters.EMPTY);
  }

  private void answer(Query query, TransportChannel channel) {
    ActionListener<ShardAnswer> listener = new ChannelActionListener<>(channel, ACTION, query);
    Rewriteable.rewriteAndFetch(
        query.clause,
        context(),
        ActionListener.wrap(clause -> score(clause, listener), listener::onFailure));
  }

  private void score(RescorerBuilder<?> clause, ActionListener<ShardAnswer> listener)
      throws IOException {
    ModelId id = bound(clause).ids().getFirst();
    ModelLookup.ModelUse use = node.models.acquire(id);
    node.time.after(
        cluster.random.nextInt(MAX_WORK),
        () -> {
          EnsembleScorer scorer = use.model().scorer();
          double[] scores = new double[1];
          scorer.score(FeatureMatrix.ofRows(new float[] {1}, 1), scorer.newScratch(), scores);
          use.close();
          ShardDocument score = new ShardDocument(id.toString(), null, (long) scores[0], 0, 0);
          listener.onResponse(ShardAnswer.found(List.of(score)));
        });
  }

  /** Reads what a clause is bound to from the form in which nodes send it. */
  private BoundClause bound(RescorerBuilder<?> clause) throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      clause.writeTo(out);
      try (StreamInput in =
          new NamedWriteableAwareStreamInput(
              out.bytes().streamInput(), Objects.requireNonNull(registry))) {
        in.readOptionalVInt();
        Wire.head(in);
        WireRecord.read(in, ClauseOptions.class);
        return Objects.requireNonNull(
            in.readOptionalWriteable(WireRecord.reader(BoundClause.class)));
      }
    }
  }

  /** A bound clause for a shard. */
  private static final class Query extends TransportRequest {
    private final RescorerBuilder<?> clause;

    Query(RescorerBuilder<?> clause) {
      this.clause = clause;
    }

    Query(StreamInput in) throws IOException {
      super(in);
      clause = in.readNamedWriteable(RescorerBuilder.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeNamedWriteable(clause);
    }
  }
}
