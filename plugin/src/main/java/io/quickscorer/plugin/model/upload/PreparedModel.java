// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ReadFields;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.reader.Fingerprint;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.Closeable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * An uploaded model that was read, mapped to its feature set, compiled and checked.
 *
 * @param givesRanges whether the upload contains ranges of the features' values
 * @param file the uploaded file, compressed with gzip
 * @param sha256 the checksum of the uncompressed file
 * @param bytes the size of the uncompressed file
 * @param heapBytes the heap bytes of the compiled model
 * @param memory the charge at the circuit breaker for the file, until this object is closed
 */
public record PreparedModel(
    ModelId id,
    ModelDescription description,
    boolean givesRanges,
    KeptFile file,
    String sha256,
    long bytes,
    long heapBytes,
    MemoryCharge memory)
    implements Closeable {
  private static final int MAX_WARNINGS = 20;

  private static final int MAX_WARNING_LENGTH = 512;

  /**
   * Adds the properties of the file to the description, and reduces {@code memory} to a charge for
   * the stored file.
   */
  public PreparedModel {
    memory.resize(file.stored().length());
    description = description.with(file.file());
  }

  /** Returns the metadata that users see, such as the format and the number of trees. */
  public Map<String, Object> metadata() {
    return description.metadata();
  }

  /** Returns whether the upload has {@code feature_ranges} that differ from the stored ones. */
  boolean changesRanges(ModelDescription stored) {
    return givesRanges && !FeatureRange.of(metadata()).equals(FeatureRange.of(stored.metadata()));
  }

  @Override
  public void close() {
    memory.close();
  }

  /**
   * Returns the model's manifest (entry for the cluster state) without checksums, which are added
   * when the model is stored.
   *
   * @param upload the key under which the model will be stored
   * @param created the time in milliseconds since the epoch
   */
  ModelManifest manifest(String upload, long created) {
    return new ModelManifest(
        id,
        upload,
        sha256,
        bytes,
        file.stored().length(),
        ModelStore.chunks(file.stored().length()),
        heapBytes,
        created,
        ModelManifest.Checksums.NONE);
  }

  /**
   * Reads, compiles and checks an uploaded model, and maps its features to the feature set.
   *
   * @param asked the upload
   * @param memory the charge at the circuit breaker, which grows before more memory is used, and is
   *     released when the result is closed
   * @throws IllegalArgumentException (400) if the model is not accepted; the message has the reason
   * @throws CancellationException if the request was cancelled
   */
  static PreparedModel of(
      String name, ModelUpload asked, FeatureSet set, ModelSettings settings, MemoryCharge memory) {
    byte[] file = plain(asked.file(), settings.get(ModelSettings.MAX_BYTES), memory);
    memory.grow(ModelFile.readingBytes(file.length));
    TreeEnsemble ensemble =
        ModelFile.read(file, asked.format(), settings.limits(), asked.options());
    for (String feature : ensemble.featureNames()) {
      StepLimit.step();
      Texts.wellFormed("name of a feature", feature);
    }
    Map<String, String> featureMap =
        asked.byPosition() ? FeatureBinding.byPosition(ensemble, set) : asked.featureMap();
    FeatureBinding binding = FeatureBinding.bind(ensemble, set, featureMap);
    CategoryBinding categories =
        CategoryBinding.of(ensemble, set, binding, asked.acceptsMismatch());
    FeatureSet features = categories.features();
    EnsembleScorer scorer = compile(ensemble, settings);
    Map<String, Object> parity;
    long heapBytes;
    try {
      parity = parity(asked.parity(), scorer, memory);
      heapBytes = ModelFile.heapBytes(scorer);
    } finally {
      // Closed, because each node compiles the model itself, and it may use a GPU's memory.
      scorer.close();
    }
    Map<String, Object> metadata =
        metadata(asked.options(), featureMap, categories, ensemble, binding);
    if (!parity.isEmpty()) {
      metadata.put("parity", parity);
    }
    Map<String, FeatureRange> ranges = FeatureRange.of(asked, ensemble, file);
    if (!ranges.isEmpty()) {
      metadata.put(ModelDescription.FEATURE_RANGES, FeatureRange.toMap(ranges));
    }
    String sha256 = ModelFile.sha256(file);
    String format = ensemble.source().format().label();
    return new PreparedModel(
        new ModelId(name, ModelVersion.of(sha256, format, asked.options(), features, featureMap)),
        new ModelDescription(metadata, features, asked.options()),
        !asked.featureRanges().isEmpty(),
        KeptFile.of(name, asked.file(), file, Gzip.compress(asked.file())),
        sha256,
        file.length,
        heapBytes,
        memory);
  }

  /**
   * Reads and checks a model that another cluster exported. The model's version does not change.
   *
   * @param name the model's name in this cluster
   * @param memory the charge at the circuit breaker, which grows before more memory is used, and is
   *     released when the result is closed
   * @throws IllegalArgumentException (400) if the model is not accepted; the message has the reason
   * @throws CancellationException if the request was cancelled
   */
  static PreparedModel of(
      String name, ExportedModel model, ModelSettings settings, MemoryCharge memory) {
    ModelDescription description = model.description();
    String version = model.version();
    String computed = model.computedVersion();
    if (!computed.equals(version)) {
      throw new IllegalArgumentException(
          "model ["
              + name
              + "]: the model was changed after its export: its content has version ["
              + computed
              + "], but [version] is ["
              + FeatureBinding.shown(version)
              + "]");
    }
    ByteSizeValue max = settings.get(ModelSettings.MAX_BYTES);
    byte[] uploaded = Gzip.decompress(model.file(), memory, bytes -> checkSize(bytes, max));
    byte[] plain = plain(uploaded, max, memory);
    if (!ModelFile.sha256(plain).equals(model.sha256())) {
      throw new IllegalArgumentException(
          "model ["
              + name
              + "]: ["
              + ExportedModel.FILE
              + "] is not the file from which the model was made");
    }
    memory.grow(ModelFile.readingBytes(plain.length));
    TreeEnsemble ensemble =
        ModelFile.read(
            plain, ModelFormats.of(description.format()), settings.limits(), description.options());
    ModelFile.checkFingerprint(ensemble, description);
    FeatureBinding.bind(ensemble, description.features(), description.featureMap());
    EnsembleScorer scorer = compile(ensemble, settings);
    long heapBytes = ModelFile.heapBytes(scorer);
    scorer.close();
    return new PreparedModel(
        new ModelId(name, version),
        description,
        !FeatureRange.of(description.metadata()).isEmpty(),
        KeptFile.of(name, uploaded, plain, model.file()),
        model.sha256(),
        plain.length,
        heapBytes,
        memory);
  }

  private static EnsembleScorer compile(TreeEnsemble ensemble, ModelSettings settings) {
    return ScorerCompiler.compile(
        ensemble,
        settings.get(ModelSettings.ENGINE),
        CompileProgress.of(share -> {}, StepLimit.cancellation()));
  }

  private static byte[] plain(byte[] file, ByteSizeValue max, MemoryCharge memory) {
    if (Gzip.isGzip(file)) {
      return Gzip.decompress(file, memory, bytes -> checkSize(bytes, max));
    }
    checkSize(file.length, max);
    return file;
  }

  private static void checkSize(long bytes, ByteSizeValue max) {
    if (bytes > max.getBytes()) {
      throw new IllegalArgumentException(
          "model file: the uncompressed file has more than "
              + max
              + ", the maximum of setting ["
              + ModelSettings.MAX_BYTES.getKey()
              + "]");
    }
  }

  private static Map<String, Object> parity(
      @Nullable Parity parity, EnsembleScorer scorer, MemoryCharge memory) {
    if (parity == null) {
      return Map.of();
    }
    long worst = parity.check(scorer, memory);
    return Map.of(
        "rows",
        parity.rows().size(),
        "output",
        parity.transformed() ? "transformed" : "raw",
        "max_ulp",
        worst);
  }

  private static Map<String, Object> metadata(
      ReadOptions options,
      Map<String, String> featureMap,
      CategoryBinding categories,
      TreeEnsemble ensemble,
      FeatureBinding binding) {
    EnsembleShape shape = ensemble.shape();
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put(ModelDescription.FEATURE_SET, categories.features().name());
    metadata.put(ModelDescription.FORMAT, ensemble.source().format().label());
    metadata.put("library_version", FeatureBinding.shown(ensemble.source().version()));
    metadata.put("objective", FeatureBinding.shown(ensemble.source().objective()));
    options.output().ifPresent(output -> metadata.put("output_index", output));
    if (!options.model().isEmpty()) {
      metadata.put("model_name", FeatureBinding.shown(options.model()));
    }
    if (!options.categories().isEmpty()) {
      metadata.put("categories", ReadFields.counts(options));
    }
    metadata.put(ModelDescription.FINGERPRINT, Fingerprint.of(ensemble));
    metadata.put("output", EnumNames.of(ensemble.transform().kind()));
    metadata.put("accumulator", EnumNames.of(ensemble.accumulator()));
    metadata.put("trees", shape.trees());
    metadata.put("leaves", shape.leaves());
    metadata.put("max_leaves", shape.maxLeaves());
    metadata.put("max_depth", shape.maxDepth());
    metadata.put("features", shape.features());
    metadata.put("categorical_splits", shape.categoricalSplits());
    metadata.put(ModelDescription.FEATURES_USED, binding.used());
    metadata.put(ModelDescription.FEATURE_MAP, featureMap);
    if (!categories.lists().isEmpty()) {
      metadata.put("category_lists", categories.lists());
    }
    List<String> notes =
        Stream.concat(categories.warnings().stream(), ensemble.source().notes().stream())
            .limit(MAX_WARNINGS)
            .map(note -> Texts.shown(note, MAX_WARNING_LENGTH))
            .toList();
    if (!notes.isEmpty()) {
      metadata.put(ModelDescription.WARNINGS, notes);
    }
    return metadata;
  }
}
