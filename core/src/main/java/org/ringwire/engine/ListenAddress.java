package org.ringwire.engine;

import java.io.IOException;
import org.ringwire.AuthenticationRequiredException;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.services.NodeServices;

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
      checkWhoMayConnect(listen, services);
      connections
          .beginListening(); // first: a peer may come, and be told, before the next line ends
      String bound = services.transport().listen(listen, connections::accept);
      connections.ownAddress(bound);
      return bound;
    } catch (AuthenticationRequiredException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new MessagingException(String.valueOf(e.getMessage()), e);
    }
  }

  /** An open port is an open door: that must be asked for by name. */
  private static void checkWhoMayConnect(String listen, NodeServices services) {
    NodeConfig config = services.config();
    if (config.tls() == null
        && config.authentication().isLocalOnly()
        && !services.transport().isLocal(listen)) {
      throw new AuthenticationRequiredException(
          "other machines could connect without authentication: address="
              + listen
              + "; give authentication(Authentication.sharedSecret(...)) or tls(Tls.load(...)),"
              + " listen on a loopback address, or ask for Authentication.none()");
    }
  }
}
