// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.LoggedHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.ParentTaskAssigningClient;
import org.opensearch.transport.client.node.NodeClient;

/**
 * The actions that create training files and test feature sets. The searches of these actions run
 * with the user's permissions, as child tasks.
 */
public record TrainingFiles(
    NodeClient client,
    ClusterService clusterService,
    LoggedHits logging,
    NamedXContentRegistry registry) {
  /** The action that returns a piece (a part) of a training file. */
  public static final PluginAction<Request, Piece> LOG =
      PluginAction.local("cluster:admin/quickscorer/feature_set/log");

  /** The action that tests a feature set on an index. */
  public static final PluginAction<Request, ToXContentObject> VALIDATE =
      PluginAction.local("cluster:admin/quickscorer/feature_set/validate");

  /**
   * A request for a piece of a training file, or for a test of a feature set. Contains the body as
   * the user sent it. If the request's task is cancelled, its searches are cancelled too.
   *
   * @param from the position in the training file at which the piece starts
   * @param maxBytes the piece ends after the search that makes it larger than this number of bytes
   */
  public record Request(
      String featureSet, @Nullable MediaType type, BytesReference body, Place from, long maxBytes)
      implements ValueRequest.Tracked {
    /** Creates a request for a test of a feature set. */
    public Request(String featureSet, @Nullable MediaType type, BytesReference body) {
      this(featureSet, type, body, new Place(0, 0), 0);
    }

    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new CancellableTask(
          fields.id(),
          fields.type(),
          fields.action(),
          "feature set [" + featureSet + "]",
          fields.parent(),
          fields.headers()) {
        @Override
        public boolean shouldCancelChildrenOnCancellation() {
          return true;
        }
      };
    }
  }

  /**
   * A piece of a training file.
   *
   * @param contentType the media type of the file
   * @param content the bytes of the piece
   * @param next the position at which the next piece starts, or null if this is the last one
   * @param rows the number of rows in this piece
   * @param notFound the number of requested documents that are not in the index
   */
  public record Piece(
      String contentType, BytesReference content, @Nullable Place next, int rows, int notFound) {}

  /**
   * The position in the training file at which a piece starts.
   *
   * @param query the index of the query, from 0
   * @param document the index of the query's document, from 0
   */
  public record Place(int query, int document) {
    /**
     * Parses a position in a training file, in the form that {@link #toString} returns.
     *
     * @throws IllegalArgumentException (400) if the text is not a position
     */
    public static Place parse(String text) {
      String[] parts = text.split(":", 2);
      try {
        Place place =
            new Place(
                Integer.parseInt(parts[0]), parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
        if (place.query >= 0 && place.document >= 0) {
          return place;
        }
      } catch (NumberFormatException e) {
        throw wrong(e);
      }
      throw wrong(null);
    }

    private static IllegalArgumentException wrong(@Nullable Exception cause) {
      return new IllegalArgumentException(
          "from: expected the value of the header X-Quickscorer-Next of the previous response",
          cause);
    }

    /**
     * Returns the position as text: {@code query:document}, or only {@code query} if the document
     * is the first one.
     */
    @Override
    public String toString() {
      return document == 0 ? Integer.toString(query) : query + ":" + document;
    }
  }

  private GuardedClient searching(Task task) {
    return new GuardedClient(
        new ParentTaskAssigningClient(client, clusterService.localNode(), task));
  }

  /** Writes a piece of a training file, and passes it to the listener. */
  public void log(Task task, Request request, ActionListener<Piece> listener) {
    RequestBudget budget = logging.budget();
    // Continues on another thread, because parsing a body of megabytes takes long.
    Guard.executor(client.threadPool(), ThreadPool.Names.GENERIC)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, budget::close),
                answer ->
                    LogExport.start(
                        LogRequest.parse(request.type(), request.body(), budget.memory()),
                        request,
                        logging,
                        registry,
                        searching(task),
                        answer)));
  }

  /** Tests a feature set on an index, and passes the result to the listener. */
  public void validate(Task task, Request request, ActionListener<ToXContentObject> listener) {
    LiveValidation.start(request, logging, registry, searching(task), listener);
  }
}
