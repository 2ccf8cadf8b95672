// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A node's key with a certificate signed by itself, and a store that trusts it, as the JDK's own
 * tool makes them.
 */
final class Certificates {
  private Certificates() {}

  /** Makes {@code node.p12} and {@code trusted.p12} in the folder. */
  static void make(Path folder, String password) throws IOException, InterruptedException {
    Path certificate = folder.resolve("node.cer");
    keytool(
        password,
        folder.resolve("node.p12"),
        List.of("-genkeypair", "-alias", "node", "-keyalg", "EC", "-groupname", "secp256r1"),
        List.of("-dname", "CN=node", "-ext", "san=ip:127.0.0.1", "-validity", "2"));
    keytool(
        password,
        folder.resolve("node.p12"),
        List.of("-exportcert", "-alias", "node"),
        List.of("-file", certificate.toString()));
    keytool(
        password,
        folder.resolve("trusted.p12"),
        List.of("-importcert", "-alias", "node", "-noprompt"),
        List.of("-file", certificate.toString()));
  }

  private static void keytool(String password, Path store, List<String> what, List<String> how)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(what);
    command.addAll(how);
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", password));
    command.addAll(List.of("-keystore", store.toString()));
    Programs.run(command);
  }

  /** Trusts what {@code trusted.p12} of the folder holds, and nobody else. */
  static SSLContext trusting(Path folder, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve("trusted.p12"))) {
      store.load(in, password.toCharArray());
    }
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context;
  }
}
