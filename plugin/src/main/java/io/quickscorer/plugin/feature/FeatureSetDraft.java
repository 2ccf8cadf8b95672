// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.guard.StepLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A feature set as a user uploads it: its own features, and names of features to copy from other
 * sets. The stored set has the copies, so later changes of the other sets do not affect it.
 *
 * @param name the set's name
 * @param includes the features to copy from other sets; they come first
 * @param features the set's own features
 * @param defaultParams the set's own default parameters, which take precedence over the defaults of
 *     the other sets
 * @param warnings messages about parts of the uploaded JSON that have no effect
 */
public record FeatureSetDraft(
    String name,
    List<Include> includes,
    List<FeatureDefinition> features,
    Map<String, Object> defaultParams,
    List<String> warnings) {
  /** Maximum number of entries of {@code include}, each of which names another set. */
  static final int MAX_INCLUDES = 100;

  /** Maximum number of names and patterns in one entry of {@code include}. */
  static final int MAX_PATTERNS = 100;

  /**
   * An entry of {@code include}, which selects features of another set.
   *
   * @param set the other set's name
   * @param features names of features, or patterns with {@code *}
   */
  public record Include(String set, List<String> features) {}

  public FeatureSetDraft {
    includes = List.copyOf(includes);
    features = List.copyOf(features);
    warnings = List.copyOf(warnings);
  }

  /**
   * Parses a feature set that a user wrote in JSON, as {@link FeatureSet#read(String, Input)} does.
   * The object may also contain {@code "include": [{"feature_set": ..., "features": [...]}]}; then
   * {@code features} is optional.
   *
   * @throws IllegalArgumentException naming the feature or the entry that is wrong
   */
  public static FeatureSetDraft read(String name, Input in) throws IOException {
    return FeatureSetParser.parse(name, in.map(), in::charge);
  }

  /** Returns the names of the other sets from which features are copied, each once. */
  public List<String> includedSets() {
    return includes.stream().map(Include::set).distinct().toList();
  }

  /**
   * Returns the set to store: the copied features, then this set's own features.
   *
   * @param sets the other sets, by name
   * @throws IllegalArgumentException if a pattern matches no feature; if the complete set is not
   *     valid; or if other sets have different defaults for a parameter, and this set has none
   */
  public FeatureSet complete(Map<String, FeatureSet> sets) {
    List<FeatureDefinition> all = new ArrayList<>();
    Map<String, Object> defaults = new LinkedHashMap<>();
    for (int i = 0; i < includes.size(); i++) {
      FeatureSet other = Objects.requireNonNull(sets.get(includes.get(i).set()));
      all.addAll(matching(i, other));
      other
          .defaultParams()
          .forEach(
              (param, value) -> {
                Object known = defaults.putIfAbsent(param, value);
                if (known != null && !known.equals(value) && !defaultParams.containsKey(param)) {
                  throw wrong(
                      "the included sets have the different defaults ["
                          + known
                          + "] and ["
                          + value
                          + "] for param ["
                          + param
                          + "]; set one in [default_params]");
                }
              });
    }
    all.addAll(features);
    defaults.putAll(defaultParams);
    return new FeatureSet(name, all, defaults);
  }

  private List<FeatureDefinition> matching(int place, FeatureSet other) {
    NamePatterns patterns = new NamePatterns(includes.get(place).features());
    List<FeatureDefinition> matching =
        other.features().stream().filter(feature -> patterns.match(feature.name())).toList();
    String unused = patterns.unused();
    if (unused != null) {
      throw wrong(
          "[include] number "
              + place
              + ": feature set ["
              + other.name()
              + "] has no feature ["
              + unused
              + "]");
    }
    return matching;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("feature set [" + name + "]: " + what);
  }

  /**
   * A list of names and patterns with {@code *}, which matches any characters. Each compared
   * character is one step of {@link StepLimit}, which limits the time. Used by one thread.
   */
  static final class NamePatterns {
    private final Set<String> names = new HashSet<>();
    private final List<String> patterns = new ArrayList<>();
    private final Set<String> unused;

    NamePatterns(List<String> all) {
      this.unused = new LinkedHashSet<>(all);
      for (String one : unused) {
        (one.indexOf('*') < 0 ? names : patterns).add(one);
      }
    }

    /** Returns whether any of these names and patterns matches a feature's name. */
    boolean match(String name) {
      boolean found = names.contains(name);
      if (found) {
        unused.remove(name);
      }
      for (String pattern : patterns) {
        // If the name is already matched, only patterns without a match so far need comparing.
        if ((!found || unused.contains(pattern)) && matches(pattern, name)) {
          unused.remove(pattern);
          found = true;
        }
      }
      return found;
    }

    /**
     * Returns the first of these names and patterns that has matched no name so far; null if none.
     */
    @Nullable String unused() {
      return unused.isEmpty() ? null : unused.iterator().next();
    }

    /**
     * Returns whether a pattern matches a name. Not recursive: after a mismatch, the last {@code *}
     * matches one more character.
     */
    private boolean matches(String pattern, String name) {
      int p = 0;
      int n = 0;
      int star = -1;
      int from = 0;
      while (n < name.length()) {
        StepLimit.step();
        if (p < pattern.length() && pattern.charAt(p) == '*') {
          star = p++;
          from = n;
        } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
          p++;
          n++;
        } else if (star >= 0) {
          p = star + 1;
          n = ++from;
        } else {
          return false;
        }
      }
      while (p < pattern.length() && pattern.charAt(p) == '*') {
        StepLimit.step();
        p++;
      }
      return p == pattern.length();
    }
  }
}
