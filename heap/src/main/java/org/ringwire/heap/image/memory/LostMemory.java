package org.ringwire.heap.image.memory;

/**
 * What becomes of an access to a file that its owner has made shorter, as a peer may do with the
 * memory that it shares with a node. The JVM skips the access, a read yields anything, and {@link
 * InternalError} is thrown a little later, where the thread could be stopped: that may be where it
 * has released a lock and has not yet woken who waits for that.
 *
 * <p>So who has read memory of a peer with a lock has such an error thrown before going on.
 */
public final class LostMemory {

  private LostMemory() {}

  /**
   * Throws what an access before this one has earned; takes some 20 ns.
   *
   * @throws InternalError if memory is gone that the calling thread has used
   */
  public static void check() {
    boolean _ = Thread.holdsLock(LostMemory.class); // whoever returns from native code is told
  }
}
