// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.export.LogRequest.JudgedQuery;
import io.quickscorer.plugin.export.TrainingFiles.Piece;
import io.quickscorer.plugin.export.TrainingFiles.Place;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Failures;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.LoggedHits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.lucene.search.TotalHits;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.threadpool.ThreadPool;

/**
 * Writes the feature values of queries' documents to a training file. It runs a few searches at a
 * time (a batch).
 *
 * <p>Each response contains one part of the file (a piece), because the server holds a whole
 * response in memory. A piece ends after the search that makes it larger than a limit. The response
 * contains the start of the next piece. The searches of a batch together return at most {@link
 * #MAX_VALUES} values.
 */
final class LogExport {
  private static final int BATCH = 8;
  private static final int CONCURRENT = 2;

  private static final String COLUMNS_TYPE = "text/plain; charset=UTF-8";

  /** Maximum number of feature values (some megabytes) in all responses of a batch of searches. */
  private static final int MAX_VALUES = 1 << 18;

  private final LogRequest request;
  private final String featureSet;
  private final LoggedHits logging;
  private final NamedXContentRegistry registry;
  private final GuardedClient client;
  private final Executor executor;
  private final BytesStreamOutput out = new BytesStreamOutput();
  private final RequestBudget budget;
  private final long maxBytes;
  private final List<Part> batch = new ArrayList<>();
  private final Set<String> categorical = new HashSet<>();
  private List<String> names = List.of();
  private Place at;

  /** Number of features in the set; before the first response, the maximum for any set. */
  private int features = FeatureSet.MAX_FEATURES;

  private int rows;
  private int notFound;
  private boolean begun;
  private boolean ended;

  /**
   * The documents of one query that a single search requests: all of them, or a part.
   *
   * @param place the position of the first of these documents in the training file
   * @param documents the number of documents
   */
  private record Part(Place place, int documents) {}

  private LogExport(
      LogRequest request,
      TrainingFiles.Request asked,
      LoggedHits logging,
      NamedXContentRegistry registry,
      GuardedClient client,
      RequestBudget budget) {
    this.request = request;
    this.featureSet = asked.featureSet();
    this.logging = logging;
    this.registry = registry;
    this.client = client;
    this.executor = Guard.executor(client.threadPool(), ThreadPool.Names.GENERIC);
    this.budget = budget;
    this.at = asked.from();
    this.maxBytes = asked.maxBytes();
  }

  /**
   * Starts to write a piece of the file, and returns immediately.
   *
   * @param client searches with the user's permissions
   * @param listener receives the piece
   */
  static void start(
      LogRequest request,
      TrainingFiles.Request asked,
      LoggedHits logging,
      NamedXContentRegistry registry,
      GuardedClient client,
      ActionListener<Piece> listener) {
    Place from = asked.from();
    if (from.query() >= request.queries().size()
        || from.document() >= request.queries().get(from.query()).documents()) {
      throw new IllegalArgumentException(
          "from: found ["
              + from
              + "], but the body has no such query or document; send the body of the first"
              + " request");
    }
    RequestBudget budget = logging.budget();
    ActionListener<Piece> closing = ActionListener.runAfter(listener, budget::close);
    LogExport export = new LogExport(request, asked, logging, registry, client, budget);
    Sequence.repeat(
        export::left,
        next -> export.executor.execute(ActionRunnable.wrap(next, export::search)),
        ActionListener.map(closing, ignored -> export.piece()));
  }

  /** Returns the remaining work as a number that each batch reduces; it is 0 at the end. */
  private long left() {
    int queries = request.queries().size() - at.query();
    return ended ? 0 : queries * (long) Integer.MAX_VALUE - at.document();
  }

  private Piece piece() {
    if (request.columns()) {
      return new Piece(COLUMNS_TYPE, out.bytes(), null, 0, 0);
    }
    Place next = at.query() == request.queries().size() ? null : at;
    return new Piece(request.format().contentType(), out.bytes(), next, rows, notFound);
  }

  /**
   * Runs the next batch of searches. The parameters of these searches are charged at the circuit
   * breaker until the batch ends.
   */
  private void search(ActionListener<Void> listener) {
    RequestBudget templates = logging.budget();
    ActionListener<List<SearchBatch.Item>> answered =
        ActionListener.runAfter(
            ActionListener.wrap(
                found -> executor.execute(ActionRunnable.wrap(listener, l -> begin(found, l))),
                listener::onFailure),
            templates::close);
    boolean sent = false;
    try {
      List<SearchRequest> next =
          batch(new JudgedSearch(featureSet, request.scope(), logging, registry, templates));
      sent = true;
      SearchBatch.run(client, next, CONCURRENT, answered);
    } finally {
      if (!sent) {
        templates.close();
      }
    }
  }

  private List<SearchRequest> batch(JudgedSearch searches) {
    batch.clear();
    List<SearchRequest> batched = new ArrayList<>();
    int documents = request.columns() ? 1 : Math.max(1, MAX_VALUES / features);
    Place next = at;
    while (next.query() < request.queries().size() && batch.size() < BATCH && documents > 0) {
      JudgedQuery judged = request.queries().get(next.query());
      Part part = new Part(next, Math.min(documents, judged.documents() - next.document()));
      batched.add(search(searches, judged, part));
      batch.add(part);
      documents -= part.documents();
      next = new Place(next.query() + 1, 0);
    }
    return batched;
  }

