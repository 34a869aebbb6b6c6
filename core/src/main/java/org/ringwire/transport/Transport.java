package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * Moves bytes between nodes, reliably and in order per link. Knows nothing of messages: the five
 * methods of the DXNet paper (section III-C) are {@link Link#write} (signal and pull), {@link
 * LinkHandler#received} (push), {@link #connect} and {@link Link#close}.
 *
 * <p>All methods may be called from any thread and do not block for long; {@link #close} waits for
 * the threads of the transport, for a bounded time.
 */
public interface Transport extends AutoCloseable {

  /**
   * Starts to accept links.
   *
   * @return the address really bound, in the form that {@link #connect} takes
   * @throws IOException if the address cannot be bound; the message names it
   */
  String listen(String address, LinkAcceptor acceptor) throws IOException;

  /**
   * Starts to open a link; host names are resolved now. The outcome is {@link LinkHandler#opened}
   * or {@link LinkHandler#closed}, on a thread of the transport or, for an immediate outcome, on
   * the calling thread.
   */
  void connect(String address, LinkHandler handler);

  /**
   * The same to who has opened a link that this side has accepted, and over which something has
   * come: what its two ends know of each other may save them some work. That the address leads
   * there is the caller's claim.
   *
   * @param accepted of this transport
   */
  default void connectBack(String address, Link accepted, LinkHandler handler) {
    connect(address, handler);
  }

  /**
   * Whether {@link #connect} to an address may wait for a name server. The node then calls it on a
   * thread of its own, as who wants to connect may not wait, or not for so long. Does not wait
   * itself, and never throws because of the address.
   */
  default boolean mayLookUp(String address) {
    return false;
  }

  /**
   * Whether only processes of this machine can connect to an address. May wait for a name server.
   */
  default boolean isLocal(String address) {
    return false;
  }

  /**
   * What processes of this machine call a listener by its address: names of the listeners that a
   * connection to the address may lead to, the nearest first. The first name of the address that
   * {@link #listen} returned is the name of that listener. Empty if the address leads to another
   * machine, or nobody can tell, or the medium has no such names. May wait for a name server; never
   * throws because of the address.
   */
  default List<String> localNames(String address) {
    return List.of();
  }

  /**
   * Memory for the send ring of a link; a medium that needs special memory supplies it. The arena
   * is made for it. A link that was idle frees it, with the arena, when the medium has completed
   * all that was sent, and asks for new memory when it sends again.
   *
   * @param link of this transport
   */
  default MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    return arena.allocate(capacity, 64);
  }

  /** Frees some of the memory that lies idle; called every few seconds. */
  default void trim() {}

  /**
   * Looks after what others may take away while this transport has it, such as files that peers
   * find it by; called twice a second at least, by one thread at a time.
   */
  default void upkeep() {}

  /**
   * What this transport has done since it was opened, by names of its own: figures that only grow,
   * read one after the other. Also after the close.
   */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /**
   * Stops accepting; links that exist go on. Called once more after an {@link OutOfMemoryError},
   * and then does what is left of it.
   */
  void stopListening();

  /**
   * Closes every link, without draining, and ends the transport's threads. Called once more after
   * an {@link OutOfMemoryError}, and then does what is left of it; may be called again in any case.
   */
  @Override
  void close();
}
