// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.common.Outputs;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads Solr's learning-to-rank models in the form in which they are uploaded to Solr's model
 * store: MultipleAdditiveTreesModel, see {@link SolrTree}, and LinearModel. Both kinds of model sum
 * floats in float, starting at 0. The ensemble has the features that the model lists. A missing
 * value counts as 0 unless {@code isNullSameAsZero} is false. The normalisers MinMax and Standard
 * are folded into the model.
 *
 * <p>A file can contain several models, see {@link SolrStore}. It may have all forms of JSON that
 * Solr accepts, see {@link LenientJson}. As in Solr, unknown parameters are an error, because
 * scores might depend on them; unknown names outside the parameters are skipped.
 */
final class SolrReader {
  /** The format of Solr's MultipleAdditiveTreesModel and LinearModel. */
  public static final FormatReader FORMAT =
      FormatReader.ofOptions("solr_json", "Solr", SolrReader::read)
          .withFields("class", "managedList");

  private static final String TREES = "MultipleAdditiveTreesModel";
  private static final String LINEAR = "LinearModel";
  private static final String CLASS = "org.apache.solr.ltr.model.";

  private final BoundedInput input;
  private final EnsembleLimits limits;
  private final Map<String, Integer> features = new LinkedHashMap<>();
  private final Map<Integer, Normaliser> normalisers = new HashMap<>();
  private final Map<String, Float> weights = new HashMap<>();
  private final List<Tree> trees = new ArrayList<>();
  private DocumentReader reader;
  private String kind = "";
  private boolean nullIsZero = true;
  private boolean hasFeatures;
  private boolean hasTrees;
  private boolean hasWeights;
  private boolean treesCameEarly;

  private SolrReader(BoundedInput input, EnsembleLimits limits) {
    this.input = input;
    this.limits = limits;
    this.reader = DocumentReader.json(input);
  }

  /** Returns whether a file contains the name of a class of Solr's models and can be JSON. */
  public static boolean recognises(BoundedInput input) {
    int first = input.at(input.skipWhiteSpace(0));
    return first >= 0
        && "{[/#".indexOf(first) >= 0
        && input.indexOf(CLASS, 0, input.length()) < input.length();
  }

  private static TreeEnsemble read(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    new Outputs(options).choose(1, "", 0);
    options.noCategories();
    return new SolrReader(SolrStore.one(LenientJson.strict(input), options.model()), limits).read();
  }

  private TreeEnsemble read() {
    readDocument(true);
    if (treesCameEarly) {
      // The trees preceded the features and parameters on which they depend, so they are read a
      // second time.
      trees.clear();
      reader = DocumentReader.json(input);
      readDocument(false);
    }
    boolean linear = kind.equals(LINEAR);
    if (!linear && !kind.equals(TREES)) {
      throw reader.failure("class: expected " + TREES + " or " + LINEAR);
    }
    if (features.isEmpty()) {
      throw reader.failure("found 0 features, expected 1 or more");
    }
    if (linear ? hasTrees || !hasWeights : hasWeights || !hasTrees) {
      throw reader.failure(
          "params: expected " + (linear ? "weights and no trees" : "trees and no weights"));
    }
    return linear ? buildLinear() : ensemble().trees(trees).build();
  }

  /** Reads the model's JSON document; only its trees if {@code all} is false. */
  private void readDocument(boolean all) {
    for (String name : reader.fields("document")) {
      if (name.equals("params")) {
        readParameters(all);
      } else if (all && name.equals("class")) {
        kind = simpleName(name, "model");
      } else if (all && name.equals("features")) {
        readFeatures();
      }
    }
    reader.end();
  }

