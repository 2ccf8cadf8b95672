// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.store.ModelIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.refresh.RefreshAction;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteAction;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetAction;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetAction;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexAction;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The simulated index of models gives the same answers as an index of a real node. */
public class SimulatedIndexTests extends OpenSearchSingleNodeTestCase {
  private static final int REQUESTS = 600;

  /** The environment of a simulated process uses a setting that is deprecated. */
  @Override
  protected boolean enableWarningsCheck() {
    return false;
  }

  private static final List<String> KINDS =
      List.of("index", "delete", "get", "multi-get", "bulk", "search");

  /** A client that waits for the answer. */
  private interface Index {
    <R extends ActionResponse> R ask(ActionType<R> type, ActionRequest request);
  }

  private static final class Simulated implements Index {
    private final Simulation simulation;

    Simulated(Simulation simulation) {
      this.simulation = simulation;
    }

    @Override
    public <R extends ActionResponse> R ask(ActionType<R> type, ActionRequest request) {
      PlainActionFuture<R> answer = PlainActionFuture.newFuture();
      simulation.cluster.manager().client.execute(type, request, answer);
      simulation.until(answer::isDone, type.name() + " has no answer");
      return answer.actionGet();
    }
  }

  /** Sends random requests, and notes the answers. */
  private static final class Requests {
    private final Index index;
    private final Random random;
    private final List<String> answers = new ArrayList<>();

    /** The writes so far that a condition can name. */
    private final List<DocWriteResponse> writes = new ArrayList<>();

    /** The sequence number of the first write. */
    private long first;

    Requests(Index index, long seed) {
      this.index = index;
      this.random = new Random(seed);
    }

    List<String> run() throws IOException {
      DocWriteResponse begin = index.ask(IndexAction.INSTANCE, indexing("a"));
      first = begin.getSeqNo();
      writes.add(begin);
      for (int i = 0; i < REQUESTS; i++) {
        String request = "";
        try {
          int kind = random.nextInt(10);
          request = KINDS.get(Math.max(0, kind - 4));
          answers.add(i + " " + request + ": " + answer(kind));
        } catch (RuntimeException e) {
          Throwable cause = ExceptionsHelper.unwrapCause(e);
          answers.add(
              i
                  + " "
                  + request
                  + ": "
                  + ExceptionsHelper.status(cause)
                  + " "
                  + cause.getClass().getSimpleName());
        }
      }
      return answers;
    }

    private String id() {
      return "" + (char) ('a' + random.nextInt(5));
    }

    private DocWriteResponse earlier() {
      // The last ones are more often still the current ones.
      int back = Math.min(writes.size(), random.nextBoolean() ? 4 : 40);
      return writes.get(writes.size() - 1 - random.nextInt(back));
    }

    private IndexRequest indexing(String id) throws IOException {
      XContentBuilder source =
          XContentFactory.cborBuilder()
              .startObject()
              .field("kind", "conformance")
              .field("name", "name " + id)
              .field("created", random.nextInt(100));
      if (random.nextBoolean()) {
        source.field("upload", "u" + random.nextInt(3));
      }
      return new IndexRequest(ModelIndex.NAME).id(id).source(source.endObject());
    }

    private DeleteRequest deletion(String id) {
      return new DeleteRequest(ModelIndex.NAME, id);
    }

    private String answer(int kind) throws IOException {
      return switch (kind) {
        case 0, 1, 2, 3, 4 -> {
          DocWriteResponse on = random.nextBoolean() ? earlier() : null;
          IndexRequest write = indexing(on == null ? id() : on.getId());
          if (on != null) {
            write.setIfSeqNo(on.getSeqNo()).setIfPrimaryTerm(on.getPrimaryTerm());
          } else {
            write.create(random.nextInt(3) == 0);
          }
          yield written(index.ask(IndexAction.INSTANCE, write));
        }
        case 5 -> {
          DocWriteResponse on = random.nextBoolean() ? earlier() : null;
          DeleteRequest write = deletion(on == null ? id() : on.getId());
          if (on != null) {
            write.setIfSeqNo(on.getSeqNo()).setIfPrimaryTerm(on.getPrimaryTerm());
          }
          yield written(index.ask(DeleteAction.INSTANCE, write));
        }
        case 6 -> found(index.ask(GetAction.INSTANCE, new GetRequest(ModelIndex.NAME, id())));
        case 7 -> {
          MultiGetRequest gets = new MultiGetRequest();
          gets.add(ModelIndex.NAME, id()).add(ModelIndex.NAME, id());
          StringBuilder all = new StringBuilder();
          for (MultiGetItemResponse item : index.ask(MultiGetAction.INSTANCE, gets)) {
            all.append(found(item.getResponse())).append("; ");
          }
          yield all.toString();
        }
        case 8 -> {
          BulkRequest bulk = new BulkRequest().add(deletion(id())).add(deletion(id()));
          StringBuilder all = new StringBuilder();
          for (BulkItemResponse item : index.ask(BulkAction.INSTANCE, bulk)) {
            all.append(written(item.<DocWriteResponse>getResponse())).append("; ");
          }
          yield all.toString();
        }
        default -> {
          index.ask(RefreshAction.INSTANCE, new RefreshRequest(ModelIndex.NAME));
          yield search();
        }
      };
    }

