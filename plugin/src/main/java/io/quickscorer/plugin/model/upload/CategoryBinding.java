// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FieldFeature;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.FeatureBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The result of checking the features that have categories. A model's file contains a list of
 * categories for such a feature, and its trees test indices in this list (codes). The feature must
 * convert its values to these codes, or its values must already be these codes.
 *
 * @param features the feature set; in features with {@code "categories": "model"}, the file's lists
 *     are inserted
 * @param lists descriptions of the file's lists for users, by the name of the model's feature
 * @param warnings differences from the file that were accepted or cannot be checked
 */
record CategoryBinding(FeatureSet features, Map<String, Object> lists, List<String> warnings) {
  private static final int SHOWN_VALUES = 5;
  private static final int SHOWN_LENGTH = 40;

  /** Name of the upload parameter that lets a set's categories differ from the model file's. */
  static final String MISMATCH = "category_mismatch";

  /**
   * Checks all features of a model that have categories.
   *
   * @param accept whether a feature's categories may differ from the list in the model's file
   * @throws IllegalArgumentException (400) if categories differ and {@code accept} is false, or if
   *     the file lacks a list for the feature; the message names the feature
   */
  static CategoryBinding of(
      TreeEnsemble ensemble, FeatureSet set, FeatureBinding binding, boolean accept) {
    List<FeatureDefinition> features = new ArrayList<>(set.features());
    Map<String, Object> lists = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    ensemble
        .categories()
        .forEach(
            (f, list) -> {
              StepLimit.step();
              String name = ensemble.featureNames().get(f);
              int place = binding.columns()[f];
              if (place < 0) {
                lists.put(FeatureBinding.shown(name), described(list));
                return;
              }
              FeatureDefinition feature = set.features().get(place);
              if (takesModels(feature)) {
                features.set(place, withList((FieldFeature) feature, list, features.get(place)));
              }
              String problem = ensemble.uses(f) ? problem(features.get(place), list) : null;
              if (problem != null) {
                String message =
                    "feature ["
                        + FeatureBinding.shown(feature.name())
                        + "]: the model's file has a category list for ["
                        + FeatureBinding.shown(name)
                        + "], "
                        + shown(list)
                        + ", and expects indices in this list, from 0; "
                        + problem;
                if (!accept && feature instanceof FieldFeature) {
                  throw new IllegalArgumentException(
                      message
                          + "; set [categories] to [model] in the feature set, or, if the"
                          + " difference is intended, upload the model with ["
                          + MISMATCH
                          + "] set to [accept]");
                }
                warnings.add(message);
              }
              Map<String, Object> described = described(list);
              described.put("mapped", problem == null);
              lists.put(FeatureBinding.shown(name), described);
            });
    checkLists(ensemble, features, binding);
    return new CategoryBinding(
        new FeatureSet(set.name(), features, set.defaultParams()), lists, warnings);
  }

  private static boolean takesModels(FeatureDefinition feature) {
    return feature instanceof FieldFeature field
        && field.reading() instanceof FieldFeature.Reading.ModelCategories;
  }

  private static FieldFeature withList(
      FieldFeature feature, CategoryList list, FeatureDefinition before) {
    FieldFeature with;
    try {
      with = feature.with(FieldFeature.Reading.of(list));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "feature [" + FeatureBinding.shown(feature.name()) + "]: " + e.getMessage(), e);
    }
    if (!takesModels(before) && !before.equals(with)) {
      throw new IllegalArgumentException(
          "feature ["
              + FeatureBinding.shown(feature.name())
              + "]: several features of the model are bound to this feature, but their category"
              + " lists differ");
    }
    return with;
  }

  /**
   * Checks that the file contains a list of categories for each feature with {@code "categories":
   * "model"} that the model uses.
   */
  private static void checkLists(
      TreeEnsemble ensemble, List<FeatureDefinition> features, FeatureBinding binding) {
    for (int f = 0; f < binding.columns().length; f++) {
      int place = binding.columns()[f];
      if (place >= 0 && ensemble.uses(f) && takesModels(features.get(place))) {
        throw new IllegalArgumentException(
            "feature ["
                + FeatureBinding.shown(features.get(place).name())
                + "]: [categories] is [model], but the model's file has no category list for ["
                + FeatureBinding.shown(ensemble.featureNames().get(f))
                + "]");
      }
    }
  }

  /** Returns why a feature's values are not indices in a list of categories; null if they are. */
  private static @Nullable String problem(FeatureDefinition feature, CategoryList list) {
    if (!(feature instanceof FieldFeature field)) {
      return list.isCodes()
          ? null
          : "a feature of type [" + feature.type() + "] must return these indices itself";
    }
    if (!field.modifiers().normalizers().isEmpty()) {
      return "[normalize] changes the indices";
    }
    return switch (field.reading()) {
      case FieldFeature.Reading.Categories categories ->
          list.isText() && categories.names().equals(list.texts())
              ? null
              : "[categories] differs from this list" + difference(categories.names(), list);
      case FieldFeature.Reading.NumberCategories categories ->
          categories.numbers().equals(list) ? null : "[categories] differs from this list";
      case FieldFeature.Reading.Numbers numbers ->
          list.isCodes() ? null : "the feature returns the field's number itself";
      case FieldFeature.Reading.Hash hash -> list.isCodes() ? null : "the feature returns a hash";
      case FieldFeature.Reading.ModelCategories model -> null;
    };
  }

  private static String difference(List<String> names, CategoryList list) {
    int place = 0;
    while (place < Math.min(names.size(), list.size())
        && names.get(place).equals(list.text(place))) {
      place++;
    }
    return place < Math.min(names.size(), list.size())
        ? ": [" + Texts.shown(names.get(place), SHOWN_LENGTH) + "] has index " + place
        : ", because it has " + names.size() + " names";
  }

  private static Map<String, Object> described(CategoryList list) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("values", list.size());
    described.put("first", first(list));
    return described;
  }

  private static List<Object> first(CategoryList list) {
    return IntStream.range(0, Math.min(SHOWN_VALUES, list.size()))
        .mapToObj(
            code ->
                list.isText()
                    ? (Object) Texts.shown(list.text(code), SHOWN_LENGTH)
                    : (Object) list.number(code))
        .toList();
  }

  private static String shown(CategoryList list) {
    return first(list).stream().map(String::valueOf).collect(Collectors.joining(", ", "[", ""))
        + (list.size() > SHOWN_VALUES ? ", …] of " + list.size() : "]");
  }
}