  private SearchRequest search(JudgedSearch searches, JudgedQuery judged, Part part) {
    try {
      SearchRequest search =
          judged.ids().isEmpty()
              ? searches.best(request.index(), judged.query(), judged.params(), judged.size())
              : searches.documents(request.index(), judged);
      if (part.documents() < judged.documents()) {
        // All parts of a query are read from the same shard copies, because other copies may order
        // hits with equal scores differently.
        search.preference("quickscorer-log-" + judged.qid());
      }
      search.source().from(part.place().document()).size(part.documents());
      return search.searchType(request.searchType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where(judged) + e.getMessage(), e);
    }
  }

  private static String where(JudgedQuery judged) {
    return "query [" + judged.qid() + "]: ";
  }

  /**
   * Writes the results of a batch of searches. Before the first batch, reads the feature set
   * without a check of permissions, because the searches have already used the set with the user's
   * permissions.
   */
  private void begin(List<SearchBatch.Item> found, ActionListener<Void> listener)
      throws IOException {
    if (begun || found.getFirst().response() == null) {
      write(found);
      listener.onResponse(null);
      return;
    }
    logging.featureSet(
        featureSet,
        ActionListener.wrap(
            set -> {
              set.features().stream()
                  .filter(FeatureDefinition::isCategorical)
                  .forEach(feature -> categorical.add(feature.name()));
              executor.execute(ActionRunnable.run(listener, () -> write(found)));
            },
            listener::onFailure));
  }

  private void write(List<SearchBatch.Item> found) throws IOException {
    for (int i = 0; i < found.size(); i++) {
      SearchResponse response = found.get(i).response();
      Part part = batch.get(i);
      JudgedQuery judged = request.queries().get(part.place().query());
      if (response == null) {
        Throwable cause = ExceptionsHelper.unwrapCause(found.get(i).failure());
        throw new OpenSearchStatusException(
            "{}{}", ExceptionsHelper.status(cause), cause, where(judged), Failures.message(cause));
      }
      if (!begun) {
        begun = true;
        names = LoggedHits.names(response);
        features = Math.max(1, names.size());
        names.forEach(request.format()::check);
        if (request.columns()) {
          write(request.format().columns(names, categorical));
          ended = true;
          return;
        }
        write(request.format().header(names));
      } else if (!names.equals(LoggedHits.names(response))) {
        throw new OpenSearchStatusException(
            "{}the feature set was replaced during the request; send the request again",
            RestStatus.CONFLICT,
            where(judged));
      }
      SearchHit[] hits = response.getHits().getHits();
      checkIds(judged, response.getHits());
      write(judged, hits);
      at = after(part, judged, hits.length);
      if (at.query() == request.queries().size() || out.size() > maxBytes) {
        ended = true;
        return;
      }
    }
  }

  /**
   * Checks that the indices contain at most one document per requested id. With more documents, the
   * response would not contain all of them.
   */
  private void checkIds(JudgedQuery judged, SearchHits hits) {
    int ids = judged.ids().size();
    TotalHits found = hits.getTotalHits();
    if (ids == 0 || found == null) {
      return;
    }
    long distinct = Arrays.stream(hits.getHits()).map(SearchHit::getId).distinct().count();
    if (found.value() > ids || distinct < hits.getHits().length) {
      throw new IllegalArgumentException(
          where(judged)
              + ids
              + " ids match "
              + found.value()
              + " documents of the indices ["
              + request.index()
              + "]; set [index] to one index");
    }
  }

  private void write(JudgedQuery judged, SearchHit[] hits) throws IOException {
    for (SearchHit hit : hits) {
      Number label = judged.labels().get(hit.getId());
      if (label != null || !request.skipUnlabelled()) {
        float[] values = LoggedHits.values(hit);
        if (request.format() == LogFormat.CATBOOST) {
          checkCategories(judged, hit.getId(), values);
        }
        Number known = label == null ? 0 : label;
        LogFormat.Row row = new LogFormat.Row(judged.qid(), hit.getId(), known, values);
        write(request.format().row(row));
        rows++;
      }
    }
  }

  /** Checks that a document has values for all categorical features, as CatBoost requires. */
  private void checkCategories(JudgedQuery judged, String id, float[] values) {
    for (int f = 0; f < values.length; f++) {
      if (Float.isNaN(values[f]) && categorical.contains(names.get(f))) {
        throw new IllegalArgumentException(
            where(judged)
                + "document ["
                + id
                + "] has no value for the categorical feature ["
                + names.get(f)
                + "], and CatBoost accepts no missing categories; set [missing] of the feature to a"
                + " code, such as the length of its list of categories");
      }
    }
  }

  /**
   * Returns the position in the training file after the documents of a search. Also counts the
   * requested documents that were not found.
   *
   * @param hits the number of documents found
   */
  private Place after(Part part, JudgedQuery judged, int hits) {
    int end = part.place().document() + part.documents();
    if (hits == part.documents() && end < judged.documents()) {
      return new Place(part.place().query(), end);
    }
    if (!judged.ids().isEmpty()) {
      notFound += judged.documents() - part.place().document() - hits;
    }
    return new Place(part.place().query() + 1, 0);
  }

  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    budget.charge(2L * bytes.length, "<quickscorer training file>");
    out.writeBytes(bytes, 0, bytes.length);
  }
}
