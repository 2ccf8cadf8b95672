// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The network between the nodes of a cluster: each node is reached at a port of its own here, from
 * which bytes are forwarded to it. Who connects is seen by a header that each node's requests have.
 * Connections from one node to another can be cut in two ways, and healed. Needs no rights. Safe
 * for use by several threads.
 */
final class Links implements AutoCloseable {
  private static final String HEADER = "soak-from-";
  private static final int MAX_HEAD = 64 << 10;

  /** How connections from one node to another fare. */
  enum Fate {
    /** Bytes pass. */
    OPEN,
    /** Connections are closed, new ones too. */
    CLOSED,
    /** Connections stay, new ones are accepted, and no byte passes until they are healed. */
    SILENT
  }

  private final ServerSocket[] servers = new ServerSocket[RealCluster.NODES];
  private final @Nullable Path[] ports = new Path[RealCluster.NODES];
  private final Fate[][] fates = new Fate[RealCluster.NODES][RealCluster.NODES];
  private final Set<Connection> connections = new HashSet<>();

  Links() throws IOException {
    for (Fate[] row : fates) {
      Arrays.fill(row, Fate.OPEN);
    }
    for (int to = 0; to < RealCluster.NODES; to++) {
      ServerSocket server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
      servers[to] = server;
      int node = to;
      Thread.ofPlatform().daemon().start(() -> accept(server, node));
    }
  }

  /** Both ends of what one node has opened to another. */
  private record Connection(int from, int to, Socket opened, Socket forwarded) {
    void close() {
      for (Socket end : List.of(opened, forwarded)) {
        try {
          end.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /**
   * What a node must be started with to be reached here.
   *
   * @param file in which it writes its own transport address
   */
  List<String> settings(int node, Path file) {
    synchronized (connections) {
      ports[node] = file;
    }
    List<String> seeds = new ArrayList<>();
    for (ServerSocket server : servers) {
      seeds.add("127.0.0.1:" + server.getLocalPort());
    }
    return List.of(
        "-Ediscovery.seed_hosts=" + String.join(",", seeds),
        "-Etransport.publish_port=" + servers[node].getLocalPort(),
        "-Erequest.headers." + HEADER + node + "=x");
  }

  private void accept(ServerSocket server, int to) {
    while (!server.isClosed()) {
      try {
        Socket opened = server.accept();
        Thread.ofVirtual().start(() -> connect(opened, to));
      } catch (IOException e) {
        // Closed: the loop ends.
      }
    }
  }

  private void connect(Socket opened, int to) {
    try (opened) {
      byte[] head = new byte[MAX_HEAD];
      int length = 0;
      int from = -1;
      InputStream in = opened.getInputStream();
      while (from < 0) {
        int read = in.read(head, length, MAX_HEAD - length);
        if (read <= 0) {
          return;
        }
        length += read;
        from = from(new String(head, 0, length, StandardCharsets.ISO_8859_1));
      }
      Path file;
      synchronized (connections) {
        file = ports[to];
      }
      if (file == null || !Files.exists(file)) {
        return;
      }
      String address = Files.readAllLines(file).getFirst();
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (Socket forwarded = new Socket(InetAddress.getLoopbackAddress(), port)) {
        forward(new Connection(from, to, opened, forwarded), head, length);
      }
    } catch (IOException | InterruptedException e) {
      // One end has gone, or the link was cut: the other is closed too.
    }
  }

  private static int from(String head) {
    int at = head.indexOf(HEADER);
    return at < 0 || at + HEADER.length() == head.length()
        ? -1
        : head.charAt(at + HEADER.length()) - '0';
  }

  private void forward(Connection connection, byte[] head, int length)
      throws IOException, InterruptedException {
    connection.opened.setTcpNoDelay(true);
    connection.forwarded.setTcpNoDelay(true);
    synchronized (connections) {
      if (fates[connection.from][connection.to] == Fate.CLOSED) {
        return;
      }
      connections.add(connection);
    }
    try {
      awaitPassage(connection);
      connection.forwarded.getOutputStream().write(head, 0, length);
      Thread back =
          Thread.ofVirtual().start(() -> copy(connection, connection.forwarded, connection.opened));
      copy(connection, connection.opened, connection.forwarded);
      back.join();
    } finally {
      synchronized (connections) {
        connections.remove(connection);
      }
    }
  }

  private void copy(Connection connection, Socket from, Socket to) {
    try {
      byte[] buffer = new byte[16 << 10];
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage(connection);
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException e) {
      // As in connect.
    } finally {
      connection.close();
    }
  }

  private void awaitPassage(Connection connection) throws InterruptedException {
    synchronized (connections) {
      while (fates[connection.from][connection.to] == Fate.SILENT) {
        connections.wait();
      }
    }
  }

  /** Decides on the connections that one node opens to another, those that there are included. */
  void set(int from, int to, Fate fate) {
    List<Connection> cut = new ArrayList<>();
    synchronized (connections) {
      fates[from][to] = fate;
      if (fate == Fate.CLOSED) {
        for (Connection connection : connections) {
          if (connection.from == from && connection.to == to) {
            cut.add(connection);
          }
        }
      }
      connections.notifyAll();
    }
    cut.forEach(Connection::close);
  }

  /** All bytes pass again. */
  void heal() {
    for (int from = 0; from < RealCluster.NODES; from++) {
      for (int to = 0; to < RealCluster.NODES; to++) {
        set(from, to, Fate.OPEN);
      }
    }
  }

  @Override
  public void close() throws IOException {
    heal();
    for (ServerSocket server : servers) {
      server.close();
    }
    List<Connection> left;
    synchronized (connections) {
      left = List.copyOf(connections);
    }
    left.forEach(Connection::close);
  }
}
