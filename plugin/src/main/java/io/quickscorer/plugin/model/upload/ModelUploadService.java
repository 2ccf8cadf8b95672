// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.guard.Guard;
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
 * Reads, compiles and checks uploaded models on the plugin's own threads, and stores them.
 *
 * @param clock returns the time in milliseconds since the epoch
 */
public record ModelUploadService(
    ModelStore store,
    FeatureSetStore featureSets,
    ModelBreaker breaker,
    ModelSettings settings,
    Executor executor,
    LongSupplier clock) {
  private static final Logger LOGGER = LogManager.getLogger(ModelUploadService.class);

  /**
   * The body and the parameters of an upload request. The body is the model's file, or a JSON
   * object that contains the file and the parameters. In the second case, the parameters in this
   * record are null.
   *
   * @param featureSet the name of the feature set, or null if the body is an object
   * @param format the format of the file, or null to detect it
   * @param output the index of the model's output to score, or null if it has only one
   * @param model the name of the model to read if the file has several, or null
   * @param type the media type of the body; ignored if the body is the file
   * @param bind {@code position} or {@code name}: how the model's features are mapped to the set's;
   *     null for {@code name}
   * @param mismatch {@code accept} if the set's categories may differ from the file's, otherwise
   *     {@code refuse} or null
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
      @Nullable String mismatch) {
    /** Creates a body without options for reading the file. */
    public Body(
        String name, @Nullable String featureSet, @Nullable MediaType type, BytesReference bytes) {
      this(name, featureSet, null, null, null, type, bytes, null, null);
    }
  }

  /**
   * Reads and checks an uploaded model. Fails with 400 if the model is not accepted. If the request
   * is cancelled, the compilation fails with a {@link CancellationException}.
   */
  public void prepare(Body body, ActionListener<PreparedModel> listener) {
    // Charged before the body waits for a thread, because it takes memory while it waits.
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
      ExportedModel exported = ExportedModel.parse(body.type(), body.bytes(), memory);
      listener.onResponse(PreparedModel.of(body.name(), exported, settings, memory));
    } else {
      bind(body, ModelUpload.of(body, memory), memory, listener);
    }
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

  /**
   * Stores a model under a new key. Searches use the model only after it was added to the cluster
   * state.
   */
  public void store(PreparedModel model, ActionListener<ModelManifest> listener) {
    ModelManifest manifest = model.manifest(UUIDs.randomBase64UUID(), clock.getAsLong());
    store.write(
        manifest,
        model.description(),
        model.file().stored(),
        Guard.recovering(
            listener,
            (l, failure) -> {
              discard(manifest);
              l.onFailure(failure);
            }));
  }

  /**
   * Checks whether an uploaded version is already stored. The answer is true if three conditions
   * are met: the stored documents are correct, this build reads the same model from them, and the
   * upload contains no new ranges of feature values (which are not part of the version).
   *
   * @param stored the stored model
   * @param model the uploaded model
   */
  public void isStored(
      ModelManifest stored, PreparedModel model, ActionListener<Boolean> listener) {
    ActionListener<Boolean> answer = Guard.recovering(listener, (l, broken) -> l.onResponse(false));
    store.describe(
        stored,
        ActionListener.wrap(
            description -> {
              if (model.changesRanges(description)
                  || !model.description().fingerprint().equals(description.fingerprint())) {
                answer.onResponse(false);
              } else {
                store.verify(stored, ActionListener.map(answer, whole -> true));
              }
            },
            answer::onFailure));
  }

  /**
   * Deletes the documents of an upload. If this fails, the documents are deleted later, together
   * with those of other unfinished uploads.
   */
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
