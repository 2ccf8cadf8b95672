// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Removes a model's name, then deletes its documents. A model to which an alias points is not
 * deleted, unless its documents are broken: no search can use a broken model, so it is deleted with
 * its aliases.
 */
public final class TransportDeleteModelAction
    extends LocalTransportAction<String, AcknowledgedResponse> {
  public static final LocalAction<String, AcknowledgedResponse> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/model/delete");

  private final ModelUploadService uploads;
  private final ModelStore store;
  private final ClusterService clusterService;
  private final GuardedClient client;

  @Inject
  public TransportDeleteModelAction(
      TransportService transportService,
      ActionFilters filters,
      ModelUploadService uploads,
      ModelStore store,
      ClusterService clusterService,
      NodeClient client) {
    super(ACTION, transportService, filters);
    this.uploads = uploads;
    this.store = store;
    this.clusterService = clusterService;
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(Task task, String name, ActionListener<AcknowledgedResponse> listener) {
    delete(
        TransportActivateModelAction.delete(ResourceNames.check("model", name)),
        ActionListener.delegateResponse(
            listener,
            (l, failure) -> {
              if (ExceptionsHelper.status(failure) == RestStatus.CONFLICT) {
                deleteIfBroken(name, failure, l);
              } else {
                l.onFailure(failure);
              }
            }));
  }

  private void delete(
      ActivationRequest<TransportActivateModelAction.Change> request,
      ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        TransportActivateModelAction.ACTION,
        request,
        ActionListener.map(
            listener,
            published -> {
              ModelManifest replaced = published.value().replaced();
              if (replaced != null) {
                uploads.discard(replaced);
              }
              return new AcknowledgedResponse(published.value().acknowledged());
            }));
  }

  /**
   * Deletes a model with its aliases if the model's stored documents are broken. Fails with the
   * conflict if they are not, or if a node still has the model loaded and so can score with it.
   */
  private void deleteIfBroken(
      String name, Exception conflict, ActionListener<AcknowledgedResponse> listener) {
    ModelManifest manifest = ModelsMetadata.of(clusterService.state()).get(name);
    if (manifest == null) {
      listener.onFailure(conflict);
      return;
    }
    TransportGetModelsAction.ACTION.execute(
        client,
        new ListRequest(name),
        ActionListener.wrap(
            known -> {
              if (known.items().stream().anyMatch(TransportDeleteModelAction::isLoaded)) {
                listener.onFailure(conflict);
              } else {
                store.verify(
                    manifest,
                    ActionListener.wrap(
                        whole -> listener.onFailure(conflict),
                        failure -> {
                          if (StoredChunks.isBroken(failure)) {
                            delete(
                                TransportActivateModelAction.deleteWithAliases(manifest.id()),
                                listener);
                          } else {
                            listener.onFailure(conflict);
                          }
                        }));
              }
            },
            unknown -> listener.onFailure(conflict)));
  }

  private static boolean isLoaded(TransportGetModelsAction.Model model) {
    return model.nodes().stream().anyMatch(node -> node.state().phase() == ModelState.Phase.LOADED);
  }
}
