// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.Request;
import org.opensearch.client.RestClient;
import org.opensearch.client.json.jsonb.JsonbJsonpMapper;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch.generic.Requests;
import org.opensearch.client.opensearch.generic.Response;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One of the programs by which users send searches. */
enum SearchClient {
  CURL {
    @Override
    String send(URI node, String index, String searchType, String body)
        throws IOException, InterruptedException {
      String url = node + "/" + index + "/_search?search_type=" + searchType;
      return Program.run(
          Path.of("."),
          body,
          "curl",
          "-sS",
          "-H",
          "Content-Type: application/json",
          "--data-binary",
          "@-",
          url);
    }
  },

  /** The low-level client of the Java libraries. */
  JAVA {
    @Override
    String send(URI node, String index, String searchType, String body) throws IOException {
      try (RestClient client =
          RestClient.builder(new HttpHost(node.getScheme(), node.getHost(), node.getPort()))
              .build()) {
        Request request = new Request("POST", "/" + index + "/_search");
        request.addParameter("search_type", searchType);
        request.setJsonEntity(body);
        return new String(
            client.performRequest(request).getEntity().getContent().readAllBytes(),
            StandardCharsets.UTF_8);
      }
    }
  },

  /** The Java library with types, by its generic requests. */
  JAVA_GENERIC {
    @Override
    String send(URI node, String index, String searchType, String body) throws IOException {
      try (OpenSearchTransport transport = transport(node);
          Response response =
              new OpenSearchClient(transport)
                  .generic()
                  .execute(
                      Requests.builder()
                          .endpoint("/" + index + "/_search")
                          .method("POST")
                          .query(Map.of("search_type", searchType))
                          .json(body)
                          .build())) {
        return response.getBody().orElseThrow().bodyAsString();
      }
    }
  },

  /** The client of Node.js, as {@code npm ci} installs it from the lock file. */
  NPM {
    @Override
    String send(URI node, String index, String searchType, String body)
        throws IOException, InterruptedException {
      return Program.run(
          npmProject(), body, "node", "search.mjs", node.toString(), index, searchType);
    }
  };

  private static final JsonMapper JSON = new JsonMapper();

  abstract String send(URI node, String index, String searchType, String body)
      throws IOException, InterruptedException;

  /**
   * Sends a search that must succeed; skips the calling test, saying why, where the program is not
   * installed.
   */
  JsonNode search(URI node, String index, String searchType, String body)
      throws IOException, InterruptedException {
    JsonNode answer = JSON.readTree(send(node, index, searchType, body));
    if (!answer.has("hits")) {
      throw new IOException(this + ": " + answer);
    }
    return answer;
  }

  /** A connection of the Java library with types, for the caller to close. */
  static OpenSearchTransport transport(URI node) {
    return ApacheHttpClient5TransportBuilder.builder(
            new HttpHost(node.getScheme(), node.getHost(), node.getPort()))
        .setMapper(new JsonbJsonpMapper())
        .build();
  }

  private static synchronized Path npmProject() throws IOException, InterruptedException {
    Path project = Path.of("target/npm").toAbsolutePath();
    if (!Files.exists(project.resolve("node_modules"))) {
      Files.createDirectories(project);
      try (Stream<Path> files = Files.list(Path.of("src/it/npm"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(
              file, project.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
      Program.run(
          project,
          "",
          "npm",
          "ci",
          "--no-audit",
          "--no-fund",
          "--cache",
          project.resolve("cache").toString());
    }
    return project;
  }
}