    private String written(DocWriteResponse response) {
      writes.add(response);
      return response.getResult()
          + " "
          + response.getId()
          + ", "
          + (response.getSeqNo() - first)
          + " of term "
          + response.getPrimaryTerm();
    }

    private String found(GetResponse response) {
      return response.getId()
          + (response.isExists()
              ? ", "
                  + (response.getSeqNo() - first)
                  + " of term "
                  + response.getPrimaryTerm()
                  + " "
                  + new TreeMap<>(response.getSourceAsMap())
              : " is missing");
    }

    private String search() {
      BoolQueryBuilder query =
          QueryBuilders.boolQuery().filter(QueryBuilders.termQuery("kind", "conformance"));
      switch (random.nextInt(4)) {
        case 0 -> query.filter(QueryBuilders.rangeQuery("created").lt(random.nextInt(100)));
        case 1 -> query.filter(QueryBuilders.existsQuery("upload"));
        case 2 -> query.mustNot(QueryBuilders.termsQuery("upload", "u0", "u1"));
        default -> query.must(QueryBuilders.termQuery("upload", "u" + random.nextInt(3)));
      }
      SearchSourceBuilder source =
          new SearchSourceBuilder().query(query).sort("name").size(1 + random.nextInt(5));
      if (random.nextBoolean()) {
        source.searchAfter(new Object[] {"name " + id()});
      }
      List<Map<String, Object>> hits = new ArrayList<>();
      for (SearchHit hit :
          index
              .ask(SearchAction.INSTANCE, new SearchRequest(ModelIndex.NAME).source(source))
              .getHits()) {
        hits.add(new TreeMap<>(hit.getSourceAsMap()));
      }
      return hits.toString();
    }
  }

  public void testAnswersAreThoseOfARealIndex() throws Exception {
    long seed = random().nextLong();
    createIndex(
        ModelIndex.NAME,
        Settings.builder().put("index.hidden", true).put("index.number_of_replicas", 0).build(),
        "_doc",
        "kind",
        "type=keyword",
        "name",
        "type=keyword",
        "upload",
        "type=keyword",
        "created",
        "type=date,format=epoch_millis");
    List<String> real =
        new Requests(
                new Index() {
                  @Override
                  public <R extends ActionResponse> R ask(
                      ActionType<R> type, ActionRequest request) {
                    return client().execute(type, request).actionGet();
                  }
                },
                seed)
            .run();
    List<String> simulated = new ArrayList<>();
    try (NodeEnvironment environment = SimulationTestCase.environment(createTempDir())) {
      Simulation.run(
          new Plan(seed, 1, List.of()),
          environment,
          simulation -> simulated.addAll(answers(simulation, seed)));
    }
    assertEquals("seed " + seed, String.join("\n", real), String.join("\n", simulated));
  }

  /** The server property on which the simulated index relies if the index is restored. */
  public void testAWaitingDeletionIsNotCarriedOutInALaterIndex() throws Exception {
    CreateIndexRequest withoutShards =
        new CreateIndexRequest(ModelIndex.NAME)
            .settings(Settings.builder().put("index.routing.allocation.enable", "none"))
            .waitForActiveShards(ActiveShardCount.NONE);
    client().admin().indices().create(withoutShards).actionGet();
    ActionFuture<BulkResponse> deleted =
        client().bulk(new BulkRequest().add(new DeleteRequest(ModelIndex.NAME, "a")));
    assertBusy(
        () ->
            assertTrue(
                client()
                    .admin()
                    .cluster()
                    .prepareListTasks()
                    .setDetailed(true)
                    .get()
                    .getTasks()
                    .stream()
                    .map(task -> String.valueOf(task.getStatus()))
                    .anyMatch(status -> status.contains("waiting_for_retry"))),
        60,
        TimeUnit.SECONDS);
    client().admin().indices().prepareDelete(ModelIndex.NAME).get();
    createIndex(ModelIndex.NAME);
    client().prepareIndex(ModelIndex.NAME).setId("a").setSource("kind", "model").get();
    assertTrue(deleted.actionGet().hasFailures());
    Exception failure = deleted.actionGet().getItems()[0].getFailure().getCause();
    assertTrue(
        failure.toString(),
        ExceptionsHelper.unwrapCause(failure) instanceof IndexNotFoundException);
    assertTrue(client().prepareGet(ModelIndex.NAME, "a").get().isExists());
  }

  private static List<String> answers(Simulation simulation, long seed) {
    try {
      return new Requests(new Simulated(simulation), seed).run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
