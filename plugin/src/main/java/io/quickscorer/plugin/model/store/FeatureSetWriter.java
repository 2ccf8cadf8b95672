// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import java.io.IOException;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.transport.client.Client;

/**
 * Writes and deletes the documents of feature sets. What a network held up on its way undoes no
 * later change: a document is replaced or deleted only if it is the one that was there when that
 * began. Safe for use by several threads.
 */
final class FeatureSetWriter {
  /** Largest document of a set. A listing reads a page of them at once. */
  private static final int MAX_BYTES = 4 << 20;

  private final Client client;
  private final ModelIndex index;

  FeatureSetWriter(Client client, ModelIndex index) {
    this.client = client;
    this.index = index;
  }

  /** As {@link FeatureSetStore#put}. */
  void put(FeatureSet set, long now, boolean create, ActionListener<Written> listener) {
    index.ensure(
        ActionListener.wrap(
            ready -> {
              if (create) {
                write(set, now, Written.NOTHING, listener);
              } else {
                current(
                    set.name(),
                    ActionListener.wrap(
                        there -> write(set, now, there, changedMeanwhile(set.name(), listener)),
                        listener::onFailure));
              }
            },
            listener::onFailure));
  }

  /** What is there of a set, as its primary has it. */
  private void current(String name, ActionListener<Written> listener) {
    client.get(
        new GetRequest(ModelIndex.NAME, FeatureSetStore.documentId(name))
            .preference(Preference.PRIMARY.type())
            .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE),
        ActionListener.map(
            listener,
            got ->
                got.isExists()
                    ? new Written(false, got.getSeqNo(), got.getPrimaryTerm())
                    : Written.NOTHING));
  }

  private static <T> ActionListener<T> changedMeanwhile(String name, ActionListener<T> listener) {
    return ActionListener.delegateResponse(
        listener,
        (l, failure) ->
            l.onFailure(
                ExceptionsHelper.status(failure) == RestStatus.CONFLICT
                    ? new OpenSearchStatusException(
                        "feature set [{}]: another request changed it meanwhile; see what it is"
                            + " now, and send yours again",
                        RestStatus.CONFLICT,
                        failure,
                        name)
                    : failure));
  }

  private void write(FeatureSet set, long now, Written replaced, ActionListener<Written> listener)
      throws IOException {
    IndexRequest request =
        new IndexRequest(ModelIndex.NAME)
            .id(FeatureSetStore.documentId(set.name()))
            .create(replaced.equals(Written.NOTHING))
            .setIfSeqNo(replaced.number())
            .setIfPrimaryTerm(replaced.term())
            .waitForActiveShards(index.requiredCopies())
            .setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    try (XContentBuilder source = XContentFactory.cborBuilder()) {
      ModelIndex.begin(source, FeatureSetStore.KIND)
          .field("name", set.name())
          .field("created", now);
      source.field(ModelDescription.FEATURE_SET);
      set.toXContent(source, ToXContent.EMPTY_PARAMS);
      request.source(source.endObject());
    }
    if (request.source().length() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "feature set ["
              + set.name()
              + "]: "
              + request.source().length()
              + " bytes, at most "
              + MAX_BYTES);
    }
    client.index(
        request,
        ActionListener.map(
            listener,
            written ->
                new Written(
                    written.getResult() == DocWriteResponse.Result.CREATED,
                    written.getSeqNo(),
                    written.getPrimaryTerm())));
  }

  /** As {@link FeatureSetStore#delete(String, ActionListener)}. */
  void delete(String name, ActionListener<Void> listener) {
    current(
        name,
        ActionListener.wrap(
            there -> {
              if (there.equals(Written.NOTHING)) {
                throw FeatureSetStore.missing(name);
              }
              delete(name, there, listener);
            },
            listener::onFailure));
  }

  /** As {@link FeatureSetStore#delete(String, Written, ActionListener)}. */
  void delete(String name, Written written, ActionListener<Void> listener) {
    client.delete(
        new DeleteRequest(ModelIndex.NAME, FeatureSetStore.documentId(name))
            .setIfSeqNo(written.number())
            .setIfPrimaryTerm(written.term())
            .setRefreshPolicy(RefreshPolicy.IMMEDIATE),
        changedMeanwhile(name, ActionListener.map(listener, deleted -> null)));
  }
}
