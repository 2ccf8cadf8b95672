// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.ModelArgument;
import io.quickscorer.cli.page.Json;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quickscorer inspect}: describes a model file. */
@Command(
    name = "inspect",
    description = "Prints a model's format, trainer, objective, shape and features.",
    mixinStandardHelpOptions = true)
final class InspectCommand implements Callable<Integer> {
  @Mixin private ModelArgument model = new ModelArgument();

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    Map<String, Object> facts = facts(model.read());
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      out.println(Json.of(facts));
    } else {
      facts.forEach((name, value) -> out.printf(Locale.ROOT, "%-20s %s%n", name, text(value)));
    }
    out.flush();
    return 0;
  }

  private static Map<String, Object> facts(TreeEnsemble ensemble) {
    EnsembleShape shape = ensemble.shape();
    OutputTransform transform = ensemble.transform();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", ensemble.source().format().label());
    facts.put("trainer", ModelFormats.trainer(ensemble.source().format()));
    facts.put("version", ensemble.source().version());
    facts.put("objective", ensemble.source().objective());
    facts.put("accumulator", ensemble.accumulator().name().toLowerCase(Locale.ROOT));
    facts.put("initial_score", ensemble.initialScore());
    facts.put("scale", ensemble.scale());
    facts.put("bias", ensemble.bias());
    facts.put("divisor", ensemble.divisor());
    facts.put("transform", transform.kind().name().toLowerCase(Locale.ROOT));
    facts.put("transform_parameter", transform.parameter());
    facts.put("transform_divisor", transform.divisor());
    LinearTerms linear = ensemble.linear();
    facts.put("linear_terms", linear == null ? 0 : linear.size());
    facts.put("trees", shape.trees());
    facts.put("bags", ensemble.treesPerBag().length);
    facts.put("leaves", shape.leaves());
    facts.put("max_leaves", shape.maxLeaves());
    facts.put("max_depth", shape.maxDepth());
    facts.put("splits", shape.splits());
    facts.put("categorical_splits", shape.categoricalSplits());
    facts.put("zero_missing_splits", shape.zeroMissingSplits());
    facts.put("features", shape.features());
    List<String> used = used(ensemble);
    facts.put("features_used_count", used.size());
    facts.put("features_used", used);
    facts.put("feature_names", ensemble.featureNames());
    facts.put("category_lists", categoryLists(ensemble));
    facts.put("covers", hasCovers(ensemble));
    facts.put("special", special(ensemble));
    facts.put("notes", ensemble.source().notes());
    return facts;
  }

  private static boolean hasCovers(TreeEnsemble ensemble) {
    return ensemble.trees().stream().allMatch(tree -> tree.statistics().hasCovers());
  }

  /** Returns lines of text on special parts of a model, such as categorical splits. */
  private static List<String> special(TreeEnsemble ensemble) {
    EnsembleShape shape = ensemble.shape();
    OutputTransform transform = ensemble.transform();
    Map<String, Boolean> special = new LinkedHashMap<>();
    special.put("categorical splits", shape.categoricalSplits() > 0);
    special.put("zero is missing", shape.zeroMissingSplits() > 0);
    special.put(
        "the sum over the trees is shifted or scaled",
        ensemble.initialScore() != 0 || ensemble.scale() != 1 || ensemble.bias() != 0);
    special.put("the raw score is an average over trees", ensemble.divisor() != 1);
    special.put("each bag of trees is summed separately", ensemble.isBagged());
    special.put("the transformed output is an average over trees", transform.divisor() != 1);
    special.put(
        "the transformed output is not the raw score",
        transform.kind() != OutputTransform.Kind.IDENTITY);
    special.put(
        "categories are scored by their indices in category_lists",
        !ensemble.categories().isEmpty());
    special.put("no splits", shape.maxLeaves() == 1);
    return special.keySet().stream().filter(special::get).toList();
  }

  private static List<String> used(TreeEnsemble ensemble) {
    List<String> names = new ArrayList<>();
    for (int f = 0; f < ensemble.featureNames().size(); f++) {
      if (ensemble.uses(f)) {
        names.add(ensemble.featureNames().get(f));
      }
    }
    return names;
  }

  /**
   * Returns the category list of each feature, by the feature's name. A category's index in the
   * list is its code.
   */
  private static Map<String, Object> categoryLists(TreeEnsemble ensemble) {
    Map<String, Object> lists = new LinkedHashMap<>();
    ensemble
        .categories()
        .forEach(
            (feature, list) ->
                lists.put(
                    ensemble.featureNames().get(feature),
                    list.isText() ? list.texts() : numbers(list)));
    return lists;
  }

  private static List<Object> numbers(CategoryList list) {
    return IntStream.range(0, list.size())
        .mapToObj(list::number)
        .map(n -> n == Math.rint(n) ? (Object) n.longValue() : (Object) n)
        .toList();
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(", "))
        : String.valueOf(value);
  }
}
