// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ReadFields;
import io.quickscorer.plugin.model.upload.ModelUploadService.Body;
import io.quickscorer.reader.ModelFormats;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;

/**
 * A request that uploads a model.
 *
 * @param featureSet the name of the feature set for the model
 * @param format the format of the file, or {@link ModelFormat#AUTO}
 * @param options the options for the reader of the file
 * @param file the trainer's file, which may be compressed with gzip
 * @param featureMap maps a feature's name in the model to its name in the feature set; needed only
 *     if the names differ
 * @param featureRanges the ranges of values in training, by the feature's name in the model; may
 *     leave out features
 * @param parity rows with expected scores, checked before the model is accepted; or null
 * @param byPosition whether the model's feature with index i is mapped to the set's feature with
 *     index i
 * @param acceptsMismatch whether the set's categories may differ from the file's
 */
record ModelUpload(
    String featureSet,
    ModelFormat format,
    ReadOptions options,
    byte[] file,
    Map<String, String> featureMap,
    Map<String, FeatureRange> featureRanges,
    @Nullable Parity parity,
    boolean byPosition,
    boolean acceptsMismatch) {

  /**
   * Reads the body of a request.
   *
   * @throws IllegalArgumentException (400) if a parameter or field is not valid; the message names
   *     it
   */
  static ModelUpload of(Body body, MemoryCharge memory) {
    String featureSet = body.featureSet();
    if (featureSet == null) {
      return Door.body(
          body.type(),
          body.bytes(),
          memory,
          in -> Envelope.SHAPE.read(in, new Envelope()).upload());
    }
    if (body.bytes().length() == 0) {
      throw new IllegalArgumentException("the body is empty, expected a model file");
    }
    return new ModelUpload(
        featureSet,
        format(body.format()),
        new ReadOptions(
            body.output() == null ? OptionalInt.empty() : OptionalInt.of(body.output()),
            Map.of(),
            Objects.requireNonNullElse(body.model(), "")),
        BytesReference.toBytes(body.bytes()),
        Map.of(),
        Map.of(),
        null,
        Texts.either("bind: ", body.bind(), "name", "position"),
        Texts.either(CategoryBinding.MISMATCH + ": ", body.mismatch(), "refuse", "accept"));
  }

  private static ModelFormat format(@Nullable String label) {
    return label == null ? ModelFormat.AUTO : ModelFormats.of(label);
  }

  private static final class Envelope {
    static final Shape<Envelope> SHAPE =
        new Shape<Envelope>()
            .any("model", (envelope, in) -> envelope.file(in.utf8()))
            .any("model_base64", (envelope, in) -> envelope.file(in.bytes()))
            .text("feature_set", (envelope, text) -> envelope.featureSet = text)
            .text("format", (envelope, text) -> envelope.format = text)
            .all(ReadFields.SHAPE, (envelope, name) -> envelope.reading)
            .object("feature_map", Input.MAX_ITEMS, Envelope::featureMap)
            .text("bind", (envelope, text) -> envelope.bind = text)
            .text(CategoryBinding.MISMATCH, (envelope, text) -> envelope.mismatch = text)
            .object(
                "feature_ranges",
                FeatureRange.MAX_FEATURES,
                (envelope, in) -> envelope.featureRanges = FeatureRange.read(in))
            .object("parity", Parity.SHAPE, (envelope, in) -> envelope.parity = Parity.read(in))
            .required("feature_set");

    private @Nullable String featureSet;
    private @Nullable String format;
    private final ReadFields reading = new ReadFields();
    private byte @Nullable [] file;
    private final Map<String, String> featureMap = new TreeMap<>();
    private Map<String, FeatureRange> featureRanges = Map.of();
    private @Nullable Parity parity;
    private @Nullable String bind;
    private @Nullable String mismatch;

    private ModelUpload upload() {
      if (file == null || file.length == 0) {
        throw new IllegalArgumentException("body: [model] or [model_base64] is missing or empty");
      }
      boolean byPosition = Texts.either("bind: ", bind, "name", "position");
      if (byPosition && !featureMap.isEmpty()) {
        throw new IllegalArgumentException(
            "body: [feature_map] and bind [position] cannot be used together");
      }
      return new ModelUpload(
          Objects.requireNonNull(featureSet),
          ModelUpload.format(format),
          reading.options(),
          file,
          featureMap,
          featureRanges,
          parity,
          byPosition,
          Texts.either(CategoryBinding.MISMATCH + ": ", mismatch, "refuse", "accept"));
    }

    private void file(byte[] bytes) {
      if (file != null) {
        throw new IllegalArgumentException(
            "body: [model] and [model_base64] cannot be used together");
      }
      file = bytes;
    }

    private void featureMap(Input in) throws IOException {
      in.object(Input.MAX_ITEMS, from -> featureMap.put(from, in.text()));
    }
  }
}
