// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JdkDefectsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"17.0.15+6", "21.0.11", "25", "25+36-LTS", "25.0.3+9-LTS", "26", "26.0.1+8"})
  void known(String version) {
    assertEquals(List.of("JDK-8376400"), JdkDefects.of(Runtime.Version.parse(version)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"25.0.4", "25.0.6+7-LTS", "26.0.2", "27-ea+20", "27", "28.0.1"})
  void notKnown(String version) {
    assertEquals(List.of(), JdkDefects.of(Runtime.Version.parse(version)));
  }
}
