// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.ShardRequest.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.indices.refresh.RefreshAction;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.admin.indices.refresh.RefreshResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteAction;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.delete.DeleteResponse;
import org.opensearch.action.get.GetAction;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetAction;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.index.IndexAction;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.action.support.TransportAction;
import org.opensearch.action.support.replication.ReplicationResponse.ShardInfo;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.index.Index;
import org.opensearch.index.get.GetResult;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** The server's actions on documents, for the simulated index. */
final class IndexActions {
  private final SimulatedIndex index;
  private final ClusterService clusterService;
  private final TransportService transport;
  private final ActionFilters filters;
  private final RescoredSearches searches;

  IndexActions(
      SimulatedIndex index,
      ClusterService clusterService,
      TransportService transport,
      ActionFilters filters,
      RescoredSearches searches) {
    this.index = index;
    this.clusterService = clusterService;
    this.transport = transport;
    this.filters = filters;
    this.searches = searches;
  }

  Map<ActionType<?>, TransportAction<?, ?>> all() {
    Map<ActionType<?>, TransportAction<?, ?>> all = new HashMap<>();
    add(all, IndexAction.INSTANCE, this::index);
    add(all, DeleteAction.INSTANCE, this::delete);
    add(all, BulkAction.INSTANCE, this::bulk);
    add(all, GetAction.INSTANCE, this::get);
    add(all, MultiGetAction.INSTANCE, this::multiGet);
    add(all, SearchAction.INSTANCE, this::search);
    add(all, RefreshAction.INSTANCE, this::refresh);
    return all;
  }

  private <Q extends ActionRequest, R extends ActionResponse> void add(
      Map<ActionType<?>, TransportAction<?, ?>> all,
      ActionType<R> type,
      BiConsumer<Q, ActionListener<R>> body) {
    all.put(
        type,
        new TransportAction<Q, R>(type.name(), filters, transport.getTaskManager()) {
          @Override
          protected void doExecute(Task task, Q request, ActionListener<R> listener) {
            body.accept(request, listener);
          }
        });
  }

  /** How many copies must be active. */
  private int copies(ActiveShardCount wanted) {
    if (wanted == ActiveShardCount.DEFAULT) {
      return 1;
    }
    int total = SimulatedIndex.index(clusterService.state()).getNumberOfReplicas() + 1;
    return wanted == ActiveShardCount.ALL
        ? total
        : IntStream.rangeClosed(0, total)
            .filter(wanted::enoughShardsActive)
            .findFirst()
            .orElse(total);
  }

  private void index(IndexRequest request, ActionListener<IndexResponse> listener) {
    ShardRequest write =
        ShardRequest.write(
            Kind.INDEX,
            new ShardDocument(request.id(), request.source(), 0, 0, 0),
            request.opType() == DocWriteRequest.OpType.CREATE,
            request.ifSeqNo(),
            request.ifPrimaryTerm(),
            copies(request.waitForActiveShards()));
    index.write(
        write,
        request.timeout(),
        new AtomicReference<>(),
        ActionListener.map(
            listener,
            answer -> {
              ShardDocument written = answer.documents.getFirst();
              IndexResponse response =
                  new IndexResponse(
                      answer.shard,
                      written.id(),
                      written.number(),
                      written.term(),
                      written.version(),
                      answer.created);
              response.setShardInfo(new ShardInfo(1, 1));
              return response;
            }));
  }

  private void delete(DeleteRequest request, ActionListener<DeleteResponse> listener) {
    deleteFrom(new AtomicReference<>(), request, listener);
  }

  private void deleteFrom(
      AtomicReference<@Nullable Index> target,
      DeleteRequest request,
      ActionListener<DeleteResponse> listener) {
    ShardRequest write =
        ShardRequest.write(
            Kind.DELETE,
            new ShardDocument(request.id(), null, 0, 0, 0),
            false,
            request.ifSeqNo(),
            request.ifPrimaryTerm(),
            copies(request.waitForActiveShards()));
    index.write(
        write,
        request.timeout(),
        target,
        ActionListener.map(
            listener,
            answer -> {
              ShardDocument written = answer.documents.getFirst();
              return new DeleteResponse(
                  answer.shard,
                  written.id(),
                  written.number(),
                  written.term(),
                  written.version(),
                  written.version() > 1);
            }));
  }

  /** Each item by itself, one after the other. */
  private void bulk(BulkRequest request, ActionListener<BulkResponse> listener) {
    items(request, new ArrayList<>(), new AtomicReference<>(), listener);
  }

