// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.Fingerprint;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.EnsembleScorer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.rest.RestStatus;

/** Reads model files, and estimates the memory for reading them. Failures get an HTTP status. */
public final class ModelFile {
  /**
   * Heap bytes to charge for each byte of a model file while the file is read, in addition to the
   * model. They are for the readers' temporary data. In total, these are 2 to 25 bytes per byte,
   * but readers hold them for only one tree at a time.
   */
  private static final int READING_FACTOR = 4;

  /**
   * Estimated heap bytes of a split (an inner node of a tree): two children, feature, threshold,
   * category set, rule for missing values.
   */
  private static final int SPLIT_BYTES = 4 + 4 + 4 + 4 + 4 + 4;

  private static final String JSON_LIBRARY = "tools.jackson.core.json.JsonFactory";

  private static final int LEAF_BYTES = Double.BYTES;
  private static final int TREE_BYTES = 200;

  /** Estimated heap bytes of a feature: its name, and the counters for its values. */
  private static final int FEATURE_BYTES = 1_000;

  /** Estimated heap bytes of a list of categories, without its elements. */
  private static final int CATEGORIES_BYTES = 200;

  private static final EnsembleLimits NO_LIMITS =
      new EnsembleLimits(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  private ModelFile() {}

  /**
   * Reads an uploaded file as a model.
   *
   * @throws IllegalArgumentException (400) if the file is not valid or exceeds a limit; the message
   *     names the place of the error, or the setting with the limit
   */
  public static TreeEnsemble read(
      byte[] file, ModelFormat format, EnsembleLimits limits, ReadOptions options) {
    try {
      return ModelReader.read(file, format, limits, options);
    } catch (InvalidModelException e) {
      EnsembleLimits.Limit limit = e.limit();
      String setting =
          limit == null
              ? ""
              : " by setting ["
                  + ModelSettings.of(limit).getKey()
                  + "]; this is a limit of the plugin, not of the format";
      throw new IllegalArgumentException("invalid_model: " + e.getMessage() + setting, e);
    } catch (LinkageError e) {
      // The error is not set as the cause: the server ends the process if a cause is an Error.
      throw new OpenSearchStatusException(
          "this server lacks a library that reads models of this format: {}",
          RestStatus.NOT_IMPLEMENTED,
          e.getMessage());
    }
  }

  /** Returns a message if the library that reads models in JSON is missing, otherwise null. */
  public static @Nullable String missingLibrary() {
    try {
      Class.forName(JSON_LIBRARY, false, ModelFile.class.getClassLoader());
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return "models in JSON cannot be read: this server lacks ["
          + JSON_LIBRARY
          + "], which is part of OpenSearch 3.8; put its jar into the plugin's folder";
    }
  }

  /**
   * Reads the stored file of a model that was uploaded before. The limits for uploads are not
   * checked, because a lowered limit must not make the model unusable.
   *
   * @throws IllegalArgumentException if this build cannot read the file, or reads a model that
   *     scores differently from the uploaded one
   */
  public static TreeEnsemble readStored(
      byte[] stored, ModelManifest manifest, ModelDescription description) {
    byte[] file = Gzip.decompress(stored, description.file().bytes());
    byte[] plain = Gzip.isGzip(file) ? Gzip.decompress(file, manifest.bytes()) : file;
    TreeEnsemble ensemble =
        read(plain, ModelFormats.of(description.format()), NO_LIMITS, description.options());
    checkFingerprint(ensemble, description);
    return ensemble;
  }

  /**
   * Checks that a model's fingerprint (a hash of its trees) is equal to the one in its description.
   *
   * @throws IllegalArgumentException if the fingerprints differ
   */
  public static void checkFingerprint(TreeEnsemble ensemble, ModelDescription description) {
    String fingerprint = Fingerprint.of(ensemble);
    if (!fingerprint.equals(description.fingerprint())) {
      throw new IllegalArgumentException(
          "this build reads the file differently from the build that accepted it, so scores could"
              + " differ: fingerprint ["
              + fingerprint
              + "], expected ["
              + description.fingerprint()
              + "]");
    }
  }

  public static String sha256(byte[] file) {
    MessageDigest digest = MessageDigests.sha256();
    return HexFormat.of().formatHex(digest.digest(file));
  }

  /**
   * Returns the bytes of memory to charge before a file is read and compiled. The bytes are
   * estimated from the file's size, because the model's size is not known yet.
   */
  public static long readingBytes(long fileBytes) {
    return fileBytes * (1 + READING_FACTOR);
  }

  /** Returns the bytes to charge while a stored model is loaded: for chunks, file and model. */
  public static long loadingBytes(ModelManifest manifest) {
    return 3 * manifest.storedBytes() + readingBytes(manifest.bytes()) + manifest.heapBytes();
  }

  /** Returns the heap bytes of a compiled model, including its trees and features. */
  public static long heapBytes(EnsembleScorer scorer) {
    EnsembleShape shape = scorer.ensemble().shape();
    return scorer.bytes()
        + shape.splits() * SPLIT_BYTES
        + shape.leaves() * LEAF_BYTES
        + (long) shape.trees() * TREE_BYTES
        + (long) shape.features() * FEATURE_BYTES
        + scorer.ensemble().categories().values().stream()
            .mapToLong(list -> CATEGORIES_BYTES + list.bytes())
            .sum();
  }
}
