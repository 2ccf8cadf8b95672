// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import java.io.IOException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.RetryableAction;
import org.opensearch.action.support.TransportActions;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.common.UUIDs;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.node.NodeClosedException;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.ConnectTransportException;

/**
 * Writes and deletes the documents of feature sets. A document is replaced or deleted only if it
 * has not changed since the request began, so that a delayed request cannot overwrite a later
 * change. There is one exception: if a request that creates a set is delayed, and the set is
 * deleted meanwhile, the request creates the set again. Safe for use by several threads.
 *
 * <p>A deletion first replaces the document by a mark, and then deletes the mark. The mark is a
 * document, so {@link #findOwn} can recognise it if the server repeats the request; a deletion
 * would leave no trace. If a mark remains, the set does not exist.
 */
record FeatureSetWriter(GuardedClient client, ModelIndex index) {
  private static final Logger LOGGER = LogManager.getLogger(FeatureSetWriter.class);
  private static final TimeValue FIRST_RETRY = TimeValue.timeValueMillis(50);
  private static final String CHANGED =
      "another request changed the set at the same time; read it and send the request again";
  private static final FetchSourceContext KIND_ONLY =
      new FetchSourceContext(true, new String[] {ModelStore.KIND}, new String[0]);

  /** Writes a feature set's document as {@link FeatureSetStore#put} describes. */
  void put(FeatureSet set, long now, boolean create, ActionListener<Written> answer) {
    // Not 404: the set may have been written before the index was deleted.
    ActionListener<Written> listener =
        Guard.recovering(
            answer,
            (l, failure) ->
                l.onFailure(
                    failure instanceof IndexNotFoundException
                        ? ModelIndex.unusable(
                            "it was deleted while a document was written; send the request again")
                        : failure));
    index.ensure(
        ActionListener.wrap(
            ready -> {
              current(
                  set.name(),
                  ActionListener.wrap(
                      current -> {
                        boolean exists = create && !isMissing(current);
                        write(
                            set,
                            now,
                            exists ? Written.NOTHING : current,
                            explained(
                                set.name(), exists ? "the set already exists" : CHANGED, listener));
                      },
                      listener::onFailure));
            },
            listener::onFailure));
  }

  /**
   * Passes the latest write of a feature set's document to the listener, or {@link Written#NOTHING}
   * if there is no document. If the document only marks the set as deleted, {@link Written#created}
   * is true, because the next write creates the set.
   */
  private void current(String name, ActionListener<Written> listener) {
    read(
        name,
        KIND_ONLY,
        ActionListener.map(
            listener,
            response ->
                response.isExists()
                    ? new Written(
                        isMark(response.getSourceAsBytesRef()),
                        response.getSeqNo(),
                        response.getPrimaryTerm())
                    : Written.NOTHING));
  }

  private static boolean isMark(BytesReference source) {
    try {
      Object kind = Door.ownMap(XContentType.CBOR, source).get(ModelStore.KIND);
      return FeatureSetStore.DELETED.equals(kind);
    } catch (IllegalArgumentException e) {
      // A damaged document does not mark a deletion, so a set can replace it.
      return false;
    }
  }

  private static boolean isMissing(Written current) {
    return current.created() || current.equals(Written.NOTHING);
  }

  /**
   * Reads a feature set's document from the primary shard. Waits for this shard if necessary, but
   * only for a limited time.
   */
  private void read(String name, FetchSourceContext source, ActionListener<GetResponse> listener) {
    ThreadPool threadPool = client.threadPool();
    new RetryableAction<GetResponse>(
        LOGGER,
        threadPool,
        FIRST_RETRY,
        ModelIndex.PATIENCE,
        ContextPreservingActionListener.wrapPreservingContext(
            listener, threadPool.getThreadContext())) {
      @Override
      public void tryAction(ActionListener<GetResponse> attempt) {
        client.get(
            new GetRequest(ModelIndex.NAME, FeatureSetStore.documentId(name))
                .preference(Preference.PRIMARY.type())
                .fetchSourceContext(source),
            attempt);
      }

      @Override
      public boolean shouldRetry(Exception failure) {
        Throwable cause = ExceptionsHelper.unwrapCause(failure);
        return cause instanceof ConnectTransportException
            || cause instanceof NodeClosedException
            || (TransportActions.isShardNotAvailableException(cause)
                && !(cause instanceof IndexNotFoundException));
      }
    }.run();
  }

  private static boolean isConflict(Exception failure) {
    return ExceptionsHelper.status(failure) == RestStatus.CONFLICT;
  }

  /**
   * Returns a listener for a write. If the write fails by a conflict, the message is {@code why}.
   */
  private static <T> ActionListener<T> explained(
      String name, String why, ActionListener<T> listener) {
    return Guard.recovering(
        listener,
        (l, failure) ->
            l.onFailure(
                isConflict(failure)
                    ? new OpenSearchStatusException(
                        "feature set [{}]: {}", RestStatus.CONFLICT, failure, name, why)
                    : failure));
  }

