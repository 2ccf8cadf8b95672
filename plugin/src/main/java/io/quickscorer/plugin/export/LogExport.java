package io.quickscorer.plugin.export;

import io.quickscorer.plugin.export.LogRequest.JudgedQuery;
import io.quickscorer.plugin.rescore.LoggedHits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.transport.client.Client;

/**
 * Writes the feature values of queries' documents to a training file, a few searches at a time.
 *
 * <p>An HTTP answer leaves this server in one piece. What bounds its memory is that a piece ends
 * after the first query with which it exceeds a given size; the answer says with which query the
 * next piece begins.
 */
public final class LogExport {
  private static final int BATCH = 8;
  private static final int CONCURRENT = 2;

  private final LogRequest request;
  private final JudgedSearch searches;
  private final Client client;
  private final Executor executor;
  private final BytesStreamOutput out;
  private final long mostBytes;
  private final ActionListener<Piece> listener;
  private int at;
  private int rows;
  private int notFound;
  private boolean begun;

  /**
   * A piece of a file.
   *
   * @param contentType its media type
   * @param next the query with which the next piece begins, or the number of queries
   * @param rows how many rows it has
   * @param notFound how many of the documents asked for are not in the index
   */
  public record Piece(String contentType, int next, int rows, int notFound) {}

  private LogExport(
      LogRequest request,
      JudgedSearch searches,
      Client client,
      BytesStreamOutput out,
      int from,
      long mostBytes,
      ActionListener<Piece> listener) {
    this.request = request;
    this.searches = searches;
    this.client = client;
    this.executor = client.threadPool().generic();
    this.out = out;
    this.at = from;
    this.mostBytes = mostBytes;
    this.listener = listener;
  }

  /**
   * Starts an export; returns at once.
   *
   * @param client searches on behalf of the user
   * @param out gets the piece
   * @param from the query to begin with
   * @param mostBytes the piece ends after the query with which it is larger than this
   */
  public static void start(
      LogRequest request,
      String featureSet,
      LoggedHits logging,
      NamedXContentRegistry registry,
      Client client,
      BytesStreamOutput out,
      int from,
      long mostBytes,
      ActionListener<Piece> listener) {
    if (from >= request.queries().size()) {
      throw new IllegalArgumentException(
          "from: expected 0 to " + (request.queries().size() - 1) + ", the last query");
    }
    JudgedSearch searches = new JudgedSearch(featureSet, logging, registry);
    new LogExport(request, searches, client, out, from, mostBytes, listener).next();
  }

  /** Runs on any thread, and only hands over. */
  private void next() {
    executor.execute(ActionRunnable.wrap(listener, ignored -> searchNext()));
  }

  private void searchNext() {
    int end = Math.min(at + BATCH, request.queries().size());
    MultiSearchRequest batch = new MultiSearchRequest().maxConcurrentSearchRequests(CONCURRENT);
    for (JudgedQuery judged : request.queries().subList(at, end)) {
      batch.add(search(judged));
    }
    client.multiSearch(
        batch,
        ActionListener.wrap(
            found -> executor.execute(ActionRunnable.wrap(listener, ignored -> write(found))),
            listener::onFailure));
  }

  private SearchRequest search(JudgedQuery judged) {
    try {
      SearchRequest search =
          judged.ids().isEmpty()
              ? searches.best(request.index(), judged.query(), judged.params(), judged.size())
              : searches.documents(request.index(), judged);
      return search.searchType(request.searchType());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where(judged) + e.getMessage(), e);
    }
  }

  private static String where(JudgedQuery judged) {
    return "query [" + judged.qid() + "]: ";
  }

  private void write(MultiSearchResponse found) throws IOException {
    for (MultiSearchResponse.Item item : found.getResponses()) {
      JudgedQuery judged = request.queries().get(at);
      if (item.isFailure()) {
        Throwable cause = ExceptionsHelper.unwrapCause(item.getFailure());
        throw new OpenSearchStatusException(
            "{}{}", ExceptionsHelper.status(cause), cause, where(judged), message(cause));
      }
      if (!begun) {
        begun = true;
        write(request.format().header(LoggedHits.names(item.getResponse())));
      }
      SearchHit[] hits = item.getResponse().getHits().getHits();
      notFound += Math.max(0, judged.ids().size() - hits.length);
      for (SearchHit hit : hits) {
        Number label = judged.labels().get(hit.getId());
        if (label != null || !request.skipUnlabelled()) {
          float[] values = LoggedHits.values(hit);
          write(
              request
                  .format()
                  .row(
                      new LogFormat.Row(
                          judged.qid(), hit.getId(), label == null ? 0 : label, values),
                      request.firstIndex()));
          rows++;
        }
      }
      at++;
      if (at == request.queries().size() || out.size() > mostBytes) {
        listener.onResponse(new Piece(request.format().contentType(), at, rows, notFound));
        return;
      }
    }
    next();
  }

  /** What shards complain about stands below the search's own failure. */
  private static String message(Throwable failure) {
    OpenSearchException[] causes = OpenSearchException.guessRootCauses(failure);
    return String.valueOf((causes.length == 0 ? failure : causes[0]).getMessage());
  }

  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeBytes(bytes, 0, bytes.length);
  }
}
