// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.upload.ForeignDocument;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import java.io.IOException;
import java.util.List;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Stores the document's feature set, and then, if it is a model's, the model over it. */
public final class TransportImportAction
    extends LocalTransportAction<ImportAction.Request, ImportAction.Response> {
  private final GuardedClient client;
  private final ThreadPool threadPool;
  private final FeatureSetStore sets;
  private final RequestMemory memory;

  @Inject
  public TransportImportAction(
      TransportService transportService,
      ActionFilters filters,
      NodeClient client,
      ThreadPool threadPool,
      FeatureSetStore sets,
      RequestMemory memory) {
    super(ImportAction.INSTANCE, transportService, filters);
    this.client = new GuardedClient(client);
    this.threadPool = threadPool;
    this.sets = sets;
    this.memory = memory;
  }

  @Override
  protected void carryOut(
      Task task, ImportAction.Request request, ActionListener<ImportAction.Response> listener) {
    MemoryCharge parsed = memory.charge("<import>");
    WorkPool.TRANSFERS
        .of(threadPool)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, parsed::close), l -> store(request, parsed, l)));
  }

  private void store(
      ImportAction.Request request,
      MemoryCharge parsed,
      ActionListener<ImportAction.Response> listener)
      throws IOException {
    ForeignDocument document =
        ForeignDocument.parse(request.type(), request.body(), request.missing(), parsed);
    String name = name("name", request.name() == null ? document.name() : request.name());
    String setName = name;
    if (document.model()) {
      setName =
          name(
              "feature_set",
              request.featureSet() == null ? document.setName() : request.featureSet());
    }
    ActionListener<PutFeatureSetAction.Response> stored =
        ActionListener.wrap(
            set -> {
              if (document.model()) {
                putModel(request, document, name, set, parsed, listener);
              } else {
                listener.onResponse(new ImportAction.Response(set, document.missing(), null));
              }
            },
            listener::onFailure);
    if (document.features() == null) {
      sets.await(
          setName,
          ActionListener.wrap(
              there -> {
                FeatureSet meant = document.meant(there);
                if (meant.equals(there)) {
                  stored.onResponse(unchanged(there));
                } else {
                  name("feature_set", meant.name());
                  put(meant, "feature_set", stored);
                }
              },
              listener::onFailure));
    } else {
      put(document.featureSet(setName, parsed), document.model() ? "feature_set" : "name", stored);
    }
  }

  private static String name(String parameter, String name) {
    try {
      return ResourceNames.check(parameter, name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; parameter [" + parameter + "] gives it another name here", e);
    }
  }

  /**
   * Stores a set unless it is there already.
   *
   * @param parameter the one that names the set
   */
  private void put(
      FeatureSet set, String parameter, ActionListener<PutFeatureSetAction.Response> listener)
      throws IOException {
    BytesReference json = json(set);
    PutFeatureSetAction.INSTANCE.execute(
        client,
        new PutFeatureSetAction.Request(set.name(), true, null, XContentType.JSON, json),
        ActionListener.wrap(
            listener::onResponse,
            failure -> {
              if (ExceptionsHelper.status(failure) == RestStatus.CONFLICT) {
                sets.get(
                    set.name(),
                    ActionListener.map(listener, there -> same(there, json, parameter)));
              } else {
                listener.onFailure(failure);
              }
            }));
  }

  /** An import replaces nothing: what stands there may be in use, and is not in the document. */
  private static PutFeatureSetAction.Response same(
      FeatureSet there, BytesReference imported, String parameter) throws IOException {
    if (!json(there).equals(imported)) {
      throw ChangeFence.refuse(
          new OpenSearchStatusException(
              "feature set [{}] is there and differs from the imported one;"
                  + " parameter [{}] gives that another name here",
              RestStatus.CONFLICT,
              there.name(),
              parameter));
    }
    return unchanged(there);
  }

  private static PutFeatureSetAction.Response unchanged(FeatureSet there) {
    return new PutFeatureSetAction.Response(there, FeatureSetStore.Written.NOTHING, List.of());
  }

  private static BytesReference json(FeatureSet set) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      return BytesReference.bytes(set.toXContent(json, ToXContent.EMPTY_PARAMS));
    }
  }

  private void putModel(
      ImportAction.Request request,
      ForeignDocument document,
      String name,
      PutFeatureSetAction.Response set,
      MemoryCharge memory,
      ActionListener<ImportAction.Response> listener)
      throws IOException {
    PutModelAction.INSTANCE.execute(
        client,
        new PutModelAction.Request(
            new ModelUploadService.Body(
                name,
                set.set().name(),
                null,
                null,
                null,
                request.type(),
                document.features() == null
                    ? withFeatures(request.body(), set.set(), memory)
                    : request.body(),
                null,
                null),
            Precondition.NONE,
            request.timeout()),
        ActionListener.wrap(
            model -> listener.onResponse(new ImportAction.Response(set, document.missing(), model)),
            failure -> undo(set, failure, listener)));
  }

  /** The document of a model over that set, as if that plugin had stored it. */
  private static BytesReference withFeatures(
      BytesReference body, FeatureSet set, MemoryCharge memory) throws IOException {
    memory.grow(body.length());
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      json.startObject().startObject("feature_set").startArray("features");
      for (FeatureDefinition feature : set.features()) {
        json.startObject().field("name", feature.name()).endObject();
      }
      json.endArray().endObject().rawField("_source", body.streamInput(), XContentType.JSON);
      return BytesReference.bytes(json.endObject());
    }
  }

  /** Leaves no set behind whose model was refused, unless somebody has changed it meanwhile. */
  private void undo(
      PutFeatureSetAction.Response set,
      Exception failure,
      ActionListener<ImportAction.Response> listener) {
    if (!set.written().created()) {
      listener.onFailure(failure);
      return;
    }
    sets.delete(
        set.set().name(),
        set.written(),
        ActionListener.wrap(
            gone -> listener.onFailure(failure),
            kept -> {
              failure.addSuppressed(kept);
              listener.onFailure(failure);
            }));
  }
}
