// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.Work;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names, and patterns with {@code *} for any characters, sorted out once. Each compared character
 * is a step of the {@link Work}. Used by one thread.
 */
final class NamePatterns {
  private final Set<String> names = new HashSet<>();
  private final List<String> patterns = new ArrayList<>();
  private final Set<String> unused;

  NamePatterns(List<String> all) {
    this.unused = new LinkedHashSet<>(all);
    for (String one : unused) {
      (one.indexOf('*') < 0 ? names : patterns).add(one);
    }
  }

  /** Returns whether one of the patterns matches a name. */
  boolean match(String name) {
    boolean found = names.contains(name);
    if (found) {
      unused.remove(name);
    }
    for (String pattern : patterns) {
      // A pattern that has matched before need not be compared where another one has matched.
      if ((!found || unused.contains(pattern)) && matches(pattern, name)) {
        unused.remove(pattern);
        found = true;
      }
    }
    return found;
  }

  /** Returns the first pattern that has matched no name so far, or null. */
  @Nullable String unused() {
    return unused.isEmpty() ? null : unused.iterator().next();
  }

  /**
   * Returns whether a pattern matches a name. It needs no recursion: only the last {@code *} is
   * tried again, one character further on.
   */
  private boolean matches(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int from = 0;
    while (n < name.length()) {
      Work.step();
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
      Work.step();
      p++;
    }
    return p == pattern.length();
  }
}
