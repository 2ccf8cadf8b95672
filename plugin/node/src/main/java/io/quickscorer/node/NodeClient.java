// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import io.quickscorer.train.cluster.ClusterClient;
import java.net.URI;
import java.net.http.HttpClient;

/** A client that sends JSON requests over HTTP to one node. */
public final class NodeClient extends ClusterClient {
  public NodeClient(URI address) {
    this(address, HttpClient.newBuilder());
  }

  /**
   * Creates a client with connection settings and headers.
   *
   * @param http settings of the connection, such as trusted certificates
   * @param headers the headers of each request: a name, then its value, then the next name, and so
   *     on
   */
  public NodeClient(URI address, HttpClient.Builder http, String... headers) {
    super(address, http, headers);
  }
}
