package org.ringwire.infiniband.msgrc;

import java.util.concurrent.CompletableFuture;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.transport.Link;

/** Writes where one thread does all posting: nothing, then a byte, then nothing. */
final class LeftToSendThreadProgram {

  private LeftToSendThreadProgram() {}

  /** As a node does: who may write again does. */
  private static final class Writing extends LinkedTransports.End {
    private final OneByte source = new OneByte();
    private final CompletableFuture<Boolean> written = new CompletableFuture<>();

    @Override
    public void writable() {
      try {
        written.complete(opened.join().write(source));
      } catch (Exception e) {
        written.completeExceptionally(e);
      }
    }
  }

  /** Prints of each whether all was taken at once. */
  public static void main(String... args) throws Exception {
    Writing here = new Writing();
    try (LinkedTransports linked = new LinkedTransports(here, new LinkedTransports.End())) {
      Link link = linked.link();
      OneByte nothing = new OneByte();
      nothing.sent(1);
      System.out.println("nothing: " + link.write(nothing));
      System.out.println("a byte: " + link.write(here.source));
      System.out.println("by the send thread: " + LinkedTransports.await(here.written));
      System.out.println("nothing more: " + link.write(here.source));
    }
    System.exit(0); // threads of what has not ended
  }
}
