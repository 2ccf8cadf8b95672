// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options for the address of the cluster and for the user. */
final class ClusterOptions {
  @Option(
      names = "--cluster",
      paramLabel = "URL",
      description = "Address of the cluster, for example https://search.example.com:9200.")
  private @Nullable URI address;

  @Option(names = "--user", paramLabel = "NAME", description = "User for basic authentication.")
  private @Nullable String user;

  @Option(
      names = "--password",
      arity = "0",
      interactive = true,
      description = "Prompts for the user's password; or set the variable QUICKSCORER_PASSWORD.")
  private char @Nullable [] password;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file with a bearer token; or set the variable QUICKSCORER_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca-cert",
      paramLabel = "FILE",
      description = "Certificates (PEM) to trust, instead of the JVM's.")
  private @Nullable Path certificates;

  boolean isGiven() {
    return address != null;
  }

  /** Returns a client of the cluster that the options name. */
  ClusterClient client() throws Failure {
    return client("--cluster", address);
  }

  /**
   * Returns a client of another cluster, with the user name and password of the options.
   *
   * @param option the option with the address
   * @param to the address of the other cluster
   */
  ClusterClient client(String option, @Nullable URI to) throws Failure {
    if (to == null
        || to.getHost() == null
        || to.getPort() > 0xFFFF
        || !String.valueOf(to.getScheme()).startsWith("http")) {
      throw Failure.usage(option + ": expected an address such as http://localhost:9200");
    }
    if (to.getUserInfo() != null) {
      throw Failure.usage(option + ": the address contains a user; use --user and --password");
    }
    if (user != null && tokenFile != null) {
      throw Failure.usage("expected either --user or --token-file, not both");
    }
    HttpClient.Builder http = HttpClient.newBuilder();
    SSLContext trusted = trusted();
    if (trusted != null) {
      http.sslContext(trusted);
    }
    String authorization = authorization(to);
    return authorization == null
        ? new ClusterClient(to, http)
        : new ClusterClient(to, http, "Authorization", authorization);
  }

  private @Nullable String authorization(URI to) throws Failure {
    String token = System.getenv("QUICKSCORER_TOKEN");
    Path file = tokenFile;
    if (file != null) {
      try {
        token = Files.readString(file).strip();
      } catch (IOException e) {
        throw Failure.io(file, e);
      }
    }
    if (token != null && (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c <= '~'))) {
      throw Failure.usage(
          (file == null ? "QUICKSCORER_TOKEN" : "--token-file: " + file)
              + " must contain one word of visible ASCII characters");
    }
    if (user == null && token == null) {
      return null;
    }
    if (!to.getScheme().toLowerCase(Locale.ROOT).equals("https")) {
      System.err.println("--cluster: without https, the password or token is sent unencrypted");
    }
    if (user == null) {
      return "Bearer " + token;
    }
    String secret = password == null ? System.getenv("QUICKSCORER_PASSWORD") : new String(password);
    if (secret == null) {
      throw Failure.usage("--user: expected --password or the variable QUICKSCORER_PASSWORD");
    }
    byte[] pair = (user + ":" + secret).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private @Nullable SSLContext trusted() throws Failure {
    Path file = certificates;
    if (file == null) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate trusted : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + number++, trusted);
      }
      if (number == 0) {
        throw Failure.usage("--ca-cert: " + file + " contains no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (GeneralSecurityException e) {
      throw Failure.usage("--ca-cert: " + file + ": " + e.getMessage());
    }
  }
}