  /**
   * Returns the name of a class, without the package if this is Solr's own package. A class of
   * another package is not supported.
   */
  private String simpleName(String field, String inPackage) {
    String name = reader.string(field);
    String prefix = "org.apache.solr.ltr." + inPackage + ".";
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  private void readFeatures() {
    hasFeatures = true;
    reader.elements("features", "feature", Limit.FEATURES, limits, this::readFeature);
  }

  private void readFeature() {
    String feature = "";
    for (String name : reader.fields("feature")) {
      switch (name) {
        case "name" -> feature = reader.string(name);
        case "norm" -> readNormaliser();
        default -> {}
      }
    }
    if (feature.isEmpty() || features.putIfAbsent(feature, features.size()) != null) {
      throw reader.failure(
          feature.isEmpty() ? "name: missing" : "name: another feature has the same name");
    }
  }

  private void readNormaliser() {
    String normaliser = "";
    Map<String, Float> values = new HashMap<>();
    for (String name : reader.fields("norm")) {
      switch (name) {
        case "class" -> normaliser = simpleName(name, "norm");
        case "params" -> {
          for (String parameter : reader.fields(name)) {
            reader.check("norm: params", values.size() + 1L, Limit.FEATURES, limits);
            values.put(parameter, SolrTree.number(reader, "norm"));
          }
        }
        default -> {}
      }
    }
    int feature = features.size();
    switch (normaliser) {
      case "IdentityNormalizer" -> checkNames(normaliser, values, Set.of());
      case "MinMaxNormalizer" -> {
        checkNames(normaliser, values, Set.of("min", "max"));
        float min = values.getOrDefault("min", Float.NEGATIVE_INFINITY);
        float max = values.getOrDefault("max", Float.POSITIVE_INFINITY);
        normalisers.put(feature, Normaliser.of(reader, min, max - min));
      }
      case "StandardNormalizer" -> {
        checkNames(normaliser, values, Set.of("avg", "std"));
        float mean = values.getOrDefault("avg", 0f);
        float deviation = values.getOrDefault("std", 1f);
        normalisers.put(feature, Normaliser.of(reader, mean, deviation));
      }
      default ->
          throw reader.failure(
              "norm: expected IdentityNormalizer, MinMaxNormalizer or StandardNormalizer");
    }
  }

  private void checkNames(String normaliser, Map<String, Float> values, Set<String> known) {
    for (String parameter : values.keySet()) {
      if (!known.contains(parameter)) {
        throw reader.failure(
            "norm: class "
                + normaliser
                + " has no parameter "
                + InvalidModelException.shown(parameter));
      }
    }
  }

  private void readParameters(boolean all) {
    for (String name : reader.fields("params")) {
      if (name.equals("trees")) {
        hasTrees = true;
        if (hasFeatures) {
          readTrees();
        } else {
          treesCameEarly = true;
        }
      } else if (all) {
        switch (name) {
          case "isNullSameAsZero" -> {
            nullIsZero = reader.bool(name);
            treesCameEarly |= hasTrees && !nullIsZero;
          }
          case "weights" -> readWeights();
          default ->
              throw reader.failure(
                  "params: unknown parameter, expected trees, isNullSameAsZero or weights");
        }
      }
    }
  }

  private void readTrees() {
    TreeBuilder builder = new TreeBuilder(limits, features.size(), true);
    SolrTree tree = new SolrTree(reader, features, normalisers, nullIsZero, limits);
    Runnable read = () -> trees.add(tree.read(builder, trees.size()));
    reader.elements("trees", "tree", Limit.TREES, limits, read);
  }

  /** Reads the weights of a linear model. Solr reads them as doubles and rounds them to float. */
  private void readWeights() {
    hasWeights = true;
    for (String feature : reader.fields("weights")) {
      reader.check("weights", weights.size() + 1L, Limit.FEATURES, limits);
      reader.place("weight " + weights.size() + ", ");
      weights.put(feature, (float) reader.doubleValue("value"));
      reader.place("");
    }
  }

  private TreeEnsemble.Builder ensemble() {
    List<String> notes =
        normalisers.isEmpty()
            ? List.of()
            : List.of(normalisers.size() + " normalisers of features are included in the model");
    ModelSource source = new ModelSource(FORMAT.format(), "", kind, notes);
    return TreeEnsemble.builder(List.copyOf(features.keySet()), source)
        .accumulator(Accumulator.FLOAT);
  }

  /**
   * Returns a linear model with one term for each listed feature, in the order of the list. Weights
   * of other features are ignored.
   */
  private TreeEnsemble buildLinear() {
    if (!nullIsZero) {
      throw reader.failure(
          "isNullSameAsZero: expected true, because a linear model treats missing values as 0");
    }
    int count = features.size();
    int[] indices = new int[count];
    double[] values = new double[count];
    float[] offsets = new float[count];
    float[] divisors = new float[count];
    features.forEach(
        (name, f) -> {
          Float weight = weights.get(name);
          if (weight == null) {
            throw reader.failure("weights: feature " + f + " has no weight");
          }
          Normaliser normaliser = normalisers.get(f);
          indices[f] = f;
          values[f] = weight;
          offsets[f] = normaliser == null ? 0 : normaliser.offset();
          divisors[f] = normaliser == null ? 1 : normaliser.divisor();
        });
    return ensemble().linear(LinearTerms.normalised(indices, values, offsets, divisors)).build();
  }
}
