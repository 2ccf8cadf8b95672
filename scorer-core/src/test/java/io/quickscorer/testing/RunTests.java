// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes of JUnit 5 in this JVM. */
public final class RunTests {
  private RunTests() {}

  /**
   * Exits with 0 if tests ran and none failed.
   *
   * @param classes the names of the classes
   */
  public static void main(String[] classes) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(classes).map(name -> selectClass(name)).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true));
    System.exit(
        summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
