package org.ringwire.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.ringwire.AuthenticationRequiredException;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/** Where a node lets others in: opened last, when all that answers them is there. */
final class ListenAddress {

  private ListenAddress() {}

  /**
   * Listens, and lets the connections of peers come.
   *
   * @return the address with the port that was bound
   * @throws AuthenticationRequiredException as {@link org.ringwire.Node#open(NodeConfig)}
   * @throws MessagingException if it cannot be bound
   */
  static String open(String listen, NodeServices services, Connections connections) {
    try {
      String bound = listen(listen, services, connections);
      connections.ownAddress(bound);
      return bound;
    } catch (AuthenticationRequiredException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new MessagingException(String.valueOf(e.getMessage()), e);
    }
  }

  private static String listen(String listen, NodeServices services, Connections connections)
      throws IOException {
    Transport transport = services.transport();
    boolean mustBeLocal = mustBeLocal(services.config());
    if (mustBeLocal && !transport.isLocal(listen)) {
      throw openToOthers(listen);
    }
    connections.beginListening(); // first: a peer may come, and be told, before the next line ends
    if (!mustBeLocal || !transport.mayLookUp(listen)) {
      return transport.listen(listen, connections::accept);
    }
    FoundLocal door = new FoundLocal(connections);
    String bound = transport.listen(listen, door);
    if (!transport.isLocal(bound)) { // the name was asked for once more, and is another address now
      throw openToOthers(listen + " (" + bound + ")");
    }
    door.open = true;
    return bound;
  }

  /** Lets nobody in before it is known where the node listens. */
  private static final class FoundLocal implements LinkAcceptor {

    private final Connections connections;
    private volatile boolean open;

    FoundLocal(Connections connections) {
      this.connections = connections;
    }

    @Override
    public @Nullable LinkHandler accept(String remote) {
      return open ? connections.accept(remote) : null;
    }
  }

  /** An open port is an open door: that must be asked for by name. */
  private static boolean mustBeLocal(NodeConfig config) {
    return config.tls() == null && config.authentication().isLocalOnly();
  }

  private static AuthenticationRequiredException openToOthers(String address) {
    return new AuthenticationRequiredException(
        "other machines could connect without authentication: address="
            + address
            + "; give authentication(Authentication.sharedSecret(...)) or tls(Tls.load(...)),"
            + " listen on a loopback address, or ask for Authentication.none()");
  }
}
