package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.export.LiveValidation;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.rescore.answer.LoggedHits;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST feature_sets/{name}/_validate}: tries a set on an index. It only searches, with what
 * the user may read.
 */
public final class RestValidateAction extends PluginRestHandler {
  private final LoggedHits logging;

  public RestValidateAction(LoggedHits logging, Supplier<RequestMemory> memory) {
    super(memory);
    this.logging = logging;
  }

  @Override
  public String getName() {
    return "quickscorer_validate";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.POST, Routes.FEATURE_SET + "/_validate");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    String featureSet = ResourceNames.check("feature set", request.param("name"));
    return channel ->
        LiveValidation.start(
            featureSet,
            request.getMediaType(),
            request.content(),
            logging,
            request.getXContentRegistry(),
            new RestCancellableNodeClient(client, request.getHttpChannel()),
            new RestToXContentListener<>(channel));
  }
}
