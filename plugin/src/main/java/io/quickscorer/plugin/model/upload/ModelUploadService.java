// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.UUIDs;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/**
 * From a request's body to documents in the index: everything about an upload that concerns no
 * other node. Reads and compiles on the plugin's own threads.
 */
public final class ModelUploadService {
  private static final Logger LOGGER = LogManager.getLogger(ModelUploadService.class);

  private final ModelStore store;
  private final FeatureSetStore featureSets;
  private final ModelBreaker breaker;
  private final ModelSettings settings;
  private final Executor executor;
  private final LongSupplier clock;

  /**
   * @param clock milliseconds since the epoch
   */
  public ModelUploadService(
      ModelStore store,
      FeatureSetStore featureSets,
      ModelBreaker breaker,
      ModelSettings settings,
      Executor executor,
      LongSupplier clock) {
    this.store = store;
    this.featureSets = featureSets;
    this.breaker = breaker;
    this.settings = settings;
    this.executor = executor;
    this.clock = clock;
  }

  /**
   * A request's body.
   *
   * @param name of the model, checked
   * @param featureSet if not null the body is the model file itself, else an envelope around it
   * @param format the file's format where the body is the file, null to find it out
   * @param output which of the model's outputs to score where the body is the file, null for its
   *     only one
   * @param model name of the model to read of a file of several, where the body is the file; null
   *     for the only one
   * @param type the body's media type; of no meaning where it is the file
   * @param bind how features are bound where the body is the file: {@code position}, or null for by
   *     name
   * @param mismatch where the body is the file: {@code accept} if the set may map categories
   *     differently from the file, else null
   */
  public record Body(
      String name,
      @Nullable String featureSet,
      @Nullable String format,
      @Nullable Integer output,
      @Nullable String model,
      @Nullable MediaType type,
      BytesReference bytes,
      @Nullable String bind,
      @Nullable String mismatch) {}

  /**
   * Reads a body, and fails with 400 where the model can't be accepted. The end of the {@link Work}
   * ends its compilation with a {@link CancellationException}.
   */
  public void prepare(Body body, ActionListener<PreparedModel> listener) {
    // Before it waits for a thread: what waits is in memory too.
    MemoryCharge memory =
        breaker.reserve(body.bytes().length(), "<upload of model [" + body.name() + "]>");
    executor.execute(ActionRunnable.wrap(closing(memory, listener), l -> parse(body, memory, l)));
  }

  private static <T> ActionListener<T> closing(MemoryCharge memory, ActionListener<T> listener) {
    return ActionListener.wrap(
        listener::onResponse,
        failure -> {
          memory.close();
          listener.onFailure(failure);
        });
  }

  private void parse(Body body, MemoryCharge memory, ActionListener<PreparedModel> listener) {
    if (body.featureSet() == null && ExportedModel.isOne(body.bytes())) {
      ActionListener.completeWith(
          listener,
          () ->
              PreparedModel.of(
                  body.name(),
                  ExportedModel.parse(body.type(), body.bytes(), memory),
                  settings,
                  memory));
      return;
    }
    ActionListener.completeWith(
        ActionListener.wrap(upload -> bind(body, upload, memory, listener), listener::onFailure),
        () ->
            body.featureSet() == null
                ? ModelUpload.ofEnvelope(body.type(), body.bytes(), memory)
                : ModelUpload.ofFile(
                    body.featureSet(),
                    body.format(),
                    body.output(),
                    body.model(),
                    body.bytes(),
                    body.bind(),
                    body.mismatch()));
  }

  private void bind(
      Body body, ModelUpload upload, MemoryCharge memory, ActionListener<PreparedModel> listener) {
    featureSets.await(
        ResourceNames.check("feature set", upload.featureSet()),
        Guard.listener(
            () -> "the upload of model [" + body.name() + "]",
            ActionListener.wrap(
                features ->
                    executor.execute(
                        ActionRunnable.supply(
                            listener,
                            () ->
                                PreparedModel.of(body.name(), upload, features, settings, memory))),
                listener::onFailure)));
  }

  /** Stores an upload under a new key; searches use it only after its manifest is published. */
  public void store(PreparedModel model, ActionListener<ModelManifest> listener) {
    ModelManifest manifest = model.manifest(UUIDs.randomBase64UUID(), clock.getAsLong());
    store.write(
        manifest,
        model.description(),
        model.file(),
        ActionListener.delegateResponse(
            listener,
            (l, failure) -> {
              discard(manifest);
              l.onFailure(failure);
            }));
  }

  /**
   * Checks whether an upload of an existing version has nothing to store. Then all stored data of
   * the version can be read and is correct, the file is read as the same model, and the upload's
   * ranges, which are not part of the version, are stored.
   */
  public void isStored(
      ModelManifest stored, PreparedModel model, ActionListener<Boolean> listener) {
    ActionListener<Boolean> answer =
        ActionListener.delegateResponse(listener, (l, broken) -> l.onResponse(false));
    store.describe(
        stored,
        ActionListener.wrap(
            description -> {
              if (model.changesRanges(description)
                  || !model.description().fingerprint().equals(description.fingerprint())) {
                listener.onResponse(false);
              } else {
                store.verify(stored, ActionListener.map(answer, whole -> true));
              }
            },
            answer::onFailure));
  }

  /** Deletes what is stored; what can't be deleted now is swept later. */
  public void discard(ModelManifest manifest) {
    store.delete(manifest, discarded(manifest));
  }

  private static ActionListener<Void> discarded(ModelManifest manifest) {
    return ActionListener.wrap(
        deleted -> {},
        failure ->
            LOGGER.warn(
                "could not delete the documents of the upload of [{}]; they are deleted later",
                manifest.id(),
                failure));
  }
}
