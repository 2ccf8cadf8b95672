// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.indices.breaker.NoneCircuitBreakerService;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpChannel;
import org.opensearch.http.HttpResponse;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.tasks.Task;
import org.opensearch.tasks.TaskListener;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/** The description of the endpoints, held against those that a node registers. */
public class OpenApiTests extends OpenSearchTestCase {
  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "delete");

  /** Bodies without which a handler reads no parameters, or others. */
  private static final Map<String, List<String>> BODIES =
      Map.of(
          "PUT " + Endpoints.BASE + "aliases/{name}",
          List.of("{\"model\": \"m\"}"),
          "POST " + Endpoints.BASE + "_import",
          List.of("{}", "{\"exported\": \"alias\"}"));

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

  /** Stands for a cluster: takes what handlers send, and answers nothing. */
  private static final class NoCluster extends NodeClient {
    NoCluster(ThreadPool threadPool) {
      super(Settings.EMPTY, threadPool);
    }

    @Override
    public String getLocalNodeId() {
      return "n";
    }

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> void doExecute(
        ActionType<R> action, Q request, ActionListener<R> listener) {}

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> Task executeLocally(
        ActionType<R> action, Q request, ActionListener<R> listener) {
      return request.createTask(1, "", action.name(), TaskId.EMPTY_TASK_ID, Map.of());
    }

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> Task executeLocally(
        ActionType<R> action, Q request, TaskListener<R> listener) {
      return request.createTask(1, "", action.name(), TaskId.EMPTY_TASK_ID, Map.of());
    }
  }

  /** A connection that tells when it is closed: the server remembers until then who searches. */
  private static final class Connection implements HttpChannel {
    private final List<ActionListener<Void>> closing = new ArrayList<>();

    @Override
    public void sendResponse(HttpResponse response, ActionListener<Void> listener) {}

    @Override
    public void addCloseListener(ActionListener<Void> listener) {
      closing.add(listener);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
      return getLocalAddress();
    }

    @Override
    public void close() {
      closing.forEach(listener -> listener.onResponse(null));
    }
  }

  /** Parameters of a request, which note what they are asked for. */
  private static final class AskedParams extends HashMap<String, String> {
    private static final long serialVersionUID = 1;

    private final transient Set<String> asked = new TreeSet<>();

    AskedParams(Map<String, String> given) {
      super(given);
    }

    @Override
    public String get(Object key) {
      asked.add((String) key);
      return super.get(key);
    }

    @Override
    public boolean containsKey(Object key) {
      asked.add((String) key);
      return super.containsKey(key);
    }
  }

  private static Set<String> namesInPath(RestHandler.Route route) {
    return Pattern.compile("\\{(\\w+)}")
        .matcher(route.getPath())
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a handler asks a request for, the names that its routes have in their paths excepted. */
  private static Set<String> asked(
      RestHandler handler, RestHandler.Route route, String body, NodeClient client)
      throws Exception {
    Map<String, String> given = new HashMap<>();
    namesInPath(route).forEach(name -> given.put(name, "n"));
    AskedParams params = new AskedParams(given);
    FakeRestRequest.Builder builder =
        new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
            .withMethod(route.getMethod())
            .withPath(route.getPath())
            .withParams(params);
    if (!body.isEmpty()) {
      builder.withContent(new BytesArray(body), MediaTypeRegistry.JSON);
    }
    RestRequest fake = builder.build();
    try (Connection connection = new Connection()) {
      RestRequest request =
          new RestRequest(
              NamedXContentRegistry.EMPTY,
              params,
              route.getPath(),
              fake.getHeaders(),
              fake.getHttpRequest(),
              connection) {};
      FakeRestChannel channel = new FakeRestChannel(request, false, 1);
      params.asked.clear(); // A channel asks for the form of the answer, whoever makes it.
      handler.handleRequest(request, channel, client);
    }
    handler.routes().forEach(each -> params.asked.removeAll(namesInPath(each)));
    return params.asked;
  }

  /** Names of parameters that a path or an operation has at that place. */
  private static Set<String> described(Map<?, ?> all, String place, Object... lists) {
    Set<String> names = new TreeSet<>();
    for (Object list : lists) {
      for (Object parameter : list == null ? List.of() : (List<?>) list) {
        Map<?, ?> found = (Map<?, ?>) parameter;
        if (found.get("$ref") instanceof String reference) {
          Map<?, ?> shared =
              OpenApiDescription.child(OpenApiDescription.child(all, "components"), "parameters");
          found =
              OpenApiDescription.child(
                  shared, reference.substring("#/components/parameters/".length()));
        }
        if (found.get("in").equals(place)) {
          names.add((String) found.get("name"));
        }
      }
    }
    return names;
  }

  public void testEveryParameterThatIsReadIsDescribedAndNoOther() throws Exception {
    ThreadPool threadPool = new TestThreadPool(getTestName());
    try {
      checkParameters(new NoCluster(threadPool));
    } finally {
      terminate(threadPool);
    }
    assertEquals(0, RestCancellableNodeClient.getNumChannels());
  }

  private static void checkParameters(NodeClient client) throws Exception {
    Map<String, Object> all = OpenApiDescription.read();
    RequestMemory memory = new RequestMemory(SearchSettings.of(Settings.EMPTY));
    new RequestMemory.Wiring(memory, new NoneCircuitBreakerService());
    Map<String, Object> read = new TreeMap<>();
    Map<String, Object> described = new TreeMap<>();
    for (RestHandler handler : Endpoints.all(() -> memory)) {
      for (RestHandler.Route route : handler.routes()) {
        String operation = route.getMethod() + " " + route.getPath();
        Map<?, ?> path =
            OpenApiDescription.child(OpenApiDescription.child(all, "paths"), route.getPath());
        Map<?, ?> method =
            OpenApiDescription.child(path, route.getMethod().name().toLowerCase(Locale.ROOT));
        List<String> bodies =
            method.containsKey("requestBody")
                ? BODIES.getOrDefault(operation, List.of("{}"))
                : List.of("");
        Set<String> asked = new TreeSet<>();
        for (String body : bodies) {
          asked.addAll(asked(handler, route, body, client));
        }
        read.put(operation, List.of(namesInPath(route), asked));
        Object[] lists = {path.get("parameters"), method.get("parameters")};
        described.put(
            operation, List.of(described(all, "path", lists), described(all, "query", lists)));
      }
    }
    String differences =
        read.keySet().stream()
            .filter(operation -> !read.get(operation).equals(described.get(operation)))
            .map(each -> each + " reads " + read.get(each) + ", not " + described.get(each) + "\n")
            .collect(Collectors.joining());
    assertEquals("", differences);
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
