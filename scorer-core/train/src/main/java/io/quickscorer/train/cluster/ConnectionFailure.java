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

/** Says why a cluster could not be asked, and what to do: the JDK's own messages say little. */
final class ConnectionFailure {
  private static final String TRY = "; try ";

  private ConnectionFailure() {}

  /**
   * One line.
   *
   * @param address of the cluster
   */
  static String reason(URI address, IOException failure) {
    String said = innermost(failure);
    if (has(failure, UnresolvedAddressException.class)) {
      return "no host has the name " + address.getHost() + "; is --cluster right?";
    }
    if (has(failure, HttpConnectTimeoutException.class)) {
      return address.getAuthority()
          + " accepts no connection in time ("
          + said
          + "); does the cluster run, and is --cluster right, its port and http or https too?";
    }
    // Before a refusal, which is the JDK's cause of a connection that took too long.
    if (has(failure, HttpTimeoutException.class)) {
      return "no answer in time from " + address.getAuthority() + " (" + said + ")";
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
      return "no answer in HTTP, as from a port with TLS ("
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

  /** The message nearest to the cause; the outer ones repeat it or name classes. */
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
