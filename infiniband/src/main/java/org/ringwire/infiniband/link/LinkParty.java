package org.ringwire.infiniband.link;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;

/**
 * One end of a link, whatever carries its data: what {@link LinkSetUp} makes and {@link LinkEnd}
 * ends.
 */
public interface LinkParty {

  /** What carries the data. */
  Engine engine();

  /** The connection over TCP beside it. */
  LinkSetUp setUp();

  /** Goes inside: then nothing ends before {@link #leave}, which follows whatever the result. */
  boolean enter();

  /** Goes out again. */
  void leave();

  /** Makes this end, once; inside. */
  Terms create();

  /** Makes this end, which is created, ready for the peer's, once; inside. */
  void connect(Terms peer);

  /** Both ends are ready, and this is the opener's; inside. */
  void sayReady() throws IOException;

  /** Begins to end; any thread. */
  void close();

  /** Closes because of a failure; any thread. */
  void fail(Throwable failure);

  /** The connection over TCP has ended; any thread. */
  void setUpEnded(@Nullable Throwable failure);

  /** How it ends; the thread that drives ends. */
  LinkEnd end();

  /** The peer's address, for people; any thread. */
  String remote();

  /** Whether it was ever open; any thread. */
  boolean isOpened();

  /** Whether it closes; any thread. */
  boolean isClosing();

  /** Whether nobody is inside, nor will be; any thread. */
  boolean isClosed();

  /** Whether there is nobody, or nothing, to say farewell to; the thread that drives ends. */
  boolean endsAbruptly();

  /** The last call of the handler, when nobody is inside; the thread that drives ends. */
  void tellEnd();
}
