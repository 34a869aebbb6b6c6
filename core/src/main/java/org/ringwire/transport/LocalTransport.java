package org.ringwire.transport;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transport that stays within one machine, and may stand in for another one there: a node listens
 * on both, and peers of its machine find it here by what they know of it there.
 *
 * <p>What is found this way is not believed: that a peer is on this machine, and of this user, is
 * shown by the connection itself, which is made through an object that nobody else can reach. Who
 * it is, is found out by the handshake, as on every link.
 */
public interface LocalTransport extends Transport {

  /** The address for {@link #listen} that is none in particular. */
  String ANY = "*";

  /**
   * Lets processes of this machine and user find the listener of this transport by a name, until
   * {@link #stopListening}. A name that a process has left behind is taken over.
   *
   * @param name what {@link Transport#localNames} calls the other listener
   * @throws IOException if they cannot
   */
  void announce(String name) throws IOException;

  /**
   * The address that a process of this machine and user has announced by a name, or null. It may be
   * that of a process that is gone.
   */
  @Nullable String find(String name);

  /**
   * As {@link #connect(String, LinkHandler)}, but if no link can be opened, that is told to
   * somebody else, in the place of {@link LinkHandler#closed}, and the handler hears nothing.
   */
  void connect(String address, LinkHandler handler, Consumer<Throwable> failed);

  /** Whether a link is of this transport. */
  boolean owns(Link link);

  /**
   * Begins what {@link #close} does, which must follow and waits no longer than if it had been
   * called now: so two transports can be closed in the time of one.
   */
  void beginClose();
}
