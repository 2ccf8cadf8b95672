// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import io.quickscorer.plugin.QuickScorerPlugin;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.common.inject.spi.Element;
import org.opensearch.common.inject.spi.Elements;
import org.opensearch.common.inject.spi.InstanceBinding;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.ExecutorBuilder;

/** The actions and the thread pools of the documentation, held against those of a node. */
public class DocumentedNamesTests extends OpenSearchTestCase {
  private static final String ADMIN = "cluster:admin/quickscorer/";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static MarkdownPage page(String name) throws Exception {
    return MarkdownPage.all().stream()
        .filter(page -> page.name().equals("plugin/docs/rest/" + name))
        .findFirst()
        .orElseThrow();
  }

  /** The plugin's actions in a line: whole names, parts of names, and alternatives in braces. */
  static Set<String> actions(String line) {
    Set<String> actions = new TreeSet<>();
    CODE.matcher(line)
        .results()
        .map(code -> code.group(1))
        .filter(code -> code.matches("(cluster:(admin|monitor)/quickscorer/)?[a-z_/{},]+"))
        .filter(code -> code.contains("/"))
        .forEach(
            code -> {
              String name = code.startsWith("cluster:") ? code : ADMIN + code;
              int brace = name.indexOf('{');
              String ends = brace < 0 ? "" : name.substring(brace + 1, name.length() - 1);
              for (String end : ends.split(",")) {
                actions.add(brace < 0 ? name : name.substring(0, brace) + end);
              }
            });
    return actions;
  }

  public void testAlternativesOfActions() {
    assertEquals(
        Set.of(ADMIN + "alias/put", ADMIN + "model/get", ADMIN + "model/put"),
        actions("`cluster:admin/quickscorer/model/{put,get}` and `alias/put`, not `alias`"));
  }

  public void testThePermissionsAreTheRegisteredActions() throws Exception {
    Set<String> documented = new TreeSet<>();
    for (List<String> row : page("permissions.md").sections().getFirst().table("request")) {
      documented.addAll(actions(row.get(1)));
    }
    Set<String> registered = new TreeSet<>();
    for (Element element : Elements.getElements(new QuickScorerPlugin().createGuiceModules())) {
      if (element instanceof InstanceBinding<?> binding
          && binding.getInstance() instanceof Map.Entry<?, ?> entry) {
        registered.add(((ActionType<?>) entry.getKey()).name());
      }
    }
    assertEquals(registered, documented);
    Set<String> ofEndpoints = new TreeSet<>();
    for (MarkdownPage page : MarkdownPage.all()) {
      page.lines().stream()
          .filter(line -> line.startsWith("**Permission** "))
          .forEach(line -> ofEndpoints.addAll(actions(line)));
    }
    // Nodes send these to each other.
    registered.removeAll(actions("`model/{load,publish}` `alias/publish`"));
    assertEquals(registered, ofEndpoints);
  }

  public void testTheThreadPoolsAreTheRegisteredOnes() throws Exception {
    Set<String> kinds = new TreeSet<>();
    TreeMap<String, String> documented = new TreeMap<>();
    for (MarkdownPage.Section section : page("settings.md").sections()) {
      for (String line : section.lines()) {
        String[] cells = line.split("\\|");
        if (cells.length > 3 && cells[1].contains("thread_pool.")) {
          List<String> names = CODE.matcher(cells[1]).results().map(code -> code.group(1)).toList();
          String pool = names.getFirst().substring(0, names.getFirst().lastIndexOf('.'));
          kinds.clear();
          CODE.matcher(cells[3]).results().forEach(code -> kinds.add(code.group(1)));
          Stream<String> pools =
              pool.endsWith("KIND")
                  ? kinds.stream().map(k -> pool.replace("KIND", k))
                  : Stream.of(pool);
          pools.forEach(
              one ->
                  names.forEach(
                      name ->
                          documented.put(
                              one + name.substring(name.lastIndexOf('.')), cells[2].strip())));
        }
      }
    }
    TreeMap<String, Setting<?>> registered = new TreeMap<>();
    for (ExecutorBuilder<?> pool : new QuickScorerPlugin().getExecutorBuilders(Settings.EMPTY)) {
      pool.getRegisteredSettings().forEach(setting -> registered.put(setting.getKey(), setting));
    }
    assertEquals(registered.keySet(), documented.keySet());
    documented.forEach(
        (name, usual) -> {
          if (usual.matches("\\d+")) {
            assertEquals(name, usual, String.valueOf(registered.get(name).get(Settings.EMPTY)));
          }
        });
  }
}
