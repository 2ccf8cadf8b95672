// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.settings.Settings;
import org.opensearch.rest.RestHandler;
import org.opensearch.test.OpenSearchTestCase;

/** The description of the endpoints, held against those that a node registers. */
public class OpenApiTests extends OpenSearchTestCase {
  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "delete");

  public void testEveryRouteIsDescribedAndNoOther() throws Exception {
    Set<String> registered = new TreeSet<>();
    for (RestHandler handler :
        new QuickScorerPlugin()
            .getRestHandlers(Settings.EMPTY, null, null, null, null, null, () -> null)) {
      for (RestHandler.Route route : handler.routes()) {
        registered.add(route.getMethod() + " " + route.getPath());
      }
    }
    Set<String> described = new TreeSet<>();
    Set<Object> operations = new TreeSet<>();
    ((Map<?, ?>) OpenApiDescription.read().get("paths"))
        .forEach(
            (path, item) ->
                ((Map<?, ?>) item)
                    .forEach(
                        (method, operation) -> {
                          if (METHODS.contains(method)) {
                            described.add(((String) method).toUpperCase(Locale.ROOT) + " " + path);
                            Object id = ((Map<?, ?>) operation).get("operationId");
                            assertTrue(id + " stands there once", operations.add(id));
                          }
                        }));
    assertEquals(registered, described);
  }

  public void testReferencesLeadSomewhere() throws Exception {
    Map<String, Object> all = OpenApiDescription.read();
    List<String> references = new ArrayList<>();
    collect(all, references);
    assertFalse(references.isEmpty());
    for (String reference : references) {
      Object place = all;
      for (String step : reference.substring("#/".length()).split("/")) {
        assertTrue(reference, place instanceof Map<?, ?> map && map.containsKey(step));
        place = ((Map<?, ?>) place).get(step);
      }
    }
  }

  /** A comma in a text without quotes makes the rest of the text a key, which nobody notices. */
  public void testKeysAreThoseOfTheSpecification() throws Exception {
    Map<String, Object> all = OpenApiDescription.read();
    checkKeys("", all);
  }

  private static void checkKeys(String path, Object value) {
    if (value instanceof Map<?, ?> map) {
      boolean described = map.get("description") instanceof String;
      map.forEach(
          (key, inner) -> {
            assertFalse(path + " " + key + " has no value", described && inner == null);
            checkKeys(path + "/" + key, inner);
          });
    } else if (value instanceof List<?> list) {
      list.forEach(inner -> checkKeys(path, inner));
    }
  }

  private static void collect(Object value, List<String> references) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (key, inner) -> {
            if (key.equals("$ref")) {
              references.add((String) inner);
            } else {
              collect(inner, references);
            }
          });
    } else if (value instanceof List<?> list) {
      list.forEach(inner -> collect(inner, references));
    }
  }
}
