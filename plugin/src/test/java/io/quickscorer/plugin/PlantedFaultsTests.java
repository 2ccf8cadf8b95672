// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.quickscorer.testing.PlantedFaults;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.tests.util.LuceneTestCase.SuppressFileSystems;
import org.apache.lucene.tests.util.TimeUnits;
import org.junit.runner.JUnitCore;
import org.opensearch.test.OpenSearchTestCase;

/** The list of planted faults fits the code; with {@code -Pplanted}, the tests find all of them. */
@SuppressFileSystems("*")
@TimeoutSuite(millis = 60 * TimeUnits.MINUTE)
public class PlantedFaultsTests extends OpenSearchTestCase {
  private static PlantedFaults faults() throws Exception {
    return new PlantedFaults(Path.of("").toAbsolutePath(), JUnitCore.class);
  }

  public void testListFitsTheCode() throws Exception {
    assertEquals(List.of(), faults().outdated());
  }

  public void testTestsFindAll() throws Exception {
    assumeTrue("with -Pplanted", Boolean.getBoolean("planted"));
    assertEquals(List.of(), faults().unfound(createTempDir()));
  }
}
