// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.PUT;

import io.quickscorer.plugin.action.NodesAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.export.TrainingFiles;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.upload.ExportedModel;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.NodeStats;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.transport.client.node.NodeClient;

/** Reads REST requests, and creates the requests of the plugin's actions. */
final class Requests {
  private static final ByteSizeValue DEFAULT_BYTES = new ByteSizeValue(16, ByteSizeUnit.MB);
  private static final ByteSizeValue MAX_BYTES = new ByteSizeValue(64, ByteSizeUnit.MB);

  /**
   * Name of the response header that says where the next part of an exported file begins. The
   * response with the last part lacks this header.
   */
  private static final String NEXT = "X-Quickscorer-Next";

  /**
   * The URL parameters of an upload whose body is the model's file. If the body is JSON, the body
   * has fields with these names.
   */
  private static final List<String> FILE_PARAMETERS =
      List.of("format", "output", "model_name", "bind", "category_mismatch");

  private Requests() {}

  static ValueRequest.Named named(RestRequest request) {
    return new ValueRequest.Named(request.param("name"));
  }

  /**
   * Reads the parameters of a request for all items of a kind or for one item, such as {@code GET
   * aliases} or {@code GET aliases/{name}}.
   */
  static ListRequest list(RestRequest request) {
    return new ListRequest(
        request.param("name", ""),
        request.param("prefix", ""),
        request.paramAsInt("from", 0),
        request.paramAsInt("size", ListRequest.ALL));
  }

  private static TimeValue timeout(RestRequest request) {
    return request.paramAsTime("timeout", ModelUploads.DEFAULT_TIMEOUT);
  }

  private static boolean background(RestRequest request) {
    return !request.paramAsBoolean("wait_for_completion", true);
  }

  /** Returns whether the request must create a new item ({@code op_type=create}). */
  private static boolean create(RestRequest request) {
    return Texts.either("op_type: ", request.param("op_type"), "index", "create");
  }

  private static long maxBytes(RestRequest request) {
    long bytes = request.paramAsSize("max_bytes", DEFAULT_BYTES).getBytes();
    if (bytes < 1 || bytes > MAX_BYTES.getBytes()) {
      throw new IllegalArgumentException(
          "max_bytes: found [" + bytes + "], expected 1 byte to " + MAX_BYTES);
    }
    return bytes;
  }

  /** Rejects a body (400) for an endpoint that reads none; the server itself accepts any body. */
  private static void checkNoBody(RestRequest request) {
    if (request.hasContent()) {
      throw new IllegalArgumentException(
          "request [" + request.method() + " " + request.path() + "] does not take a body");
    }
  }

  /** Returns a client that cancels its requests if the user's HTTP connection is closed. */
  private static RestCancellableNodeClient cancellable(NodeClient client, RestRequest request) {
    return new RestCancellableNodeClient(client, request.getHttpChannel());
  }

  private static RestResponse next(BytesRestResponse piece, @Nullable Object next) {
    if (next != null) {
      piece.addHeader(NEXT, next.toString());
    }
    return piece;
  }

  static Endpoint.Answer putFeatureSet(RestRequest request, NodeClient client) {
    return Answers.stored(
        cancellable(client, request),
        FeatureSets.PUT,
        new FeatureSets.Request(
            request.param("name"),
            create(request),
            request.param("index"),
            request.getMediaType(),
            request.content()),
        stored -> Endpoints.BASE + "feature_sets/" + stored.set().name());
  }

