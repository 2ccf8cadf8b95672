// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.CallGraph;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.test.OpenSearchTestCase;

/** Rules for the plugin's tests themselves, so that they do not fail on a busy machine. */
public class TestRulesTests extends OpenSearchTestCase {
  private static final String RUNNABLE_ALONE =
      "(" + CheckedRunnable.class.descriptorString() + ")V";

  /** With a runnable alone, assertBusy waits for 10 s, which several nodes can need. */
  public void testTestsSayHowLongTheyWait() throws Exception {
    assertEquals(Set.of("TestRulesTests$Planted.waits"), shortWaits());
  }

  private static Set<String> shortWaits() throws Exception {
    Set<String> found = new TreeSet<>();
    for (ClassModel type : CallGraph.moduleOf(TestRulesTests.class)) {
      String name = type.thisClass().asInternalName();
      for (MethodModel method : type.methods()) {
        if (method.code().stream()
            .flatMap(code -> code.elementStream())
            .anyMatch(
                each ->
                    each instanceof InvokeInstruction call
                        && call.name().equalsString("assertBusy")
                        && call.type().equalsString(RUNNABLE_ALONE))) {
          found.add(
              name.substring(name.lastIndexOf('/') + 1) + "." + method.methodName().stringValue());
        }
      }
    }
    return found;
  }

  @SuppressWarnings("unused") // read by the rule
  private static final class Planted {
    static void waits() throws Exception {
      assertBusy(() -> {});
    }
  }
}
