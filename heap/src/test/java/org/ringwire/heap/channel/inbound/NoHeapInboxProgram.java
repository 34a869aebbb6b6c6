package org.ringwire.heap.channel.inbound;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.RetainedExchange;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Block;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.ChannelMessages.Outcome;
import org.ringwire.heap.channel.OwnThreads;

/** Inboxes of a process that has no heap for a moment. One thread. */
public final class NoHeapInboxProgram {
  private static final int SEGMENTS = 20;
  private static final int BLOCKS = 17; // an array of references to them is full
  private static final int FINAL_SEGMENTS = 11; // an array of references to ten of them is full
  private static final int WINDOW = 1 << 20;
  private static final MemorySegment BYTES = Arena.ofAuto().allocate(64);

  /** All the heap that there was. */
  private static Object @Nullable [] taken;

  private NoHeapInboxProgram() {}

  /** A request that waits until it is closed. */
  private static final class Waiting implements RetainedExchange {
    private boolean isClosed;

    @Override
    public int source() {
      return 1;
    }

    @Override
    public boolean isRequest() {
      return true;
    }

    @Override
    public void reply(Object response) {}

    @Override
    public void fail(String reason) {}

    @Override
    public RetainedExchange retain() {
      return this;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** Prints what has become of the inbox; the argument is when there is no heap. */
  public static void main(String... words) {
    run(words[0], false); // whatever is loaded or made at the first time
    without(true, () -> {}); // so is what the first error is caught with
    String result = run(words[0], true);
    System.out.println(result);
  }

  private static String run(String when, boolean isWithoutHeap) {
    return switch (when) {
      case "unlock" -> unlock(isWithoutHeap);
      case "end" -> end(isWithoutHeap);
      case "store" -> store(isWithoutHeap);
      case "discard" -> discard(isWithoutHeap);
      default -> throw new IllegalArgumentException(when);
    };
  }

  /** With the lock there was heap, and there is none when it is released. */
  private static String unlock(boolean isWithoutHeap) {
    List<ReceiveSegment> revoked = new ArrayList<>();
    InboxLock lock = new InboxLock(revoked::addAll, new OwnThreads());
    InStream stream = stream();
    synchronized (lock) {
      for (int i = 0; i < SEGMENTS; i++) {
        lock.retire(new ReceiveSegment(stream, i, BYTES));
      }
    }
    without(isWithoutHeap, lock::settle);
    boolean isLocked = Thread.holdsLock(lock);
    lock.settle();
    return "locked: " + isLocked + " revoked: " + revoked.size();
  }

  private static InStream stream() {
    NoDecoders none = new NoDecoders();
    return new InStream(1, _ -> none.make(), none);
  }

  private static Inbox inbox() {
    NoDecoders none = new NoDecoders();
    return new Inbox(
        1, WINDOW, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
  }

  /** The sender of a graph that is arriving is known to be gone. */
  private static String end(boolean isWithoutHeap) {
    Inbox inbox = inbox();
    Exchange sender = new Waiting();
    Waiting asking = new Waiting();
    inbox.open(new Open(1, ChannelMessages.VERSION), sender);
    inbox.block(new Block(1, 1, 0, 0, BYTES, MemorySegment.NULL), sender);
    inbox.outcome(new Outcome(1, 1), asking);
    InStream in = inbox.streams().find(1);
    if (in == null || in.current == null) {
      throw new AssertionError("nothing has arrived");
    }
    InboundGraph graph = in.current;
    without(isWithoutHeap, () -> inbox.fail(graph, "its sender has gone"));
    String result = "lost: " + !graph.isOpen() + " and " + (inbox.streams().find(1) == null);
    inbox.open(new Open(2, ChannelMessages.VERSION), sender);
    return result + " told: " + asking.isClosed;
  }

  /** A block was stored, and then there is no heap to add it to its graph. */
  private static String store(boolean isWithoutHeap) {
    Inbox inbox = inbox();
    Exchange sender = new Waiting();
    inbox.open(new Open(1, ChannelMessages.VERSION), sender);
    for (int i = 0; i < BLOCKS - 1; i++) {
      inbox.block(new Block(1, 1, i, 0, BYTES, MemorySegment.NULL), sender);
    }
    InStream in = inbox.streams().find(1);
    if (in == null || in.current == null) {
      throw new AssertionError("nothing has arrived");
    }
    InboundGraph graph = in.current;
    GraphMemory memory = new GraphMemory(ChunkPool.of(4096, 1 << 20));
    Piece piece = memory.add(BYTES, MemorySegment.NULL);
    inbox.window().occupy(ChannelMessages.charge(BYTES.byteSize()));
    BlockFront front = new BlockFront(1, BLOCKS - 1, 0);
    AtomicBoolean isStored = new AtomicBoolean();
    Runnable taking =
        () -> {
          try {
            synchronized (inbox.lock()) {
              String _ =
                  inbox
                      .streams()
                      .take(
                          in,
                          front,
                          BYTES.byteSize(),
                          () -> {
                            isStored.set(true);
                            takeHeap(isWithoutHeap);
                            return piece;
                          });
            }
          } finally {
            inbox.lock().settle();
          }
        };
    without(false, taking);
    inbox.discard(graph);
    return "stored: " + isStored + " room: " + (WINDOW - inbox.window().room());
  }

  /** A graph is not wanted whose blocks lie in segments that have no room for others. */
  private static String discard(boolean isWithoutHeap) {
    Inbox inbox = inbox();
    CarriedInbox _ = CarriedInbox.of(inbox, 1, WINDOW, null, CarriedInbox.segments(WINDOW));
    Exchange sender = new Waiting();
    inbox.open(new Open(1, ChannelMessages.VERSION), sender);
    inbox.block(new Block(1, 1, 0, 0, BYTES, MemorySegment.NULL), sender);
    InStream in = inbox.streams().find(1);
    if (in == null || in.current == null) {
      throw new AssertionError("nothing has arrived");
    }
    InboundGraph graph = in.current;
    inbox.release(Objects.requireNonNull(graph.pieces.poll()));
    for (int i = 0; i < FINAL_SEGMENTS; i++) {
      ReceiveSegment segment = new ReceiveSegment(in, i, BYTES);
      inbox.window().occupy(BYTES.byteSize());
      segment.isFinal = true;
      segment.unread = 1;
      graph.pieces.add(new Piece(BYTES, segment));
    }
    without(isWithoutHeap, () -> inbox.discard(graph));
    inbox.discard(graph); // what is left of it
    return "room: " + (WINDOW - inbox.window().room());
  }

  /** Does something without heap, whatever that ends with; then there is some again. */
  private static void without(boolean isWithoutHeap, Runnable work) {
    try {
      takeHeap(isWithoutHeap);
      work.run();
    } catch (OutOfMemoryError e) {
      // what has become of it is looked at
    } finally {
      taken = null;
    }
  }

  private static void takeHeap(boolean isWanted) {
    int length = 1 << 20;
    while (isWanted && length > 0) {
      try {
        Object[] more = new Object[length];
        more[0] = taken;
        taken = more;
      } catch (OutOfMemoryError e) {
        length /= 2;
      }
    }
  }
}
