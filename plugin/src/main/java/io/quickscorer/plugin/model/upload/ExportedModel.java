// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A model as one cluster gives it to another: its stored form with what was found out when it was
 * uploaded, so that it is the same version there, and with the file itself where that is kept.
 *
 * @param version that it had
 * @param sha256 of the file that was uploaded
 * @param bytes of that file
 * @param description its metadata and the copy of the feature set
 * @param compact the ensemble in our compact form
 * @param file that was uploaded, compressed; empty where it is not kept
 */
public record ExportedModel(
    String version,
    String sha256,
    long bytes,
    ModelDescription description,
    byte[] compact,
    byte[] file) {
  /** The first field of each exported thing, which tells what it is. */
  public static final String EXPORTED = "exported";

  /** What stands there of a model. */
  public static final String MODEL = "model";

  private static final String VERSION = "version";
  private static final String SHA256 = "sha256";
  private static final String BYTES = "bytes";

  /** Strings of JSON have a greatest length. */
  private static final String CHUNKS = "chunks";

  /** The uploaded file's chunks. */
  static final String FILE = "file";

  private static final int CHUNK_BYTES = 1 << 20;

  /** Of two gigabytes, and no array has more. */
  private static final int MAX_CHUNKS = 1 << 11;

  private static final byte[] START = ("{\"" + EXPORTED + "\"").getBytes(StandardCharsets.UTF_8);

  /** Whether a body is something that was exported. */
  public static boolean isOne(BytesReference body) {
    return body.length() > START.length
        && body.slice(0, START.length).equals(new BytesArray(START));
  }

  /**
   * Writes a stored model as an object.
   *
   * @param file that was uploaded, compressed; empty where it is not kept
   */
  public static void write(
      XContentBuilder json,
      ModelManifest manifest,
      ModelDescription description,
      byte[] compact,
      byte[] file)
      throws IOException {
    json.startObject().field(EXPORTED, MODEL).field("name", manifest.id().name());
    json.field(VERSION, manifest.id().version());
    json.field(SHA256, manifest.sha256()).field(BYTES, manifest.bytes());
    description.toXContent(json, ToXContent.EMPTY_PARAMS);
    write(json, CHUNKS, compact);
    if (file.length > 0) {
      write(json, FILE, file);
    }
    json.endObject();
  }

  private static void write(XContentBuilder json, String field, byte[] bytes) throws IOException {
    json.startArray(field);
    for (int from = 0; from < bytes.length; from += CHUNK_BYTES) {
      json.value(bytes, from, Math.min(CHUNK_BYTES, bytes.length - from));
    }
    json.endArray();
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException (400) naming the field that is wrong
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
            .whole(BYTES, 0, Long.MAX_VALUE, (fields, bytes) -> fields.bytes = bytes)
            .map(ModelDescription.METADATA, (fields, map) -> fields.metadata = map)
            .any(ModelDescription.FEATURE_SET, Fields::featureSet)
            .list(CHUNKS, MAX_CHUNKS, (fields, in) -> fields.compact.writeBytes(in.bytes()))
            .list(FILE, MAX_CHUNKS, (fields, in) -> fields.file.writeBytes(in.bytes()))
            .required(VERSION, SHA256);

    private String kind = "";
    private String version = "";
    private String sha256 = "";
    private long bytes;
    private @Nullable Map<String, Object> metadata;
    private @Nullable FeatureSet features;
    private final ByteArrayOutputStream compact = new ByteArrayOutputStream();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private void featureSet(Input in) throws IOException {
      if (metadata == null) {
        throw new IllegalArgumentException("body: [metadata] comes before [feature_set]");
      }
      features = FeatureSet.read(String.valueOf(metadata.get(ModelDescription.FEATURE_SET)), in);
    }

    private ExportedModel model() {
      if (!MODEL.equals(kind)) {
        throw new IllegalArgumentException("body: expected an exported [model]");
      }
      if (metadata == null || features == null || compact.size() == 0) {
        throw new IllegalArgumentException(
            "body: [metadata], [feature_set] and [chunks] are needed");
      }
      return new ExportedModel(
          version,
          sha256,
          bytes,
          new ModelDescription(metadata, features),
          compact.toByteArray(),
          file.toByteArray());
    }
  }

  /**
   * The version that its content has; null where what it was uploaded with is not all there, as
   * lists of categories are not.
   */
  @Nullable String computedVersion() {
    Map<String, Object> metadata = description.metadata();
    if (metadata.containsKey("categories") || metadata.containsKey("model_name")) {
      return null;
    }
    OptionalInt output =
        metadata.get("output_index") instanceof Number index
            ? OptionalInt.of(index.intValue())
            : OptionalInt.empty();
    return ModelVersion.of(
        sha256,
        String.valueOf(metadata.get(ModelDescription.FORMAT)),
        ReadOptions.ofOutput(output),
        description.features(),
        description.featureMap());
  }
}