  private void items(
      BulkRequest request,
      List<BulkItemResponse> done,
      AtomicReference<@Nullable Index> target,
      ActionListener<BulkResponse> listener) {
    int item = done.size();
    if (item == request.requests().size()) {
      listener.onResponse(new BulkResponse(done.toArray(new BulkItemResponse[0]), 0));
      return;
    }
    DeleteRequest delete = (DeleteRequest) request.requests().get(item);
    ActionListener<DocWriteResponse> next =
        ActionListener.wrap(
            response -> {
              done.add(new BulkItemResponse(item, delete.opType(), response));
              items(request, done, target, listener);
            },
            failure -> {
              done.add(
                  new BulkItemResponse(
                      item,
                      delete.opType(),
                      new BulkItemResponse.Failure(delete.index(), delete.id(), failure)));
              items(request, done, target, listener);
            });
    deleteFrom(target, delete, ActionListener.map(next, response -> response));
  }

  private void get(GetRequest request, ActionListener<GetResponse> listener) {
    index.read(
        Kind.GET,
        request.id(),
        request.preference(),
        ActionListener.map(listener, answer -> response(request, answer)));
  }

  private static GetResponse response(GetRequest request, ShardAnswer answer) {
    boolean exists = !answer.documents.isEmpty();
    @Nullable ShardDocument found = exists ? answer.documents.getFirst() : null;
    boolean source =
        request.fetchSourceContext() == null || request.fetchSourceContext().fetchSource();
    return new GetResponse(
        found == null
            ? new GetResult(
                request.index(),
                request.id(),
                SequenceNumbers.UNASSIGNED_SEQ_NO,
                SequenceNumbers.UNASSIGNED_PRIMARY_TERM,
                -1,
                false,
                null,
                null,
                null)
            : new GetResult(
                request.index(),
                request.id(),
                found.number(),
                found.term(),
                found.version(),
                true,
                source ? found.source() : null,
                Map.of(),
                Map.of()));
  }

  private void multiGet(MultiGetRequest request, ActionListener<MultiGetResponse> listener) {
    gets(request, new ArrayList<>(), listener);
  }

  private void gets(
      MultiGetRequest request,
      List<MultiGetItemResponse> done,
      ActionListener<MultiGetResponse> listener) {
    int item = done.size();
    if (item == request.getItems().size()) {
      listener.onResponse(new MultiGetResponse(done.toArray(new MultiGetItemResponse[0])));
      return;
    }
    MultiGetRequest.Item wanted = request.getItems().get(item);
    get(
        new GetRequest(wanted.index(), wanted.id()),
        ActionListener.wrap(
            response -> {
              done.add(new MultiGetItemResponse(response, null));
              gets(request, done, listener);
            },
            failure -> {
              done.add(
                  new MultiGetItemResponse(
                      null, new MultiGetResponse.Failure(wanted.index(), wanted.id(), failure)));
              gets(request, done, listener);
            }));
  }

  private void search(SearchRequest request, ActionListener<SearchResponse> listener) {
    if (request.source().rescores() != null) {
      searches.search(request, listener);
      return;
    }
    index.read(
        Kind.SEARCH,
        null,
        request.preference(),
        ActionListener.map(
            listener,
            answer -> {
              List<ShardDocument> found = DocumentQuery.page(request.source(), answer.documents);
              SearchHit[] hits = new SearchHit[found.size()];
              for (int i = 0; i < hits.length; i++) {
                hits[i] = new SearchHit(i, found.get(i).id(), Map.of(), Map.of());
                hits[i].sourceRef(found.get(i).source());
              }
              SearchResponseSections sections =
                  new InternalSearchResponse(
                      new SearchHits(
                          hits, new TotalHits(hits.length, TotalHits.Relation.EQUAL_TO), 1),
                      null,
                      null,
                      null,
                      false,
                      null,
                      1);
              return new SearchResponse(
                  sections,
                  null,
                  1,
                  1,
                  0,
                  1,
                  ShardSearchFailure.EMPTY_ARRAY,
                  SearchResponse.Clusters.EMPTY);
            }));
  }

  private void refresh(RefreshRequest request, ActionListener<RefreshResponse> listener) {
    index.all(Kind.REFRESH, ActionListener.map(listener, done -> refreshed()));
  }

  /** An answer that all went well; the server alone may make one. */
  private static RefreshResponse refreshed() throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      for (int count : new int[] {1, 1, 0, 0}) {
        out.writeVInt(count);
      }
      return RefreshAction.INSTANCE.getResponseReader().read(out.bytes().streamInput());
    }
  }
}