  static Endpoint.Answer validate(RestRequest request, NodeClient client) {
    TrainingFiles.Request trial =
        new TrainingFiles.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content());
    return Answers.shown(cancellable(client, request), TrainingFiles.VALIDATE, trial);
  }

  static Endpoint.Answer log(RestRequest request, NodeClient client) {
    long bytes = maxBytes(request);
    TrainingFiles.Request log =
        new TrainingFiles.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content(),
            TrainingFiles.Place.parse(request.param("from", "0")),
            bytes);
    return Answers.made(
        cancellable(client, request),
        TrainingFiles.LOG,
        log,
        piece -> {
          BytesRestResponse response =
              new BytesRestResponse(RestStatus.OK, piece.contentType(), piece.content());
          response.addHeader("X-Quickscorer-Rows", Integer.toString(piece.rows()));
          response.addHeader("X-Quickscorer-Not-Found", Integer.toString(piece.notFound()));
          return next(response, piece.next());
        });
  }

  /**
   * Reads a request that creates or replaces a model. With the parameter {@code feature_set}, the
   * body is the trainer's file. Otherwise, the body is a JSON object that contains the file as a
   * string.
   */
  static Endpoint.Answer putModel(RestRequest request, NodeClient client) {
    String featureSet = request.param("feature_set");
    for (String parameter : FILE_PARAMETERS) {
      if (featureSet == null && request.param(parameter) != null) {
        throw new IllegalArgumentException(
            "parameter ["
                + parameter
                + "] needs parameter [feature_set]; without [feature_set], the body must contain"
                + " the feature set and the model");
      }
    }
    String output = request.param("output");
    ModelUploads.Request put =
        new ModelUploads.Request(
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
            new Precondition(create(request), request.param("if_version")),
            timeout(request),
            background(request));
    return Answers.tracked(
        client, ModelUploads.PUT, put, stored -> Endpoints.BASE + "models/" + stored.id().name());
  }

  static Endpoint.Answer modelFile(RestRequest request, NodeClient client) {
    return Answers.made(
        client,
        Models.FILE,
        request.param("name"),
        file -> {
          BytesRestResponse response =
              new BytesRestResponse(RestStatus.OK, file.contentType(), file.file());
          response.addHeader("X-Quickscorer-Version", file.id().version());
          // Names of models contain no characters that would need quotes.
          response.addHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
          return response;
        });
  }

  /**
   * Reads a request that points an alias at other models ({@code PUT}), or at its previous models
   * again ({@code _rollback}).
   */
  static Endpoint.Answer putAlias(
      RestRequest request, NodeClient client, Supplier<RequestMemory> memory) {
    Shares target = null;
    if (request.method() == PUT) {
      try (MemoryCharge parsed = memory.get().charge("<alias>")) {
        target = ModelAlias.parseTarget(request.getMediaType(), request.content(), parsed);
      }
    } else {
      checkNoBody(request);
    }
    return Answers.stored(
        client,
        Aliases.PUT,
        new Aliases.Request(request.param("name"), target, timeout(request)),
        moved -> Endpoints.BASE + "aliases/" + moved.alias().name());
  }

  /**
   * Reads a request for the counters that compare models, or a request to set the counters of an
   * experiment to 0.
   */
  static Endpoint.Answer comparisons(RestRequest request, NodeClient client) {
    checkNoBody(request);
    if (request.method() == GET) {
      return Answers.shown(client, NodeStats.COMPARISONS, request.param("experiment", ""));
    }
    String experiment = Objects.requireNonNull(request.param("experiment"));
    ResourceNames.check("experiment", experiment);
    return Answers.shown(client, NodeStats.RESET_COMPARISONS, experiment);
  }

  /**
   * Reads a request to import an exported file, or a document of OpenSearch-LTR, the bundled
   * learning-to-rank plugin.
   */
  static Endpoint.Answer imports(RestRequest request, NodeClient client) {
    if (ExportedModel.isOne(request.content())) {
      Import.Request lines =
          new Import.Request(
              request.content(),
              request.paramAsBoolean("replace", false),
              timeout(request),
              background(request));
      return Answers.tracked(client, Import.ACTION, lines, imported -> "");
    }
    return Answers.stored(
        cancellable(client, request),
        ForeignImport.ACTION,
        new ForeignImport.Request(
            request.param("name"),
            request.param("feature_set"),
            request.param("missing"),
            request.getMediaType(),
            request.content(),
            timeout(request)),
        stored ->
            stored.model() == null
                ? Endpoints.BASE + "feature_sets/" + stored.featureSet().set().name()
                : Endpoints.BASE + "models/" + stored.model().id().name());
  }

  static Endpoint.Answer export(RestRequest request, NodeClient client) {
    long bytes = maxBytes(request);
    Export.Request export = new Export.Request(request.param("from", ""), bytes);
    return Answers.made(
        cancellable(client, request),
        Export.ACTION,
        export,
        piece ->
            next(
                new BytesRestResponse(RestStatus.OK, "application/x-ndjson", piece.lines()),
                piece.next()));
  }

  /**
   * Reads a request for the readiness of nodes: whether they can score with all models. With {@code
   * local=true}, which a path with nodes does not have, only the receiving node answers.
   */
  static Endpoint.Answer ready(RestRequest request, NodeClient client) {
    String nodes = request.param("node_id");
    if (nodes == null) {
      nodes = request.paramAsBoolean("local", false) ? "_local" : "";
    }
    NodesAction.Request<NodeStats.Asked> ready =
        NodeStats.request(Strings.splitStringByCommaToArray(nodes))
            .timeout(request.paramAsTime("timeout", TimeValue.timeValueSeconds(10)));
    return Answers.of(
        client,
        NodeStats.READY,
        ready,
        (response, channel) -> NodeStats.ready(response, channel.newBuilder()));
  }

  static Endpoint.Answer stats(RestRequest request, NodeClient client) {
    NodesAction.Request<NodeStats.Asked> stats =
        NodeStats.request(Strings.splitStringByCommaToArray(request.param("node_id", "")));
    return channel ->
        client.execute(NodeStats.ACTION, stats, new NodesResponseRestListener<>(channel));
  }

  /** Reads a request for the statistics of the receiving node, in Prometheus's format. */
  static Endpoint.Answer prometheus(RestRequest request, NodeClient client) {
    return Answers.of(
        client,
        NodeStats.ACTION,
        NodeStats.request("_local"),
        (stats, channel) ->
            new BytesRestResponse(
                RestStatus.OK,
                "text/plain; version=0.0.4; charset=utf-8",
                stats.checkComplete().values().getFirst().metrics()));
  }
}
