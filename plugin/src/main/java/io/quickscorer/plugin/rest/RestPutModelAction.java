// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code PUT models/{name}}: 201 if new, 200 if replaced or the same.
 *
 * <p>With parameter {@code feature_set} the body is the trainer's file, byte by byte, whatever its
 * format; {@code format} says which or is left out, {@code output} which output of several is
 * scored, {@code model_name} which model of a file of several is read; {@code bind=position} binds
 * features by their places, {@code category_mismatch=accept} lets the set map categories otherwise
 * than the file says. OpenSearch admits no body without a content type, and of content types only
 * those it can parse (406 otherwise), before it asks the handler; but it parses nothing by itself.
 * A text file is therefore sent as {@code application/json} or, claiming less, as {@code
 * application/*}, which the server takes for the same; this handler looks at the bytes alone.
 *
 * <p>Without {@code feature_set} the body is an object, really of its content type, that holds the
 * file as a string: {@code {"model": …, "feature_set": …, "format": …, "output": …, "categories":
 * {…}, "feature_map": {…}, "parity": {…}}}. There the texts of categories, the feature map and the
 * parity rows have a place.
 */
public final class RestPutModelAction extends PluginRestHandler {
  /** What an envelope says in fields. */
  private static final List<String> OF_FILES =
      List.of("format", "output", "model_name", "bind", "category_mismatch");

  @Override
  public String getName() {
    return "quickscorer_put_model";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.PUT, Routes.MODEL);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    String featureSet = request.param("feature_set");
    for (String parameter : OF_FILES) {
      if (featureSet == null && request.param(parameter) != null) {
        throw new IllegalArgumentException(
            "parameter ["
                + parameter
                + "] goes with parameter [feature_set]; without it the body is an object that has"
                + " both");
      }
    }
    String output = request.param("output");
    boolean background = !request.paramAsBoolean("wait_for_completion", true);
    PutModelAction.Request put =
        new PutModelAction.Request(
            new ModelUploadService.Body(
                request.param("name"),
                featureSet,
                request.param("format"),
                output == null ? null : Integer.valueOf(request.paramAsInt("output", 0)),
                request.param("model_name"),
                request.getMediaType(),
                request.content(),
                request.param("bind"),
                request.param("category_mismatch")),
            new Precondition(Routes.create(request), request.param("if_version")),
            request.paramAsTime("timeout", PutModelAction.DEFAULT_TIMEOUT),
            background);
    if (background) {
      return inBackground(client, PutModelAction.INSTANCE, put);
    }
    return channel ->
        client.execute(
            PutModelAction.INSTANCE,
            put,
            new RestStatusToXContentListener<>(
                channel, stored -> Routes.MODELS + "/" + stored.id().name()));
  }
}
