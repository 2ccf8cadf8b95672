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
 * A list of names and patterns, in which {@code *} matches any characters. Comparing a character
 * counts as one step of the {@link Work}. Used by one thread.
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

  /** Returns whether any of the names and patterns matches a name. */
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

  /** Returns the first name or pattern without a match so far, or null if all have matched. */
  @Nullable String unused() {
    return unused.isEmpty() ? null : unused.iterator().next();
  }

  /**
   * Returns whether a pattern matches a name. After a mismatch, the search continues at the last
   * {@code *}, which then matches one more character, so it needs no recursion.
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
