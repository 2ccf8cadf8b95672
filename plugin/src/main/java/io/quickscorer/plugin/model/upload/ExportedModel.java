// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ReadFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A model in the form in which it is transferred from one cluster to another. The model has the
 * same version in both clusters.
 *
 * @param version the model's version
 * @param sha256 the SHA-256 of the uncompressed file, in hexadecimal
 * @param description the stored description of the model
 * @param file the uploaded file, compressed
 */
public record ExportedModel(
    String version, String sha256, ModelDescription description, byte[] file) {
  /** Name of an exported item's first JSON field, whose value is the kind of the item. */
  public static final String EXPORTED = "exported";

  /** The kind of an exported model, the value of the field {@link #EXPORTED}. */
  public static final String MODEL = "model";

  private static final String VERSION = "version";
  private static final String SHA256 = "sha256";

  /**
   * The name of the JSON field with the file. The field contains several base64 strings, because
   * the length of a JSON string is limited.
   */
  static final String FILE = "file";

  private static final int CHUNK_BYTES = 1 << 20;

  /**
   * Maximum number of JSON strings that contain a file. Together they contain at most two
   * gigabytes, the maximum size of an array.
   */
  private static final int MAX_CHUNKS = 1 << 11;

  private static final byte[] START = ("{\"" + EXPORTED + "\"").getBytes(StandardCharsets.UTF_8);

  /** Returns whether a request's body is an exported model. */
  public static boolean isOne(BytesReference body) {
    return body.length() > START.length
        && body.slice(0, START.length).equals(new BytesArray(START));
  }

  /** Writes a stored model, with its compressed file, as one JSON object. */
  public static void write(
      XContentBuilder json, ModelManifest manifest, ModelDescription description, byte[] file)
      throws IOException {
    json.startObject().field(EXPORTED, MODEL).field("name", manifest.id().name());
    json.field(VERSION, manifest.id().version());
    json.field(SHA256, manifest.sha256());
    description.toXContent(json, ToXContent.EMPTY_PARAMS);
    json.startArray(FILE);
    for (int from = 0; from < file.length; from += CHUNK_BYTES) {
      json.value(file, from, Math.min(CHUNK_BYTES, file.length - from));
    }
    json.endArray().endObject();
  }

  /**
   * Parses a JSON object that {@link #write} wrote.
   *
   * @throws IllegalArgumentException (400) if a field is not valid
   */
  static ExportedModel parse(@Nullable MediaType type, BytesReference body, MemoryCharge memory) {
    return Door.body(type, body, memory, in -> Fields.SHAPE.read(in, new Fields()).model());
  }

  private static final class Fields {
    static final Shape<Fields> SHAPE =
        new Shape<Fields>()
            .text(EXPORTED, (fields, text) -> fields.kind = text)
            .text("name", (fields, text) -> {})
            .text(VERSION, (fields, text) -> fields.version = text)
            .text(SHA256, (fields, text) -> fields.sha256 = text)
            .map(ModelDescription.METADATA, (fields, map) -> fields.metadata = map)
            .any(ModelDescription.FEATURE_SET, Fields::featureSet)
            .object(
                ModelDescription.READ_OPTIONS,
                ReadFields.SHAPE,
                (fields, in) -> ReadFields.SHAPE.read(in, fields.reading))
            .list(FILE, MAX_CHUNKS, (fields, in) -> fields.file.writeBytes(in.bytes()))
            .required(
                VERSION,
                SHA256,
                ModelDescription.METADATA,
                ModelDescription.FEATURE_SET,
                ModelDescription.READ_OPTIONS,
                FILE);

    private String kind = "";
    private String version = "";
    private String sha256 = "";
    private Map<String, Object> metadata = Map.of();
    private @Nullable FeatureSet features;
    private final ReadFields reading = new ReadFields();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private void featureSet(Input in) throws IOException {
      if (metadata.isEmpty()) {
        throw new IllegalArgumentException("body: expected [metadata] before [feature_set]");
      }
      features = FeatureSet.read(String.valueOf(metadata.get(ModelDescription.FEATURE_SET)), in);
    }

    private ExportedModel model() {
      if (!MODEL.equals(kind)) {
        throw new IllegalArgumentException(
            "[exported] is [" + FeatureBinding.shown(kind) + "], expected [model]");
      }
      return new ExportedModel(
          version,
          sha256,
          new ModelDescription(metadata, Objects.requireNonNull(features), reading.options()),
          file.toByteArray());
    }
  }

  /**
   * Computes the version from the content. If it differs from the stored version, one of the two
   * was changed.
   */
  String computedVersion() {
    return ModelVersion.of(
        sha256,
        description.format(),
        description.options(),
        description.features(),
        description.featureMap());
  }
}
