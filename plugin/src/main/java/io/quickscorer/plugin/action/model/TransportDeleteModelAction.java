package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.ModelIndexClient;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.OriginSettingClient;
import org.opensearch.transport.client.node.NodeClient;

/** Takes a model's name away, then deletes its documents. */
public final class TransportDeleteModelAction
    extends HandledTransportAction<NamedRequest, AcknowledgedResponse> {
  private final ModelUploadService uploads;
  private final OriginSettingClient client;

  @Inject
  public TransportDeleteModelAction(
      TransportService transportService,
      ActionFilters filters,
      ModelUploadService uploads,
      NodeClient client) {
    super(DeleteModelAction.NAME, transportService, filters, NamedRequest::new);
    this.uploads = uploads;
    this.client = new OriginSettingClient(client, ModelIndexClient.ORIGIN);
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        ActivateModelAction.INSTANCE,
        ActivateModelAction.Request.delete(ResourceNames.check("model", request.name())),
        ActionListener.map(
            listener,
            published -> {
              ModelManifest replaced = published.replaced();
              if (replaced != null) {
                uploads.discard(replaced);
              }
              return new AcknowledgedResponse(true);
            }));
  }
}
