package org.ringwire.transport.tls;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.support.EndedLink;

/**
 * How a {@link TlsLink} ends: whether it does, why, and what the peer is told of it. Any thread,
 * but for the farewell, which the holder of the {@link WritingRole} says.
 *
 * <p>Without close_notify a stream is truncated, which is a failure, unless this side had closed
 * before. So a link that is closed says it, and one that fails an alert in its place.
 *
 * <p>Of several causes the first counts. It is written before the end begins, so who sees that it
 * has begun knows why, if there is a reason beside that somebody wanted it.
 */
final class TlsEnd {

  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private volatile boolean foreignPeer;
  private boolean farewellAppended; // the holder of the role

  /** Whether nothing that comes counts any more, and nothing is sent but the farewell. */
  boolean hasBegun() {
    return begun.get();
  }

  /** Begins the end; whether it had not begun before. */
  boolean begin() {
    return begun.compareAndSet(false, true);
  }

  /** Why the link ends, unless that is known already; {@link #begin} follows. */
  void because(Throwable why) {
    cause.compareAndSet(null, why); // pairs with the reads of who sees that the end has begun
  }

  /** Why the link ends; null if somebody wanted it. */
  @Nullable Throwable cause() {
    return cause.get();
  }

  /**
   * Why nothing can be written any more: what the peer has said, above all, is not to be hidden.
   */
  IOException exception() {
    return EndedLink.exception(cause.get()); // written before the end has begun
  }

  // The farewell.

  /** The peer does not speak TLS, and is told in plain. */
  void ofForeignPeer() {
    foreignPeer = true;
  }

  /**
   * By the holder of the role: adds the farewell to what is written, once.
   *
   * @param output null if there is none yet, and so nothing to say
   * @return whether the medium has taken all of it, and may be closed
   */
  boolean isFarewellSaid(@Nullable TlsOutput output) throws IOException {
    if (output != null && !farewellAppended) {
      farewellAppended = true;
      if (foreignPeer) {
        output.appendPlainAlert();
      } else {
        output.appendFarewell();
      }
    }
    return output == null || output.flushAndRest();
  }
}
