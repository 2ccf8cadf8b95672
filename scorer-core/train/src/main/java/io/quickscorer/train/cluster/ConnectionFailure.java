// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Explains why a cluster cannot be reached, because the JDK's messages often do not say why. */
final class ConnectionFailure {
  private static final String TRY = "; try ";

  private ConnectionFailure() {}

  /** Returns the reason for a failed connection, in one line. */
  static String reason(URI address, IOException failure) {
    String said = innermost(failure);
    if (has(failure, UnresolvedAddressException.class)) {
      return "unknown host " + address.getHost() + "; check --cluster";
    }
    if (has(failure, HttpConnectTimeoutException.class)) {
      return address.getAuthority()
          + " does not accept connections (timeout: "
          + said
          + "); check that the cluster runs, and that --cluster has the right port and http or"
          + " https";
    }
    // Checked before ConnectException, which is the cause of a timeout of the connection in the
    // JDK.
    if (has(failure, HttpTimeoutException.class)) {
      return "no response in time from " + address.getAuthority() + " (" + said + ")";
    }
    if (has(failure, ConnectException.class)) {
      return "connection refused by "
          + address.getAuthority()
          + "; check that the cluster runs and that --cluster is right";
    }
    if (said.contains("PKIX") || said.contains("certification path")) {
      return said + "; set the certificates to trust with --ca-cert FILE";
    }
    if (said.contains("subject alternative") || said.startsWith("No name matching")) {
      return said + "; use a host name in --cluster that the cluster's certificate contains";
    }
    boolean secure = "https".equals(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT));
    String rest = "://" + address.getRawAuthority();
    if (has(failure, SSLException.class)
        && said.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
      return "the port does not use TLS (" + said + ")" + TRY + "--cluster http" + rest;
    }
    if (!secure && (said.contains("header parser") || said.contains("EOF"))) {
      return "the response is not HTTP; perhaps the port expects TLS ("
          + said
          + ")"
          + TRY
          + "--cluster https"
          + rest;
    }
    return said;
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the message of the innermost cause, which is the most specific one. */
  private static String innermost(Throwable failure) {
    String said = failure.toString();
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at.getMessage() != null) {
        said = at.getMessage();
      }
    }
    return said;
  }
}
