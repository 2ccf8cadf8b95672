// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
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
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Imports a feature set or a model of OpenSearch-LTR, the bundled learning-to-rank plugin. For a
 * model, first stores the model's feature set, then the model. Calls the actions that store feature
 * sets and models, so the user needs the permissions for both.
 *
 * @param client acts with the user's permissions
 */
record ForeignImport(
    NodeClient client, ThreadPool threadPool, FeatureSetStore sets, RequestMemory memory) {
  public static final PluginAction<Request, Response> ACTION =
      PluginAction.local("cluster:admin/quickscorer/import");

  /**
   * A request to import a document of OpenSearch-LTR, in the form in which OpenSearch-LTR returns
   * or accepts it.
   *
   * @param name the new name of the model or feature set in the document; null to keep its name
   * @param featureSet the new name of a model's feature set; null to keep its name
   * @param missing the value of a query feature for documents that do not match its query, as
   *     {@link ForeignDocument#parse} describes
   */
  public record Request(
      @Nullable String name,
      @Nullable String featureSet,
      @Nullable String missing,
      @Nullable MediaType type,
      BytesReference body,
      TimeValue timeout)
      implements ValueRequest.Tracked {
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new ProgressTask(fields, "import", "reading the document");
    }
  }

  /**
   * The result of importing a document.
   *
   * @param featureSet the result of storing the feature set
   * @param missing the value of a query feature for documents that do not match its query: {@code
   *     0}, or {@code keep} if such documents have no value
   * @param model the result of storing the model; null if the document was a feature set
   */
  public record Response(
      FeatureSets.Response featureSet, String missing, ModelUploads.@Nullable Response model)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return model == null ? featureSet.status() : model.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature_set", featureSet).field("missing", missing);
      if (model != null) {
        builder.field("model", model);
      }
      return builder.endObject();
    }
  }

  /** Imports a document of OpenSearch-LTR, and passes the result to the listener. */
  public void run(Request request, ActionListener<Response> listener) {
    MemoryCharge parsed = memory.charge("<import>");
    WorkPool.TRANSFERS
        .of(threadPool)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, parsed::close), l -> store(request, parsed, l)));
  }

  private void store(Request request, MemoryCharge parsed, ActionListener<Response> listener)
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
    ActionListener<FeatureSets.Response> stored =
        ActionListener.wrap(
            set -> {
              if (document.model()) {
                putModel(request, document, name, set, parsed, listener);
              } else {
                listener.onResponse(new Response(set, document.missing(), null));
              }
            },
            listener::onFailure);
    if (document.features() == null) {
      sets.await(
          setName,
          ActionListener.wrap(
              existing -> {
                FeatureSet meant = document.meant(existing);
                if (meant.equals(existing)) {
                  stored.onResponse(unchanged(existing));
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
          e.getMessage() + "; set another name with parameter [" + parameter + "]", e);
    }
  }

  /**
   * Stores a feature set if no set with its name exists.
   *
   * @param parameter the name of the request parameter that sets the feature set's name, for
   *     messages
   */
  private void put(FeatureSet set, String parameter, ActionListener<FeatureSets.Response> listener)
      throws IOException {
    BytesReference json = set.json();
    FeatureSets.PUT.execute(
        client,
        new FeatureSets.Request(set.name(), true, null, XContentType.JSON, json),
        ActionListener.wrap(
            listener::onResponse,
            Guard.recovery(
                listener,
                failure -> {
                  if (ExceptionsHelper.status(failure) == RestStatus.CONFLICT) {
                    sets.get(
                        set.name(),
                        ActionListener.map(listener, existing -> same(existing, json, parameter)));
                  } else {
                    listener.onFailure(failure);
                  }
                })));
  }

  /**
   * Returns the result of an import that changes nothing, because an equal feature set exists.
   * Fails with 409 if the existing set is not equal. It is not replaced, because models or searches
   * may use it.
   *
   * @param parameter the request parameter that sets the name
   */
  private static FeatureSets.Response same(
      FeatureSet existing, BytesReference imported, String parameter) throws IOException {
    if (!existing.json().equals(imported)) {
      throw ChangeFence.refuse(
          new OpenSearchStatusException(
              "feature set [{}] already exists and differs from the imported one;"
                  + " to import it under another name, set parameter [{}]",
              RestStatus.CONFLICT,
              existing.name(),
              parameter));
    }
    return unchanged(existing);
  }

  private static FeatureSets.Response unchanged(FeatureSet existing) {
    return new FeatureSets.Response(existing, FeatureSetStore.Written.NOTHING, List.of());
  }

  private void putModel(
      Request request,
      ForeignDocument document,
      String name,
      FeatureSets.Response set,
      MemoryCharge memory,
      ActionListener<Response> listener)
      throws IOException {
    ModelUploads.PUT.execute(
        client,
        new ModelUploads.Request(
            new ModelUploadService.Body(
                name,
                set.set().name(),
                request.type(),
                document.features() == null
                    ? withFeatures(request.body(), set.set(), memory)
                    : request.body()),
            Precondition.NONE,
            request.timeout()),
        ActionListener.wrap(
            model -> listener.onResponse(new Response(set, document.missing(), model)),
            Guard.recovery(listener, failure -> undo(set, failure, listener))));
  }

  /**
   * Returns a copy of a model's document that also contains the model's feature set, as
   * OpenSearch-LTR stores models.
   *
   * @param body the document
   * @param memory the charge at the circuit breaker, which grows with the copy
   */
  private static BytesReference withFeatures(
      BytesReference body, FeatureSet set, MemoryCharge memory) {
    return BoundedContent.json(
        memory,
        json -> {
          json.startObject().startObject("feature_set").startArray("features");
          for (FeatureDefinition feature : set.features()) {
            json.startObject().field("name", feature.name()).endObject();
          }
          json.endArray().endObject().rawField("_source", body.streamInput(), XContentType.JSON);
          json.endObject();
        });
  }

  /**
   * Deletes the feature set that this import created, because the model could not be stored. Does
   * not delete the set if another request has changed it meanwhile.
   */
  private void undo(
      FeatureSets.Response set, Exception failure, ActionListener<Response> listener) {
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
