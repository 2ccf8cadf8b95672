// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.stored;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.BoundedInput;
import java.util.List;

/**
 * A model as the learning-to-rank plugin of OpenSearch and Elasticsearch stores it: the answer to
 * {@code GET _ltr/_model/NAME}, its {@code _source}, or the {@code model} in that. It has the
 * features beside the trainer's file, and this class gives both.
 *
 * <p>Immutable and safe to share between threads.
 */
final class StoredModel {
  private final String name;
  private final String type;
  private final byte[] definition;
  private final String featureSet;
  private final List<String> featureNames;
  private final List<String> features;
  private final TreeEnsemble ensemble;

  StoredModel(
      String name,
      String type,
      byte[] definition,
      String featureSet,
      List<String> featureNames,
      List<String> features,
      TreeEnsemble ensemble) {
    this.name = name;
    this.type = type;
    this.definition = definition;
    this.featureSet = featureSet;
    this.featureNames = List.copyOf(featureNames);
    this.features = List.copyOf(features);
    this.ensemble = ensemble;
  }

  /**
   * Reads a document, which may be gzipped.
   *
   * @throws InvalidModelException if it is no such document, or its model is not valid within the
   *     limits; nothing else is thrown whatever the bytes are
   */
  public static StoredModel read(byte[] document, EnsembleLimits limits) {
    return StoredModelReader.read(BoundedInput.of(document), limits);
  }

  /** The model's name; empty if the document does not say it. */
  public String name() {
    return name;
  }

  /** What the definition is, as that plugin spells it, e.g. {@code model/ranklib}. */
  public String type() {
    return type;
  }

  /** The model itself, as its trainer wrote it. */
  public byte[] definition() {
    return definition.clone();
  }

  /** The feature set's name; empty if the document does not say it. */
  public String featureSet() {
    return featureSet;
  }

  /** The names of the set's features, in the set's order, which is the ensemble's. */
  public List<String> featureNames() {
    return featureNames;
  }

  /**
   * The set's features, in the same order, each as the document's own JSON text of it: an object of
   * {@code name}, {@code params}, {@code template_language} and {@code template}.
   */
  public List<String> features() {
    return features;
  }

  /** The model over the set's features. */
  public TreeEnsemble ensemble() {
    return ensemble;
  }
}
