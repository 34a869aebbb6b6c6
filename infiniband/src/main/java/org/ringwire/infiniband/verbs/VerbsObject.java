package org.ringwire.infiniband.verbs;

import java.util.function.LongFunction;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsException;

/**
 * Something that the library made. Its address is zero from its end on, so that a late call fails
 * instead of touching freed memory; that is a help, not a guarantee, for calls of other threads:
 * whoever closes it must know that nobody uses it any more.
 */
abstract class VerbsObject implements AutoCloseable {

  private final Device owner;
  private final Verbs.Release release;
  private volatile long handle;

  VerbsObject(Device owner, Verbs.Release release, long handle) {
    this.owner = owner;
    this.release = release;
    this.handle = handle;
  }

  /**
   * The object for what the library has just made, which the caller closes. If there is no heap for
   * it, what the library made is ended again.
   *
   * @param maker makes the object; the first argument, since a lambda needs heap, too
   * @param handle the address of what the library made
   */
  static <T extends VerbsObject> T made(LongFunction<T> maker, Verbs.Release release, long handle) {
    boolean known = false;
    try {
      T object = maker.apply(handle);
      object.owner().opened(object);
      known = true;
      object.begun();
      return object;
    } finally {
      if (!known) {
        release.run(handle);
      }
    }
  }

  /**
   * The address of what the library made.
   *
   * @throws IllegalStateException if it is closed
   */
  final long handle() {
    long address = handle;
    if (address == 0) {
      throw new IllegalStateException("closed: " + this);
    }
    return address;
  }

  /** Whether {@link #close} was called. */
  public final boolean isClosed() {
    return handle == 0;
  }

  final Device owner() {
    return owner;
  }

  /**
   * Ends it; a second call does nothing.
   *
   * @throws VerbsException if something that was made from it is open; it stays open, too
   */
  @Override
  public void close() {
    synchronized (this) {
      long address = handle;
      if (address == 0) {
        return;
      }
      release.run(address);
      handle = 0;
    }
    owner.closed(this);
    released();
  }

  /** Called once, when the device has it; needs no heap. */
  void begun() {}

  /** Called once, when the device has let go. */
  void released() {}
}
