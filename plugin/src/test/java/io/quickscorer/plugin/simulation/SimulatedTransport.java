// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.test.disruption.DisruptableMockTransport;
import org.opensearch.transport.ActionNotFoundTransportException;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.ConnectionProfile;
import org.opensearch.transport.TransportRequest;

/** A process's way to others: the server's real transport service above, the network below. */
final class SimulatedTransport extends DisruptableMockTransport {
  private final NodeTime time;
  private final Network network;
  private final NamedWriteableRegistry registry;

  /** The open connections and those that are being opened, and the processes to which they lead. */
  private final Map<Connection, SimulatedTransport> connections = new LinkedHashMap<>();

  SimulatedTransport(
      DiscoveryNode local, NodeTime time, Network network, NamedWriteableRegistry registry) {
    super(local, LogManager.getLogger(SimulatedTransport.class), time);
    this.time = time;
    this.network = network;
    this.registry = registry;
  }

  @Override
  public void openConnection(
      DiscoveryNode node, ConnectionProfile profile, ActionListener<Connection> listener) {
    Optional<SimulatedTransport> there = network.transport(node.getAddress());
    super.openConnection(
        node,
        profile,
        ActionListener.delegateFailure(
            listener,
            (opened, connection) -> {
              connections.put(connection, there.orElseThrow());
              connection.addCloseListener(
                  ActionListener.wrap(() -> connections.remove(connection)));
              opened.onResponse(connection);
            }));
  }

  /** Ends all connections from here to another process, those that are being opened, too. */
  void disconnect(SimulatedTransport there) {
    List<Connection> ending = new ArrayList<>();
    connections.forEach(
        (connection, to) -> {
          if (to == there) {
            ending.add(connection);
          }
        });
    ending.forEach(Connection::close);
  }

  @Override
  protected NamedWriteableRegistry writeableRegistry() {
    // The super constructor asks, too.
    return registry;
  }

  @Override
  protected ConnectionStatus getConnectionStatus(DiscoveryNode destination) {
    return network.status(getLocalNode().getId(), destination.getId());
  }

  @Override
  protected Optional<DisruptableMockTransport> getDisruptableMockTransport(
      TransportAddress address) {
    return network.transport(address).map(DisruptableMockTransport.class::cast);
  }

  /** Brings a message to this process. */
  @Override
  protected void execute(Runnable message) {
    time.after(network.delay(), message);
  }

  @Override
  protected void onSendRequest(
      long id, String action, TransportRequest request, DisruptableMockTransport destination) {
    ((SimulatedTransport) destination)
        .execute(() -> arrive(id, action, request, (SimulatedTransport) destination));
  }

  private void arrive(long id, String action, TransportRequest request, SimulatedTransport there) {
    switch (getConnectionStatus(there.getLocalNode())) {
      case CONNECTED -> {
        if (there.getRequestHandlers().getHandler(action) == null) {
          // The plugin is not installed there.
          execute(() -> handleRemoteError(id, new ActionNotFoundTransportException(action)));
        } else if (network.breaksConnection(action)) {
          network.note(
              "connection from %s to %s breaks, [%s] arrives late"
                  .formatted(getLocalNode().getName(), there.getLocalNode().getName(), action));
          execute(disconnected(id, there));
          there.time.after(
              network.lateness(action), () -> onConnectedDuringSend(id, action, request, there));
        } else {
          onConnectedDuringSend(id, action, request, there);
        }
      }
      case DISCONNECTED -> execute(disconnected(id, there));
      default ->
          // The sender's host repeats it until the network is whole again.
          there.time.after(network.repetition(), () -> arrive(id, action, request, there));
    }
  }

  private Runnable disconnected(long id, SimulatedTransport there) {
    return () ->
        handleError(id, new ConnectTransportException(there.getLocalNode(), "disconnected"));
  }

  /** Loses an answer: the sender learns some time later that the connection is gone. */
  @Override
  protected void onBlackholedDuringSend(long id, String action, DisruptableMockTransport there) {
    time.after(network.lateness(), disconnected(id, (SimulatedTransport) there));
  }
}
