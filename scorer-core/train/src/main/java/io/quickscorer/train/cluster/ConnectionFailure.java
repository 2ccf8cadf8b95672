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

/**
 * Explains why a cluster cannot be reached, and what to do, because the JDK's messages say little.
 */
final class ConnectionFailure {
  private static final String TRY = "; try ";

  private ConnectionFailure() {}

  /**
   * Returns the reason in one line.
   *
   * @param address of the cluster
   */
  static String reason(URI address, IOException failure) {
    String said = innermost(failure);
    if (has(failure, UnresolvedAddressException.class)) {
      return "unknown host " + address.getHost() + "; is --cluster right?";
    }
    if (has(failure, HttpConnectTimeoutException.class)) {
      return address.getAuthority()
          + " does not accept connections (timeout: "
          + said
          + "); does the cluster run, and is --cluster right, its port and http or https too?";
    }
    // Checked before a refusal, which the JDK gives as the cause of a connection timeout.
    if (has(failure, HttpTimeoutException.class)) {
      return "no response in time from " + address.getAuthority() + " (" + said + ")";
    }
    if (has(failure, ConnectException.class)) {
      return "connection refused by "
          + address.getAuthority()
          + "; does the cluster run, and is --cluster right?";
    }
    if (said.contains("PKIX") || said.contains("certification path")) {
      return said + "; --ca-cert FILE names the certificates to trust";
    }
    if (said.contains("subject alternative") || said.startsWith("No name matching")) {
      return said + "; --cluster must have a name that is in the cluster's certificate";
    }
    boolean secure = "https".equals(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT));
    String rest = "://" + address.getRawAuthority();
    if (has(failure, SSLException.class)
        && said.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
      return "the port does not speak TLS (" + said + ")" + TRY + "--cluster http" + rest;
    }
    if (!secure && (said.contains("header parser") || said.contains("EOF"))) {
      return "the response is not HTTP; the port may expect TLS ("
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

  /** Returns the innermost message; outer ones repeat it or name classes. */
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
