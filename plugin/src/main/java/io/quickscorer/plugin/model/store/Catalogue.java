// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * A document in the index of models ({@link ModelIndex}) with a copy of the cluster state's list of
 * models and aliases, so that a backup of the index alone is complete. As the catalogue is one
 * document, a snapshot never contains only a part of the list.
 */
public final class Catalogue {
  private static final Logger LOGGER = LogManager.getLogger(Catalogue.class);
  private static final String KIND = "catalogue";
  private static final TimeValue WRITE_TIMEOUT = TimeValue.timeValueSeconds(30);

  private final GuardedClient client;
  private final ModelIndex index;

  /** Sequence number of the unreadable catalogue that was logged last, to log each only once. */
  private final AtomicLong logged = new AtomicLong(SequenceNumbers.UNASSIGNED_SEQ_NO);

  public Catalogue(GuardedClient client, ModelIndex index) {
    this.client = client;
    this.index = index;
  }

  /** The content of the catalogue, with the numbers that identify its last write. */
  public record Entry(ModelsMetadata models, long seqNo, long term) {}

  /**
   * Reads the catalogue.
   *
   * @param listener receives the content, or null if there is no document; fails with 503 if the
   *     document cannot be read, or if a newer build wrote it
   */
  public void read(ActionListener<@Nullable Entry> listener) {
    client.get(
        new GetRequest(ModelIndex.NAME, KIND),
        ActionListener.map(listener, response -> response.isExists() ? parse(response) : null));
  }

  private Entry parse(GetResponse response) {
    try {
      return entry(response);
    } catch (OpenSearchStatusException unreadable) {
      if (logged.getAndSet(response.getSeqNo()) != response.getSeqNo()) {
        LOGGER.warn(
            "could not import models from the index of models, and its catalogue is not updated:"
                + " {}",
            unreadable.getMessage());
      }
      throw unreadable;
    }
  }

  private static Entry entry(GetResponse response) {
    Stored stored;
    try {
      stored =
          Door.own(
              XContentType.CBOR,
              response.getSourceAsBytesRef(),
              in -> STORED.read(in, new Stored()));
    } catch (RuntimeException e) {
      throw unreadable("the catalogue cannot be read", e);
    }
    if (stored.schema > ModelIndex.SCHEMA_VERSION) {
      throw unreadable(
          "the catalogue has schema " + stored.schema + " of a newer build of the plugin", null);
    }
    if (stored.models == null) {
      throw unreadable("the catalogue is empty", null);
    }
    return new Entry(stored.models, response.getSeqNo(), response.getPrimaryTerm());
  }

  private static final Shape<Stored> STORED =
      new Shape<Stored>()
          .whole(
              ModelIndex.SCHEMA,
              Integer.MIN_VALUE,
              Integer.MAX_VALUE,
              (stored, schema) -> stored.schema = (int) schema)
          .any(ModelStore.METADATA, Stored::models)
          .lenient();

  private static final class Stored {
    private int schema;
    private @Nullable ModelsMetadata models;

    /** Reads the list of models; skips the list of a newer build, whose fields are unknown. */
    private void models(Input in) throws IOException {
      if (schema > ModelIndex.SCHEMA_VERSION) {
        in.skip();
      } else {
        models = in.by(ModelsMetadata::fromXContent);
      }
    }
  }

  private static OpenSearchStatusException unreadable(String why, @Nullable Exception cause) {
    return new OpenSearchStatusException(
        "index of models [{}]: {}", RestStatus.SERVICE_UNAVAILABLE, cause, ModelIndex.NAME, why);
  }

  /**
   * Writes the catalogue, if no other node has written it meanwhile.
   *
   * @param replaced the content that is replaced; null if the document does not exist
   * @param listener fails with 409 if another node has written the document meanwhile
   */
  public void write(
      ModelsMetadata models, @Nullable Entry replaced, ActionListener<Void> listener) {
    index.ensure(
        ActionListener.wrap(
            ready -> {
              IndexRequest request =
                  new IndexRequest(ModelIndex.NAME).id(KIND).timeout(WRITE_TIMEOUT);
              if (replaced == null) {
                request.create(true);
              } else {
                request.setIfSeqNo(replaced.seqNo()).setIfPrimaryTerm(replaced.term());
              }
              request.source(
                  BoundedContent.cbor(
                      BoundedContent.MAX_OWN,
                      source -> {
                        ModelIndex.begin(source, KIND).startObject(ModelStore.METADATA);
                        models.toXContent(source, FOR_ANY_CLUSTER);
                        source.endObject().endObject();
                      }),
                  XContentType.CBOR);
              client.index(request, ActionListener.map(listener, written -> null));
            },
            listener::onFailure));
  }

  /**
   * Parameters for writing the models and aliases without this cluster's wire version (version of
   * the format between nodes), because another cluster may read the document.
   */
  private static final ToXContent.Params FOR_ANY_CLUSTER =
      new ToXContent.MapParams(Map.of(Metadata.CONTEXT_MODE_PARAM, Metadata.CONTEXT_MODE_SNAPSHOT));
}
