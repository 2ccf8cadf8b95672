// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.imports.ImportAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.action.transfer.ImportAllAction;
import io.quickscorer.plugin.model.upload.ExportedModel;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST _import}: what {@code GET _export} gives, or a document of the learning-to-rank
 * plugin as that plugin gives it.
 */
public final class RestImportAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_import";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.POST, Routes.IMPORT);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    if (ExportedModel.isOne(request.content())) {
      return importAll(request, client);
    }
    ImportAction.Request document =
        new ImportAction.Request(
            request.param("name"),
            request.param("feature_set"),
            request.getMediaType(),
            request.content(),
            request.paramAsTime("timeout", PutModelAction.DEFAULT_TIMEOUT));
    return channel ->
        new RestCancellableNodeClient(client, request.getHttpChannel())
            .execute(
                ImportAction.INSTANCE,
                document,
                new RestStatusToXContentListener<>(channel, RestImportAction::location));
  }

  private static RestChannelConsumer importAll(RestRequest request, NodeClient client) {
    boolean background = !request.paramAsBoolean("wait_for_completion", true);
    ImportAllAction.Request lines =
        new ImportAllAction.Request(
            request.content(),
            request.paramAsBoolean("replace", false),
            request.paramAsTime("timeout", PutModelAction.DEFAULT_TIMEOUT),
            background);
    return background
        ? inBackground(client, ImportAllAction.INSTANCE, lines)
        : channel ->
            client.execute(ImportAllAction.INSTANCE, lines, new RestToXContentListener<>(channel));
  }

  private static String location(ImportAction.Response stored) {
    PutModelAction.Response model = stored.model();
    return model == null
        ? Routes.FEATURE_SETS + "/" + stored.featureSet().name()
        : Routes.MODELS + "/" + model.id().name();
  }
}
