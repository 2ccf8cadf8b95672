// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.opensearch.ingest.ConfigurationUtils.newConfigurationException;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.search.pipeline.Processor;

/**
 * Reads the configuration of a search pipeline's processor: {@code window_size}, {@code
 * params_from}, {@code index}, {@code share}, and the options of a rescore clause. Unknown fields
 * are errors.
 */
final class RankingOptionsReader {
  private static final int MAX_CLAUSE_BYTES = 16 << 20;

  private static final String TYPE = ClauseProcessor.TYPE;
  private static final String WINDOW_SIZE = "window_size";
  private static final String PARAMS_FROM = "params_from";
  private static final String INDEX = "index";
  private static final String SHARE = "share";

  /** The fields of a processor's configuration that are not options of its clause. */
  static final Set<String> FIELDS = Set.of(WINDOW_SIZE, PARAMS_FROM, INDEX, SHARE);

  private RankingOptionsReader() {}

  /**
   * Reads the options in a processor's configuration.
   *
   * @param config the configuration, from which each field is removed when it is read
   * @param ignoreFailure whether searches run without ranking if their model does not exist
   * @param models checks that the clause's models exist, when a pipeline is stored
   */
  static RankingOptions read(
      Map<String, Object> config,
      @Nullable String tag,
      boolean ignoreFailure,
      ModelLookup models,
      Processor.PipelineContext pipeline)
      throws IOException {
    Map<String, Object> own = new HashMap<>(config);
    own.keySet().retainAll(FIELDS);
    Map<String, Object> fields = new HashMap<>(config);
    fields.keySet().removeAll(FIELDS);
    config.clear();
    int windowSize =
        take(
            own,
            tag,
            WINDOW_SIZE,
            EnsembleRescorerBuilder.DEFAULT_WINDOW_SIZE,
            RankingOptionsReader::count);
    Map<String, ParamSource> params =
        take(own, tag, PARAMS_FROM, Map.of(), RankingOptionsReader::sources);
    RankingOptions.Traffic traffic =
        new RankingOptions.Traffic(
            take(own, tag, INDEX, List.of(), RankingOptionsReader::strings),
            take(own, tag, SHARE, 1.0, RankingOptionsReader::share));
    RankingOptions options = new RankingOptions(clause(fields, tag), windowSize, params, traffic);
    try {
      options.clause().checkWindow(windowSize);
    } catch (IllegalArgumentException e) {
      throw wrong(tag, "stages", String.valueOf(e.getMessage()));
    }
    if (options.clause().names().shareKey() != null) {
      throw wrong(
          tag,
          "share_key",
          "is not allowed in a pipeline; set it in each search, in [ext] or as [preference]");
    }
    if (pipeline.getPipelineSource() == Processor.PipelineSource.VALIDATE_PIPELINE) {
      // Checked only when the pipeline is stored. Later, a model may be missing temporarily, and
      // searches then fail or wait.
      options.clause().allNames().forEach(name -> check(name, ignoreFailure, models));
    }
    return options;
  }

  private static void check(String name, boolean ignoreFailure, ModelLookup models) {
    try {
      models.pin(name);
    } catch (ResourceNotFoundException e) {
      if (!ignoreFailure) {
        throw e;
      }
      HeaderWarning.addWarning(
          "{}; searches are not ranked until the model exists", e.getMessage());
    }
  }

  /** Returns the exception for a wrong field {@code property} of a processor's configuration. */
  static RuntimeException wrong(@Nullable String tag, String property, String reason) {
    return newConfigurationException(TYPE, tag, property, reason);
  }

  private static <T> T take(
      Map<String, Object> config,
      @Nullable String tag,
      String property,
      T absent,
      Function<Object, T> reading) {
    Object value = config.get(property);
    try {
      return value == null ? absent : reading.apply(value);
    } catch (IllegalArgumentException e) {
      throw wrong(tag, property, String.valueOf(e.getMessage()));
    }
  }

  private static int count(Object value) {
    if (!(value instanceof Integer count) || count < 1) {
      throw new IllegalArgumentException("expected a whole number, 1 or more");
    }
    return count;
  }

  private static double share(Object value) {
    if (!(value instanceof Number number)
        || !(number.doubleValue() > 0)
        || !(number.doubleValue() <= 1)) {
      throw new IllegalArgumentException("expected a number above 0 and at most 1");
    }
    return number.doubleValue();
  }

  private static List<String> strings(Object value) {
    List<?> list = value instanceof List<?> several ? several : List.of(value);
    if (list.isEmpty() || !list.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException("expected a string or a list of strings");
    }
    return list.stream().map(String.class::cast).toList();
  }

  private static Map<String, ParamSource> sources(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("expected an object");
    }
    Map<String, ParamSource> sources = new TreeMap<>();
    map.forEach(
        (name, source) -> {
          StepLimit.step();
          sources.put(String.valueOf(name), source(name, source));
        });
    return sources;
  }

  private static ParamSource source(Object name, Object value) {
    if (value instanceof Map<?, ?> map && map.size() == 1) {
      Object types = map.get("query_text");
      if (types != null) {
        return new ParamSource.QueryText(strings(types));
      }
      if (map.get("path") instanceof String path) {
        return ParamSource.Path.parse(path);
      }
    }
    throw new IllegalArgumentException(
        "[" + name + "] must be {\"query_text\": [types of queries]} or {\"path\": \"a.b\"}");
  }

  /** Reads the clause's options from the remaining fields of a processor's configuration. */
  private static ClauseOptions clause(Map<String, Object> fields, @Nullable String tag)
      throws IOException {
    try {
      return ClauseOptions.read(BoundedContent.json(MAX_CLAUSE_BYTES, json -> json.map(fields)));
    } catch (IllegalArgumentException e) {
      // The message already contains the name of the field, so no property is passed.
      throw newConfigurationException(TYPE, tag, null, String.valueOf(e.getMessage()));
    }
  }
}
