package org.ringwire.transport.support;

/**
 * What becomes of an access to a file that its owner has made shorter. The JVM skips the access, a
 * read yields anything, and {@link InternalError} is thrown a little later, where the thread could
 * be stopped: that may be in the middle of a method of the JDK which has just taken a lock, and
 * would never give it back. The I/O thread that closes the channel would wait for that lock for
 * ever, with all other links that it serves.
 *
 * <p>So before a thread that has used the peer's memory enters the locks of a channel, or leaves to
 * where an error would not be taken for one of this link, or of the operation that has used the
 * memory, it has such an error thrown.
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
