// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regular expressions that backtrack or repeat a group are told from those that are linear. */
final class SlowPatternsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\{.*\"x\"\\s*:.*\\}",
        "(a+)+b",
        "\\s+$",
        "\\bdoc\\s*\\.?\\s*(?:get)?\\s*\\[",
        "\\[(\\s*+[0-9]++,?)*\\]",
        "(?:a|b){2,}",
        "/+$",
        "id\\s*\\W*:"
      })
  void slowExpressionsAreFound(String expression) {
    assertTrue(SlowPatterns.isSlow(expression));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\b[a-z]++:", "\\s", "(a|b)?[)*]c*"})
  void linearExpressionsAreNotFound(String expression) {
    assertFalse(SlowPatterns.isSlow(expression));
  }
}
