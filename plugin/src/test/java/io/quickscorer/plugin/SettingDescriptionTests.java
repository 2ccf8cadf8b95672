// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchTestCase;

/** The table of settings in the documentation, held against those that a node registers. */
public class SettingDescriptionTests extends OpenSearchTestCase {
  /** The name, and the default of those that the plugin itself registers. */
  private static final Pattern ROW =
      Pattern.compile("\\| `(quickscorer\\.[^`{]*)(?:\\{([^`}]*)})?` \\| `?([^`|]*?)`? \\|.*");

  public void testEverySettingIsDescribedWithItsDefaultAndNoOther() throws Exception {
    Map<String, String> described = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("docs", "rest", "settings.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String ends = row.group(2) == null ? "" : row.group(2);
        for (String end : ends.split(",", -1)) {
          described.put(row.group(1) + end, row.group(3));
        }
      }
    }
    Map<String, String> registered = new TreeMap<>();
    for (Setting<?> setting : new QuickScorerPlugin().getSettings()) {
      registered.put(setting.getKey(), String.valueOf(setting.getDefault(Settings.EMPTY)));
    }
    assertEquals(registered, described);
  }
}
