// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Who asks, and whom it trusts, over real connections. */
final class ClusterOptionsTest {
  private static final String STORE_PASSWORD = "changeit";

  @TempDir private Path folder;
  private final List<String> asked = new ArrayList<>();
  private @Nullable HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  private String start(HttpServer made, String scheme) {
    server = made;
    made.createContext("/", this::answer);
    made.start();
    return scheme + "://localhost:" + made.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] body = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static ClusterOptions options(String... arguments) {
    return CommandLine.populateCommand(new ClusterOptions(), arguments);
  }

  @Test
  void userOrTokenGoAlong() throws Exception {
    String address = start(HttpServer.create(anyPort(), 0), "http");
    options("--cluster", address).client().get("/a");
    InputStream terminal = System.in;
    System.setIn(new ByteArrayInputStream("secret\n".getBytes(StandardCharsets.UTF_8)));
    try {
      options("--cluster", address + "/search/", "--user", "ann", "--password").client().get("/b");
    } finally {
      System.setIn(terminal);
    }
    Path token = Files.writeString(folder.resolve("token"), "abc\n");
    options("--cluster", address, "--token-file", token.toString()).client().get("/c");
    assertEquals(List.of("/a null", "/search/b Basic YW5uOnNlY3JldA==", "/c Bearer abc"), asked);
    for (String wrong : List.of("", "abc\ndef", "\u00e4")) {
      Files.writeString(token, wrong);
      Failure failure =
          assertThrows(
              Failure.class,
              () -> options("--cluster", address, "--token-file", token.toString()).client());
      assertEquals(
          "--token-file: " + token + " must contain one word of visible ASCII characters",
          failure.getMessage());
    }
  }

  @Test
  void secretsOfTheCommandLineAreRefused() throws Exception {
    assertThrows(
        CommandLine.ParameterException.class, () -> options("--user", "ann", "--password=secret"));
    for (String address : List.of("http://ann:secret@localhost:9200", "https://ann@localhost")) {
      Failure failure = assertThrows(Failure.class, () -> options("--cluster", address).client());
      assertEquals(
          "--cluster: the address contains a user; use --user and --password",
          failure.getMessage());
    }
    Failure both =
        assertThrows(
            Failure.class,
            () ->
                options("--cluster", "https://localhost", "--user", "ann", "--token-file", "token")
                    .client());
    assertEquals("expected either --user or --token-file, not both", both.getMessage());
  }

  @Test
  void addressesAreChecked() {
    for (String address : List.of("localhost:9200", "ftp://localhost", "http://localhost:65536")) {
      Failure failure = assertThrows(Failure.class, () -> options("--cluster", address).client());
      assertEquals(
          "--cluster: expected an address such as http://localhost:9200", failure.getMessage());
    }
  }

  @Test
  void onlyTrustedCertificatesWillDo() throws Exception {
    HttpsServer secure = HttpsServer.create(anyPort(), 0);
    Path certificate = folder.resolve("ca.pem");
    secure.setHttpsConfigurator(new HttpsConfigurator(selfSigned(certificate)));
    String address = start(secure, "https");
    options("--cluster", address, "--ca-cert", certificate.toString()).client().get("/a");
    assertEquals(List.of("/a null"), asked);
    assertThrows(
        UncheckedIOException.class, () -> options("--cluster", address).client().get("/b"));
  }

  /** What a new user meets first says what happened and what to do. */
  @Test
  void connectionsThatFailSayWhy() throws Exception {
    HttpsServer secure = HttpsServer.create(anyPort(), 0);
    secure.setHttpsConfigurator(
        new HttpsConfigurator(selfSigned(folder.resolve("unknown-ca.pem"))));
    String address = start(secure, "https");
    unanswered("unable to find valid certification path", address);
    unanswered("--ca-cert", address);
    unanswered("--cluster https://localhost", address.replace("https:", "http:"));
    secure.stop(0);
    unanswered("connection refused by localhost", address);
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerPlainly(plain));
      unanswered("--cluster http://localhost", "https://localhost:" + plain.getLocalPort());
    }
    unanswered("unknown host nowhere.invalid", "http://nowhere.invalid:9200");
  }

  /** It is the handshake that gets no answer: the system has accepted the connection. */
  @Test
  @Timeout(600)
  void aServerThatSaysNothingIsNotWaitedFor() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unanswered("does not accept connections", "https://localhost:" + silent.getLocalPort());
    }
  }

  /** As OpenSearch does to what is no HTTP. */
  private static void answerPlainly(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void unanswered(String expected, String address) throws Exception {
    ClusterClient client = options("--cluster", address).client();
    UncheckedIOException failure =
        assertThrows(UncheckedIOException.class, () -> client.get("/_plugins/_quickscorer"));
    assertTrue(failure.getMessage().contains("GET /_plugins/_quickscorer: "), failure.getMessage());
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }

  /** A server's own certificate for localhost, made by the JDK's tool. */
  private SSLContext selfSigned(Path certificate) throws Exception {
    Path store = folder.resolve("server.p12");
    keytool(
        store,
        "-genkeypair",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost",
        "-keyalg",
        "EC",
        "-validity",
        "2");
    keytool(store, "-exportcert", "-rfc", "-file", certificate.toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(Path store, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    command.addAll(Arrays.asList(arguments));
    command.addAll(
        List.of("-alias", "server", "-keystore", store.toString(), "-storepass", STORE_PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }

  @Test
  void whatIsWrongNamesTheOption() throws Exception {
    refused("--cluster: ", "--cluster", "localhost:9200");
    refused("--user: ", "--cluster", "https://localhost", "--user", "ann");
    String empty = Files.writeString(folder.resolve("empty.pem"), "").toString();
    refused("--ca-cert: ", "--cluster", "https://localhost", "--ca-cert", empty);
    refused("no such file", "--cluster", "https://localhost", "--ca-cert", empty + "x");
  }

  private static void refused(String expected, String... arguments) {
    Failure failure = assertThrows(Failure.class, () -> options(arguments).client());
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }
}
