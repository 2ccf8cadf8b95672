// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.PUT;

import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.resource.TransportExportAction;
import io.quickscorer.plugin.action.resource.TransportImportAction;
import io.quickscorer.plugin.action.resource.TransportImportAllAction;
import io.quickscorer.plugin.action.resource.TransportModelFileAction;
import io.quickscorer.plugin.action.resource.TransportPutAliasAction;
import io.quickscorer.plugin.action.resource.TransportPutFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportPutModelAction;
import io.quickscorer.plugin.export.LogExport;
import io.quickscorer.plugin.export.TransportLogAction;
import io.quickscorer.plugin.export.TransportValidateAction;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.upload.ExportedModel;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.TransportGetComparisonsAction;
import io.quickscorer.plugin.stats.TransportReadyAction;
import io.quickscorer.plugin.stats.TransportResetComparisonsAction;
import io.quickscorer.plugin.stats.TransportStatsAction;
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
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** Reads REST requests and creates the requests of their actions. */
final class Requests {
  private static final ByteSizeValue DEFAULT_BYTES = new ByteSizeValue(16, ByteSizeUnit.MB);
  private static final ByteSizeValue MAX_BYTES = new ByteSizeValue(64, ByteSizeUnit.MB);

  /**
   * The response header with the position at which the next part of a file starts; absent for the
   * last part.
   */
  private static final String NEXT = "X-Quickscorer-Next";

  /**
   * The parameters of a request whose body is the model's file. If the body is JSON, these are
   * fields of the body.
   */
  private static final List<String> FILE_PARAMETERS =
      List.of("format", "output", "model_name", "bind", "category_mismatch");

  private Requests() {}

  static ValueRequest<ValueRequest.Named> named(RestRequest request) {
    return new ValueRequest<>(new ValueRequest.Named(request.param("name")));
  }

  private static TimeValue timeout(RestRequest request) {
    return request.paramAsTime("timeout", TransportPutModelAction.DEFAULT_TIMEOUT);
  }

  /**
   * Returns whether the request must create the item ({@code op_type=create}) and not replace one.
   *
   * @throws IllegalArgumentException if {@code op_type} is neither {@code create} nor {@code index}
   */
  private static boolean create(RestRequest request) {
    return switch (request.param("op_type", "index")) {
      case "create" -> true;
      case "index" -> false;
      default ->
          throw new IllegalArgumentException(
              "op_type: found ["
                  + FeatureBinding.shown(request.param("op_type"))
                  + "], expected index or create");
    };
  }

  private static long maxBytes(RestRequest request) {
    long bytes = request.paramAsSize("max_bytes", DEFAULT_BYTES).getBytes();
    if (bytes < 1 || bytes > MAX_BYTES.getBytes()) {
      throw new IllegalArgumentException(
          "max_bytes: found [" + bytes + "], expected 1 byte to " + MAX_BYTES);
    }
    return bytes;
  }

  /**
   * Refuses a body if none is expected; the server itself does not check this.
   *
   * @throws IllegalArgumentException (400) if there is a body
   */
  private static void checkNoBody(RestRequest request) {
    if (request.hasContent()) {
      throw new IllegalArgumentException(
          "request [" + request.method() + " " + request.path() + "] does not take a body");
    }
  }

  /** Returns a client whose requests are cancelled if the HTTP connection is closed. */
  private static RestCancellableNodeClient cancellable(NodeClient client, RestRequest request) {
    return new RestCancellableNodeClient(client, request.getHttpChannel());
  }

  private static RestResponse next(BytesRestResponse piece, @Nullable Object next) {
    if (next != null) {
      piece.addHeader(NEXT, next.toString());
    }
    return piece;
  }

  /**
   * Creates or replaces a feature set: status 201 if it is new, otherwise 200. With {@code
   * ?index=}, checks that this index contains the fields that the set uses.
   */
  static Endpoint.Answer putFeatureSet(RestRequest request, NodeClient client) {
    return Answers.stored(
        cancellable(client, request),
        TransportPutFeatureSetAction.ACTION,
        new TransportPutFeatureSetAction.Request(
            request.param("name"),
            create(request),
            request.param("index"),
            request.getMediaType(),
            request.content()),
        stored -> Routes.FEATURE_SETS + "/" + stored.set().name());
  }

