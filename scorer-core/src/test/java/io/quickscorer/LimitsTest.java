// SPDX-License-Identifier: Apache-2.0
package io.quickscorer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.reader.ModelReader;
import io.quickscorer.testing.Limits;
import io.quickscorer.testing.Protections;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A limit or a protection of the library that is removed or changed is looked at. */
final class LimitsTest {
  private static final Pattern PROTECTING =
      Pattern.compile(
          "io/quickscorer/(scorer/(Workspace|Budget|Checkpoint)|ensemble/InvalidModelException)\\..*"
              + "|java/lang/Math\\.(.*Exact|min|max|clamp)|java/util/Objects\\.check.*"
              + "|.*\\.(check\\w*|charge|cancel|close|count|failure|invalid|need|step|limit)");

  private static Set<String> registered(String name, Set<String> present) throws Exception {
    return Limits.registered(Path.of("src/test/resources", name), present);
  }

  @Test
  void registryHasAllLimits() throws Exception {
    Set<String> limits = Limits.inModuleOf(ModelReader.class);
    assertEquals(
        Set.of(), Limits.differences(registered("limits.txt", limits), limits), Limits.CHANGED);
  }

  @Test
  void registryHasAllProtections() throws Exception {
    Set<String> present = Protections.inModuleOf(ModelReader.class, PROTECTING);
    assertEquals(
        Set.of(),
        Limits.differences(registered("protections.txt", present), present),
        Limits.CHANGED);
  }
}
