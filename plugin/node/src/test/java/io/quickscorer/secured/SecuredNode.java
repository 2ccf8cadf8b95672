// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * A node with the real security plugin in a data folder of its own: TLS on both layers, and the
 * users below, who have one password. Safe for use by several threads.
 */
final class SecuredNode implements AutoCloseable {
  static final Duration START = Duration.ofMinutes(5);
  private static final Path HOME = Path.of(System.getProperty("secured.home", "")).normalize();
  private static final Path SETTINGS = Path.of("src/test/secured/opensearch-security");
  private static final Path SAMPLE_ROLES = Path.of(System.getProperty("sample.roles", ""));

  /** May do everything that the security plugin lets anybody do. */
  static final String ADMIN = "admin";

  /** Has the sample role that only reads. */
  static final String MONITOR = "monitor";

  /** Has the sample role for those who deploy models, and may search. */
  static final String TRAINER = "trainer";

  /** May search the index of documents, and nothing else. */
  static final String SEARCHER = "searcher";

  /** The same under rules on documents, fields and text. */
  static final String CUSTOMER = "customer";

  /** Has every right on every index, and none on the cluster. */
  static final String INDEXER = "indexer";

  /** Has a password and nothing else. */
  static final String NOBODY = "nobody";

  /** May search the index of documents, and use models and sets whose names begin with ben-. */
  static final String TENANT = "tenant";

  static final List<String> USERS =
      List.of(ADMIN, MONITOR, TRAINER, SEARCHER, CUSTOMER, TENANT, INDEXER, NOBODY);

  private final Path data;
  private final String password;
  private final SSLContext trust;
  private RunningNode node;

  private SecuredNode(Path data, String password, SSLContext trust, RunningNode node) {
    this.data = data;
    this.password = password;
    this.trust = trust;
    this.node = node;
  }

  /** Starts a node in an empty folder, and returns when it lets users in. */
  static SecuredNode start(Path data)
      throws IOException, InterruptedException, GeneralSecurityException {
    byte[] random = new byte[12];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Path config = Files.createDirectories(data.resolve("config"));
    Certificates.make(config, password);
    writeSecuritySettings(Files.createDirectories(config.resolve("opensearch-security")), password);
    SecuredNode started =
        new SecuredNode(
            data, password, Certificates.trusting(config, password), run(data, password));
    started.awaitUsers();
    return started;
  }

  /** The plugin's own settings, but our users and roles. */
  private static void writeSecuritySettings(Path folder, String password)
      throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(HOME.resolve("plugins/opensearch-security/config"))) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.writeString(
        folder.resolve("roles.yml"),
        Files.readString(SAMPLE_ROLES) + Files.readString(SETTINGS.resolve("roles.yml")));
    Files.copy(
        SETTINGS.resolve("roles_mapping.yml"),
        folder.resolve("roles_mapping.yml"),
        StandardCopyOption.REPLACE_EXISTING);
    String hash = hash(password);
    Files.writeString(
        folder.resolve("internal_users.yml"),
        USERS.stream()
            .map(user -> user + ":\n  hash: \"" + hash + "\"\n")
            .collect(
                Collectors.joining(
                    "", "_meta:\n  type: \"internalusers\"\n  config_version: 2\n", "")));
  }

  /** As the plugin's own script makes it. */
  private static String hash(String password) throws IOException, InterruptedException {
    return Programs.run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            HOME.resolve("plugins/opensearch-security") + "/*:" + HOME.resolve("lib") + "/*",
            "org.opensearch.security.tools.Hasher",
            "-p",
            password));
  }

  private static RunningNode run(Path data, String password)
      throws IOException, InterruptedException {
    return RunningNode.start(HOME, data, List.of(), Map.of("STORE_PASSWORD", password), START);
  }

  /** The first answers are 503, until the plugin has read its index. */
  private void awaitUsers() {
    NodeClient admin = client(ADMIN);
    long end = System.nanoTime() + START.toNanos();
    while (admin.send("GET", "/", "").status() != 200) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no user was let in within " + START + ": " + node.log());
      }
      Thread.onSpinWait();
    }
  }

  /** Ends the node's process and starts another one with the same data; returns when it listens. */
  void restart() throws IOException, InterruptedException {
    node.close();
    node = run(data, password);
  }

  NodeClient client(String user) {
    return client(user, password);
  }

  NodeClient client(String user, String claimedPassword) {
    String credentials = user + ":" + claimedPassword;
    return new NodeClient(
        URI.create("https://" + node.address().getAuthority()),
        HttpClient.newBuilder().sslContext(trust),
        "Authorization",
        "Basic "
            + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  RunningNode process() {
    return node;
  }

  @Override
  public void close() {
    node.close();
  }
}