  static Endpoint.Answer validate(RestRequest request, NodeClient client) {
    TransportValidateAction.Request trial =
        new TransportValidateAction.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content());
    return Answers.shown(cancellable(client, request), TransportValidateAction.ACTION, trial);
  }

  /** Returns a part of a training file, from the position that the request contains. */
  static Endpoint.Answer log(RestRequest request, NodeClient client) {
    long bytes = maxBytes(request);
    TransportLogAction.Request log =
        new TransportLogAction.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content(),
            LogExport.Place.parse(request.param("from", "0")),
            bytes);
    return Answers.made(
        cancellable(client, request),
        TransportLogAction.ACTION,
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
   * Creates or replaces a model: status 201 if it is new, otherwise 200.
   *
   * <p>With parameter {@code feature_set}, the body is the trainer's file, byte by byte, in any
   * format. {@code format} sets the format, which is otherwise detected; {@code output} selects one
   * of several outputs, and {@code model_name} one of several models of a file; {@code
   * bind=position} binds features by their positions; {@code category_mismatch=accept} allows the
   * set to map categories differently from the file. OpenSearch requires a content type for which
   * it has a parser (otherwise 406), but does not parse the body. Text files can be sent as {@code
   * application/json} or {@code application/*}.
   *
   * <p>Without {@code feature_set}, the body is an object that contains the file as a string:
   * {@code {"model": …, "feature_set": …, "format": …, "output": …, "categories": {…},
   * "feature_map": {…}, "parity": {…}}}. Only this form can contain lists of categories, a feature
   * map and parity rows.
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
    boolean background = !request.paramAsBoolean("wait_for_completion", true);
    TransportPutModelAction.Request put =
        new TransportPutModelAction.Request(
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
            background);
    return background
        ? Answers.inBackground(client, TransportPutModelAction.ACTION, put)
        : Answers.stored(
            client,
            TransportPutModelAction.ACTION,
            put,
            stored -> Routes.MODELS + "/" + stored.id().name());
  }

  /** Returns the uploaded file of a model, byte by byte. */
  static Endpoint.Answer modelFile(RestRequest request, NodeClient client) {
    return Answers.made(
        client,
        TransportModelFileAction.ACTION,
        new TransportModelFileAction.Request(request.param("name")),
        file -> {
          BytesRestResponse response =
              new BytesRestResponse(RestStatus.OK, file.contentType(), file.file());
          response.addHeader("X-Quickscorer-Version", file.id().version());
          // Names of models contain no characters that would need quotes.
          response.addHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
          return response;
        });
  }

  /** Moves an alias ({@code PUT}), or moves it back to its previous target ({@code _rollback}). */
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
        TransportPutAliasAction.ACTION,
        new TransportPutAliasAction.Request(request.param("name"), target, timeout(request)),
        moved -> Routes.ALIASES + "/" + moved.alias().name());
  }

  /**
   * Returns the counters that compare models ({@code GET}), or resets the counters of an experiment
   * ({@code DELETE}).
   */
  static Endpoint.Answer comparisons(RestRequest request, NodeClient client) {
    checkNoBody(request);
    if (request.method() == GET) {
      return Answers.shown(
          client, TransportGetComparisonsAction.ACTION, request.param("experiment", ""));
    }
    String experiment = Objects.requireNonNull(request.param("experiment"));
    ResourceNames.check("experiment", experiment);
    return Answers.shown(client, TransportResetComparisonsAction.ACTION, experiment);
  }

  /**
   * Imports a file that {@code GET _export} returned, or a document of the bundled learning-to-rank
   * plugin.
   */
  static Endpoint.Answer imports(RestRequest request, NodeClient client) {
    if (ExportedModel.isOne(request.content())) {
      boolean background = !request.paramAsBoolean("wait_for_completion", true);
      TransportImportAllAction.Request lines =
          new TransportImportAllAction.Request(
              request.content(),
              request.paramAsBoolean("replace", false),
              timeout(request),
              background);
      return background
          ? Answers.inBackground(client, TransportImportAllAction.ACTION, lines)
          : Answers.shown(client, TransportImportAllAction.ACTION, lines);
    }
    return Answers.stored(
        cancellable(client, request),
        TransportImportAction.ACTION,
        new TransportImportAction.Request(
            request.param("name"),
            request.param("feature_set"),
            request.param("missing"),
            request.getMediaType(),
            request.content(),
            timeout(request)),
        stored ->
            stored.model() == null
                ? Routes.FEATURE_SETS + "/" + stored.featureSet().set().name()
                : Routes.MODELS + "/" + stored.model().id().name());
  }

  /** Returns a part of the file with all feature sets, models and aliases, from a position. */
  static Endpoint.Answer export(RestRequest request, NodeClient client) {
    long bytes = maxBytes(request);
    TransportExportAction.Request export =
        new TransportExportAction.Request(request.param("from", ""), bytes);
    return Answers.made(
        cancellable(client, request),
        TransportExportAction.ACTION,
        export,
        piece ->
            next(
                new BytesRestResponse(RestStatus.OK, "application/x-ndjson", piece.lines()),
                piece.next()));
  }

  /**
   * Returns the readiness of all nodes or of some. With {@code local=true}, returns only that of
   * the receiving node, which needs no response of another node.
   */
  static Endpoint.Answer ready(RestRequest request, NodeClient client) {
    String nodes = request.paramAsBoolean("local", false) ? "_local" : request.param("node_id", "");
    TransportReadyAction.Request ready =
        new TransportReadyAction.Request(Strings.splitStringByCommaToArray(nodes))
            .timeout(request.paramAsTime("timeout", TimeValue.timeValueSeconds(10)));
    return channel ->
        client.execute(
            TransportReadyAction.ACTION, ready, new RestStatusToXContentListener<>(channel));
  }

  static Endpoint.Answer stats(RestRequest request, NodeClient client) {
    TransportStatsAction.Request stats =
        new TransportStatsAction.Request(
            Strings.splitStringByCommaToArray(request.param("node_id", "")));
    return channel ->
        client.execute(
            TransportStatsAction.ACTION, stats, new NodesResponseRestListener<>(channel));
  }
}
