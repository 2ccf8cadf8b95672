// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.Json;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

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
  static ExportedModel parse(@Nullable MediaType type, BytesReference body) {
    return Json.parse(type, body, ExportedModel::parse);
  }

  private static ExportedModel parse(XContentParser parser) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, Object> metadata = null;
    FeatureSet features = null;
    long bytes = 0;
    byte[] compact = {};
    byte[] file = {};
    while (parser.nextToken() == XContentParser.Token.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case EXPORTED, "name", VERSION, SHA256 -> texts.put(field, Json.string(parser, field));
        case BYTES -> bytes = parser.longValue();
        case ModelDescription.METADATA -> metadata = parser.mapOrdered();
        case ModelDescription.FEATURE_SET -> {
          if (metadata == null) {
            throw new IllegalArgumentException("body: [metadata] comes before [feature_set]");
          }
          String name = String.valueOf(metadata.get(ModelDescription.FEATURE_SET));
          features = FeatureSet.parse(name, parser);
        }
        case CHUNKS -> compact = chunks(parser, field);
        case FILE -> file = chunks(parser, field);
        default -> throw Json.unknown("body", field);
      }
    }
    if (!MODEL.equals(texts.get(EXPORTED))) {
      throw new IllegalArgumentException("body: expected an exported [model]");
    }
    if (metadata == null || features == null || compact.length == 0) {
      throw new IllegalArgumentException("body: [metadata], [feature_set] and [chunks] are needed");
    }
    return new ExportedModel(
        needed(texts, VERSION),
        needed(texts, SHA256),
        bytes,
        new ModelDescription(metadata, features),
        compact,
        file);
  }

  private static byte[] chunks(XContentParser parser, String field) throws IOException {
    Json.expect(parser, XContentParser.Token.START_ARRAY, field);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (parser.nextToken() != XContentParser.Token.END_ARRAY) {
      bytes.writeBytes(parser.binaryValue());
    }
    return bytes.toByteArray();
  }

  private static String needed(Map<String, String> texts, String field) {
    String text = texts.get(field);
    if (text == null) {
      throw new IllegalArgumentException("body: [" + field + "] is missing");
    }
    return text;
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
