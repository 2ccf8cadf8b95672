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

/** Reading model files with what that costs and how it fails. */
public final class ModelFile {
  /**
   * Bytes in use while a reader works, in addition to its result, per byte of the file. Readers
   * allocate 2 to 25 bytes per byte in total, but for only one tree at a time.
   */
  private static final int READING_FACTOR = 4;

  /** A split's two children, feature, threshold, category set and missing rule. */
  private static final int SPLIT_BYTES = 4 + 4 + 4 + 4 + 4 + 4;

  private static final String JSON_LIBRARY = "tools.jackson.core.json.JsonFactory";

  private static final int LEAF_BYTES = Double.BYTES;
  private static final int TREE_BYTES = 200;

  /** A feature's name, and the counters of its values, once the model scores. */
  private static final int FEATURE_BYTES = 1_000;

  /** Bytes of a category list in addition to its values. */
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
   * Reads an uploaded file.
   *
   * @param options the other fields of the upload
   * @throws IllegalArgumentException (400) with the error and its place, or the setting that limits
   *     the file
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
      // Not as a cause: the server ends the process for any error among causes.
      throw new OpenSearchStatusException(
          "this server lacks a library that reads models of this format: {}",
          RestStatus.NOT_IMPLEMENTED,
          e.getMessage());
    }
  }

  /** Says what can't be read on this server because the library for JSON is missing, or null. */
  public static @Nullable String missingLibrary() {
    try {
      Class.forName(JSON_LIBRARY, false, ModelFile.class.getClassLoader());
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return "models in JSON cannot be read: this server lacks ["
          + JSON_LIBRARY
          + "], which version 3.8 brings along; put the jar into the plugin's folder";
    }
  }

  /**
   * Reads the stored file of a model that was accepted once: limits lowered since do not take it
   * away.
   *
   * @throws IllegalArgumentException if this build can't read it, or reads it as a model that
   *     scores differently from the one that was accepted
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
   * @throws IllegalArgumentException if it does not score as the one that is described
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
   * Returns the bytes to reserve for reading and compiling a file whose result is not known yet.
   */
  public static long readingBytes(long fileBytes) {
    return fileBytes * (1 + READING_FACTOR);
  }

  /**
   * Returns the bytes to reserve for loading a stored model: its chunks, the file in them, the
   * result.
   */
  public static long loadingBytes(ModelManifest manifest) {
    return 3 * manifest.storedBytes() + readingBytes(manifest.bytes()) + manifest.heapBytes();
  }

  /**
   * Returns the heap bytes of a compiled model: the ensemble's own arrays and the compiled form.
   */
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
