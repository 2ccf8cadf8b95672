// SPDX-License-Identifier: Apache-2.0
package io.quickscorer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.reader.ModelReader;
import io.quickscorer.testing.Limits;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A limit of the library that is removed or changed is looked at. */
final class LimitsTest {
  @Test
  void registryHasAllLimits() throws Exception {
    Set<String> limits = Limits.inModuleOf(ModelReader.class);
    assertEquals(Limits.registered(Path.of("src/test/resources/limits.txt"), limits), limits);
  }
}
