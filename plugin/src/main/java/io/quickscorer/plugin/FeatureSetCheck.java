// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.QueryTemplate;
import io.quickscorer.plugin.feature.QueryText;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.NamedObjectNotFoundException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.script.ScoreScript;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptException;
import org.opensearch.script.ScriptService;
import org.opensearch.script.ScriptType;

/**
 * Checks a feature set before it is stored: parses its queries with sample values for their
 * parameters, and compiles its scripts. A fault that occurs in every request is an error. A fault
 * that may be due to the sample values is a warning. Each instance is used once, by one thread.
 *
 * @param warnings receives the warnings
 * @param fields receives the fields that the features read; some fields are not found, as {@link
 *     QueryFields} describes
 */
record FeatureSetCheck(
    FeatureSet set,
    NamedXContentRegistry registry,
    ScriptService scripts,
    RequestBudget budget,
    List<String> warnings,
    List<FieldUse> fields) {
  /** Matches {@code doc['field']} in a Painless script; the quotes may be escaped as in JSON. */
  private static final Pattern DOC_VALUES = Pattern.compile("\\bdoc\\[\\s*\\\\?['\"]([^'\"\\\\]+)");

  /**
   * A field of the index that a feature reads.
   *
   * @param values true if the feature reads the field's doc values (values by document), false if
   *     it searches the field
   */
  record FieldUse(String feature, String field, boolean values) {}

  /**
   * Checks every feature of the set.
   *
   * @throws IllegalArgumentException (400) if a feature fails in every request; the message names
   *     it
   */
  void run() {
    for (FeatureDefinition feature : set.features()) {
      try {
        check(feature);
      } catch (CircuitBreakingException | TaskCancelledException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "feature set [" + set.name() + "]: " + where(feature) + e.getMessage(), e);
      }
    }
  }

  private void check(FeatureDefinition feature) {
    feature.tell(
        new FeatureDefinition.Uses() {
          @Override
          public void field(String field, boolean values) {
            fields.add(new FieldUse(feature.name(), field, values));
          }

          @Override
          public void query(QueryTemplate template) {
            FeatureSetCheck.this.query(feature, template);
          }

          @Override
          public void script(Script script) {
            compile(feature, script);
            if (script.getType() == ScriptType.INLINE) {
              valuesOfScripts(feature, script.getIdOrCode());
            }
          }
        });
  }

  private void query(FeatureDefinition feature, QueryTemplate template) {
    Map<String, Object> sample = template.sample(set.defaultParams(), QueryTemplate.SAMPLE);
    try {
      QueryBuilder query = QueryText.parse(template, sample, registry, budget);
      QueryFields used = QueryFields.of(query);
      used.searched().forEach(field -> fields.add(new FieldUse(feature.name(), field, false)));
      used.values().forEach(field -> fields.add(new FieldUse(feature.name(), field, true)));
      valuesOfScripts(feature, template.source());
    } catch (CircuitBreakingException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (template.parameters().isEmpty() || isUnknown(e)) {
        throw new IllegalArgumentException("[query]: " + e.getMessage(), e);
      }
      warnings.add(
          where(feature)
              + "the query is not valid with sample values for its parameters: "
              + e.getMessage());
    }
  }

  private void valuesOfScripts(FeatureDefinition feature, String text) {
    DOC_VALUES
        .matcher(text)
        .results()
        .map(found -> new FieldUse(feature.name(), found.group(1), true))
        .distinct()
        .forEach(fields::add);
  }

  /**
   * Returns whether a query failed because its type does not exist. Returns false if a parameter
   * contains the type: then only the parameter's sample value is wrong.
   */
  private static boolean isUnknown(Throwable failure) {
    Throwable unknown = ExceptionsHelper.unwrap(failure, NamedObjectNotFoundException.class);
    return unknown != null
        && !String.valueOf(failure.getMessage()).contains("[" + QueryTemplate.SAMPLE + "]");
  }

  private void compile(FeatureDefinition feature, Script script) {
    try {
      scripts.compile(script, ScoreScript.CONTEXT);
    } catch (ScriptException e) {
      throw new IllegalArgumentException("[script]: " + message(e), e);
    } catch (RuntimeException e) {
      // Only status 400 is a fault of the script's text. Other causes are a missing stored script,
      // or too many recent compilations.
      if (ExceptionsHelper.status(e) == RestStatus.BAD_REQUEST) {
        throw new IllegalArgumentException("[script]: " + e.getMessage(), e);
      }
      warnings.add(where(feature) + "[script] is not checked: " + e.getMessage());
    }
  }

  /** Returns the script compiler's message, followed by the faulty lines of the script. */
  private static String message(ScriptException e) {
    Throwable cause = e.getCause();
    List<String> lines = e.getScriptStack();
    return (cause == null ? e.getMessage() : cause.getMessage())
        + (lines.isEmpty() ? "" : " at: " + String.join(" ", lines));
  }

  private static String where(FeatureDefinition feature) {
    return "feature [" + feature.name() + "]: ";
  }
}
