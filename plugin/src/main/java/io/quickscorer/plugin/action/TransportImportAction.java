package io.quickscorer.plugin.action;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ForeignDocument;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelService;
import io.quickscorer.plugin.model.ModelUploads;
import io.quickscorer.plugin.model.ResourceNames;
import java.io.IOException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Stores the document's feature set, and then, if it is a model's, the model over it. */
public final class TransportImportAction
    extends HandledTransportAction<ImportAction.Request, ImportAction.Response> {
  /** The document's text and what is read of it. */
  private static final long FACTOR = 4;

  private final NodeClient client;
  private final ThreadPool threadPool;
  private final ModelBreaker breaker;

  @Inject
  public TransportImportAction(
      TransportService transportService,
      ActionFilters filters,
      NodeClient client,
      ThreadPool threadPool,
      ModelBreaker breaker) {
    super(ImportAction.NAME, transportService, filters, ImportAction.Request::new);
    this.client = client;
    this.threadPool = threadPool;
    this.breaker = breaker;
  }

  @Override
  protected void doExecute(
      Task task, ImportAction.Request request, ActionListener<ImportAction.Response> listener) {
    threadPool
        .executor(ModelService.THREAD_POOL)
        .execute(ActionRunnable.wrap(listener, l -> store(request, l)));
  }

  private void store(ImportAction.Request request, ActionListener<ImportAction.Response> listener)
      throws IOException {
    ForeignDocument document;
    try (ModelBreaker.Reservation ignored =
        breaker.reserve(FACTOR * request.body().length(), "<document to import>")) {
      document = ForeignDocument.parse(request.type(), request.body());
    }
    String name = name("name", request.name() == null ? document.name() : request.name());
    String setName = name;
    if (document.model()) {
      setName =
          name(
              "feature_set",
              request.featureSet() == null ? document.setName() : request.featureSet());
    }
    put(
        document.featureSet(setName),
        ActionListener.wrap(
            set -> {
              if (document.model()) {
                putModel(request, name, set, listener);
              } else {
                listener.onResponse(new ImportAction.Response(set, null));
              }
            },
            listener::onFailure));
  }

  private static String name(String parameter, String name) {
    try {
      return ResourceNames.check(parameter, name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; parameter [" + parameter + "] gives it another name here", e);
    }
  }

  private void put(FeatureSet set, ActionListener<PutFeatureSetAction.Response> listener)
      throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      set.toXContent(json, ToXContent.EMPTY_PARAMS);
      client.execute(
          PutFeatureSetAction.INSTANCE,
          new PutFeatureSetAction.Request(
              set.name(), false, XContentType.JSON, BytesReference.bytes(json)),
          listener);
    }
  }

  private void putModel(
      ImportAction.Request request,
      String name,
      PutFeatureSetAction.Response set,
      ActionListener<ImportAction.Response> listener) {
    client.execute(
        PutModelAction.INSTANCE,
        new PutModelAction.Request(
            new ModelUploads.Body(name, set.name(), null, request.type(), request.body()),
            Precondition.NONE,
            request.timeout()),
        ActionListener.map(listener, model -> new ImportAction.Response(set, model)));
  }
}
