package org.ringwire.engine.connection.link;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.ringwire.EndReason;
import org.ringwire.transport.Link;

/**
 * How a link comes to its end from this side, and why. Any thread. One that ends before it has
 * begun to speak says nothing, whenever it comes: {@link #trySpeak} and {@link #tryMute} decide.
 */
public final class SessionEnd {

  private enum Stage {
    SILENT,
    SPEAKING,
    MUTED,
    UNSAID,
    ENDING
  }

  private final DataPath data;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.SILENT);
  private volatile @Nullable Link link;
  private volatile @Nullable String cause; // after the reason
  private volatile EndReason reason = EndReason.LINK_LOST;
  private volatile boolean explained; // after both
  private boolean left; // guarded by the lock of the connection

  /** Not begun; of the link that is the way of these data. */
  public SessionEnd(DataPath data) {
    this.data = data;
  }

  /** The link is about to say something; false if it must not. */
  public boolean trySpeak() {
    return stage.compareAndSet(Stage.SILENT, Stage.SPEAKING);
  }

  /** The link will say nothing, and the caller begins its end; false if it speaks, or ends. */
  public boolean tryMute() {
    return stage.compareAndSet(Stage.SILENT, Stage.MUTED);
  }

  /** Whether the link has begun to say something, and does not end yet. */
  public boolean isSpeaking() {
    return stage.get() == Stage.SPEAKING;
  }

  /** The link is there, and is closed if it came too late. */
  public void opened(Link openedLink) {
    link = openedLink;
    if (isBegun()) {
      openedLink.close();
    }
  }

  /** The cause, unless there is one already. */
  public void because(String why) {
    if (cause == null) {
      cause = why;
    }
  }

  /** What this side, or the peer by a CLOSE, gives as the cause of the end that is to come. */
  public void explain(EndReason why, String text) {
    reason = why; // before the cause
    cause = text;
    explained = true;
  }

  /** This, or the end of the other link if it alone was explained: that may be seen later. */
  public SessionEnd orExplained(@Nullable SessionEnd other) {
    return !explained && other != null && other.explained ? other : this;
  }

  /** Lets nobody send any more, and closes the link; idempotent. */
  public void begin(String why) {
    if (stage.compareAndSet(Stage.SILENT, Stage.UNSAID) // in the order in which they follow
        || stage.compareAndSet(Stage.MUTED, Stage.UNSAID)
        || stage.compareAndSet(Stage.SPEAKING, Stage.ENDING)) {
      because(why);
      close();
    }
  }

  private void close() {
    try {
      data.close();
    } finally {
      Link current = link;
      if (current != null) {
        current.close();
      }
    }
  }

  /**
   * Timer: takes up what came no further, because there was no memory or stack for it. What ends a
   * link runs seldom, and what runs for the first time needs both.
   */
  public void resume() {
    if (isBegun()) {
      close();
    } else if (data.pipe().isRetired()) {
      begin("write failed");
    }
  }

  /** Whether the link ends, or has ended. */
  public boolean isBegun() {
    Stage now = stage.get();
    return now == Stage.UNSAID || now == Stage.ENDING;
  }

  /** Whether it ends before it could speak, so that nothing went over it, nor ever will. */
  public boolean isUnsaid() {
    return stage.get() == Stage.UNSAID;
  }

  /** With the lock of the connection, which hears of the end: whether for the first time. */
  public boolean tryLeave() {
    boolean first = !left;
    left = true;
    return first;
  }

  /** Why it ends, for people. */
  public String cause() {
    String known = cause;
    return known == null ? "the link ends" : known; // it is just being told
  }

  /** What the cause comes to. */
  public EndReason reason() {
    return reason;
  }
}
