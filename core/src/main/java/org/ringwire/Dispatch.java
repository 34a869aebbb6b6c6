package org.ringwire;

import java.util.Objects;

/**
 * How the messages of a type reach their handler.
 *
 * @param mode which thread calls the handler
 * @param ordered whether messages of one connection are handled one after the other, in the order
 *     in which they were accepted by the sender. All ordered types of a connection form one
 *     sequence, whatever their mode, so that an inline handler is called by a thread of the pool
 *     where its message comes behind others, and is not told there that it may not block; unordered
 *     ones may overtake. Nothing is promised across a reconnect
 */
public record Dispatch(Mode mode, boolean ordered) {

  /** Checks the mode. */
  public Dispatch {
    Objects.requireNonNull(mode, "mode must not be null");
  }

  /** The thread that a handler runs on. */
  public enum Mode {
    /**
     * The thread that read the frame: an I/O thread, a thread that waits for a response, or, over
     * loopback, the thread that writes: a sender's, or one of the sending node. For handlers that
     * take less than a few microseconds. They may not block: {@code request}, a {@code send} that
     * would have to wait, and a wait for a future of {@code requestAsync} or {@code whenWritable},
     * or one that {@code thenApply} and the like made of it, throw {@link IllegalStateException} at
     * once. Who waits for anything else, {@code allOf} and {@code anyOf} of them included, keeps
     * this thread from reading until that has ended.
     */
    INLINE,
    /**
     * A thread of the node's handler pool, {@link NodeConfig#handlerThreads} at a time. A handler
     * that waits for another node in this library gives its thread's place to another one ({@link
     * NodeConfig#compensatingThreads}), or if there may be no more of those leaves what waits
     * behind it to the other threads; one that takes long otherwise, or waits for something else (a
     * lock, a database), keeps it, and the other threads go on with what waits behind it, but for
     * messages of the same connection that were given to its thread already: while all threads wait
     * with messages of one peer, nothing else of that peer goes on. If all threads wait, others
     * come for other connections. What a handler has sent or replied may go out together with what
     * the next ones send, after some 20 ms at the latest.
     */
    POOLED,
    /**
     * A virtual thread of its own per message: may block as long as it likes. As many as come
     * begin, by turns of those who have sent them where the cores are busy. While it waits for
     * another node, in {@code request} or {@code send}, its message takes nothing of the window of
     * its sender, as long as that sender so takes no more of {@link NodeConfig#windowBudget} than
     * it leaves to others, and has no more handlers waiting than {@link NodeConfig#maxRequests}, or
     * 65,536 if that is less; fewer while other senders have many. So what is slow behind this node
     * holds back a sender only when so many wait, at some 5 KiB of heap each; with {@code POOLED}
     * handlers it does when a few dozen wait.
     */
    BLOCKING
  }

  /** On the reading thread. */
  public static final Dispatch INLINE = new Dispatch(Mode.INLINE, false);

  /** On the handler pool; the default. */
  public static final Dispatch POOLED = new Dispatch(Mode.POOLED, false);

  /** On a virtual thread per message. */
  public static final Dispatch BLOCKING = new Dispatch(Mode.BLOCKING, false);

  /** The same mode, ordered. */
  public Dispatch inOrder() {
    return new Dispatch(mode, true);
  }
}