  private void write(FeatureSet set, long now, Written replaced, ActionListener<Written> listener)
      throws IOException {
    BytesReference source;
    try {
      source = BoundedContent.cbor(FeatureSet.MAX_BYTES, to -> document(set, now, to));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("feature set [" + set.name() + "]: " + e.getMessage(), e);
    }
    write(set.name(), source, replaced, replaced, listener);
  }

  /**
   * Writes a feature set's document.
   *
   * @param before the document's last write when the request began
   * @param current the expected last write of the document: {@code before}, or an earlier attempt
   *     of this request (see {@link #findOwn}). If another write was later, this one fails
   */
  private void write(
      String name,
      BytesReference source,
      Written before,
      Written current,
      ActionListener<Written> listener) {
    client.index(
        new IndexRequest(ModelIndex.NAME)
            .id(FeatureSetStore.documentId(name))
            .source(source, XContentType.CBOR)
            .create(current.equals(Written.NOTHING))
            .setIfSeqNo(current.number())
            .setIfPrimaryTerm(current.term())
            .waitForActiveShards(index.requiredCopies()),
        ActionListener.wrap(
            written ->
                index.confirm(
                    written,
                    ActionListener.map(
                        listener,
                        confirmed ->
                            new Written(
                                isMissing(before), written.getSeqNo(), written.getPrimaryTerm()))),
            Guard.recovery(
                listener,
                failure -> {
                  if (isConflict(failure)) {
                    findOwn(name, source, before, failure, listener);
                  } else {
                    listener.onFailure(failure);
                  }
                })));
  }

  private static void begin(XContentBuilder to, String kind, String name) throws IOException {
    ModelIndex.begin(to, kind).field("name", name);
    // The random id makes this document differ from that of a request with an equal set.
    to.startObject(ModelStore.METADATA).field("write", UUIDs.base64UUID()).endObject();
  }

  private static void document(FeatureSet set, long now, XContentBuilder to) throws IOException {
    begin(to, FeatureSetStore.KIND, set.name());
    to.field("created", now).field(ModelDescription.FEATURE_SET);
    set.toXContent(to, ToXContent.EMPTY_PARAMS);
    to.endObject();
  }

  /**
   * Handles a conflict after a write. It may be a conflict with this request's own write, because
   * the server repeats a write if the primary shard fails. If the document has the content {@code
   * source}, writes it again: only a successful write is on all copies of the shard.
   *
   * @param before the last write of the document when the request began
   * @param conflict the failure for the listener if another request has written the document
   */
  private void findOwn(
      String name,
      BytesReference source,
      Written before,
      Exception conflict,
      ActionListener<Written> listener) {
    read(
        name,
        FetchSourceContext.FETCH_SOURCE,
        ActionListener.wrap(
            current -> {
              if (current.isExists() && source.equals(current.getSourceAsBytesRef())) {
                Written own = new Written(false, current.getSeqNo(), current.getPrimaryTerm());
                write(name, source, before, own, listener);
              } else {
                listener.onFailure(conflict);
              }
            },
            listener::onFailure));
  }

  /** Deletes a document, as {@link FeatureSetStore#delete(String, ActionListener)} describes. */
  void delete(String name, ActionListener<Void> listener) {
    index.whenReady(
        ActionListener.wrap(
            ready ->
                current(
                    name,
                    ActionListener.wrap(
                        current -> {
                          if (isMissing(current)) {
                            throw FeatureSetStore.missing(name);
                          }
                          delete(name, current, listener);
                        },
                        listener::onFailure)),
            listener::onFailure));
  }

  /**
   * Deletes a feature set's document as {@link FeatureSetStore#delete(String, Written,
   * ActionListener)} describes.
   */
  void delete(String name, Written written, ActionListener<Void> listener) {
    ActionListener<Void> ended = explained(name, CHANGED, listener);
    BytesReference mark =
        BoundedContent.cbor(
            FeatureSet.MAX_BYTES,
            to -> {
              begin(to, FeatureSetStore.DELETED, name);
              to.endObject();
            });
    write(
        name,
        mark,
        written,
        written,
        ActionListener.wrap(
            marked ->
                client.delete(
                    new DeleteRequest(ModelIndex.NAME, FeatureSetStore.documentId(name))
                        .setIfSeqNo(marked.number())
                        .setIfPrimaryTerm(marked.term()),
                    ActionListener.wrap(
                        deleted -> ended.onResponse(null),
                        failure -> {
                          LOGGER.debug(
                              "could not delete the document that marks feature set ["
                                  + name
                                  + "] as deleted",
                              failure);
                          ended.onResponse(null);
                        })),
            ended::onFailure));
  }
}
