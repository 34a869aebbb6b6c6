package org.ringwire.engine.outbound;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.engine.outbound.Flusher.Tick;
import org.ringwire.engine.outbound.encoding.OpenClaimWatch;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.RoomSignal;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.idle.Load;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.ring.RingConsumer;
import org.ringwire.transport.Link;

/**
 * The way out over one link: who writes, and when. {@link MessageSender} puts frames into the ring,
 * this class gets them to the link.
 *
 * <p><b>Adaptive drain</b> (design.md, "Send path"). On a quiet link the thread that sends takes
 * the consumer role and writes at once. Within {@link #QUIET_NS} of the last write, or where the
 * thread does nothing but such writes ({@link SendContext#leavesToFlusher}), a burst begins:
 * senders leave their frames in the ring until {@link #THRESHOLD} bytes are pending, and the {@link
 * Flusher}, woken once per burst, bounds the delay of what is left.
 *
 * <p><b>Nothing is forgotten.</b> Drain: a sender commits, passes a full fence, reads the role; the
 * holder frees the role, passes a full fence, and looks at the ring again. Either the sender finds
 * the role free or the holder's second look finds the commit. Burst: a sender moves the ring's tail
 * (a volatile read-modify-write) before it reads {@code burst}; the flusher clears {@code burst}
 * (volatile) before it reads the tail, and goes on if anything, even an open claim, lies between
 * tail and sent position. In the one order of these accesses one of the two sees the other. Looking
 * at the tail rather than at commits is what saves senders in a burst a fence per message. A full
 * medium: the role waits for the transport's {@code writable}, see {@link ConsumerRole}.
 *
 * <p><b>Hints</b>: when was written last, where a sender begins to write in a burst, the frame that
 * was found open. Each is written without a fence of its own by the holder, whose fence after
 * giving the role back makes it seen.
 */
public final class OutboundPipe {

  /** A link on which nothing was written for so long is quiet. */
  public static final long QUIET_NS = 30_000;

  /**
   * Bytes that make a sender write within a burst: with the message that reaches them they should
   * not be more than what a kernel sends as one, 64 KiB with its headers.
   */
  public static final long THRESHOLD = 56 << 10;

  /** Writes in a row on a quiet link that may each be little; then the flusher takes over. */
  private static final int FREE_LOOKS = 2;

  private static final long BURST_ENDS_BELOW = 1 << 10;

  private static final VarHandle BURST;
  private static final VarHandle LAST_DRAIN_NS;
  private static final VarHandle DRAIN_FROM;
  private static final VarHandle STUCK_AT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      BURST = lookup.findVarHandle(OutboundPipe.class, "burst", boolean.class);
      LAST_DRAIN_NS = lookup.findVarHandle(OutboundPipe.class, "lastDrainNs", long.class);
      DRAIN_FROM = lookup.findVarHandle(OutboundPipe.class, "drainFrom", long.class);
      STUCK_AT = lookup.findVarHandle(OutboundPipe.class, "stuckAt", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ConsumerRole role = new ConsumerRole();
  private final OutboundStream stream;
  private final RoomSignal room;
  final Flusher flusher; // one for all pipes of a node
  private final boolean drainsAdaptively;
  private final SessionFailure failure;
  private final OpenClaimWatch openClaims; // the holder

  private volatile @Nullable Link link;
  private volatile @Nullable OutboundRing ring;

  @SuppressWarnings("unused") // by BURST
  private volatile boolean burst;

  private volatile long lastDrainNs;

  /** In a burst a message at this position or beyond makes its sender write. */
  private volatile long drainFrom;

  /** The frame that the last write found open, whose sender writes what waits behind it, or -1. */
  private volatile long stuckAt = -1;

  private final AtomicLong writes = new AtomicLong();
  private long countedSent; // what was sent when a write was counted last; the holder
  private long tickedPosition;
  private boolean retired; // thread for chores only

  /** Held by the flusher while it looks at the ring, and for good by who frees the ring. */
  private final AtomicBoolean ticking = new AtomicBoolean();

  /** Told, once or more, that the link broke while it was written to. */
  @FunctionalInterface
  public interface SessionFailure {
    void failed(Throwable cause);
  }

  public OutboundPipe(
      OutboundStream stream,
      SpaceWaiters waiters,
      Flusher flusher,
      DrainMode drainMode,
      SlowEncoders slowEncoders,
      SessionFailure failure) {
    this.stream = stream;
    room = new RoomSignal(waiters);
    this.flusher = flusher;
    this.drainsAdaptively = drainMode == DrainMode.ADAPTIVE;
    this.failure = failure;
    openClaims = new OpenClaimWatch(slowEncoders);
    lastDrainNs = System.nanoTime() - QUIET_NS;
  }

  /** The link is there; from now on drains write. */
  public void open(Link openedLink) {
    link = openedLink;
    drain();
  }

  public void ring(OutboundRing outboundRing) {
    stream.ring(outboundRing);
    ring = outboundRing;
  }

  /** The same, where data goes out behind a control frame, which is added after this. */
  public void ringBehind(byte[] controlFrame, OutboundRing outboundRing) {
    stream.ringBehind(controlFrame, outboundRing);
    ring = outboundRing;
  }

  /**
   * After a commit of a one-way message: writes now, or makes sure that somebody will. In a burst
   * it looks at nothing that other senders write all the time, the tail above all: how much is
   * pending follows from the message's own position. Where a frame is open, because its sender was
   * descheduled while encoding, nothing behind it can be written: the others do not try again
   * before as much has come again, or that sender has committed.
   *
   * @param position of the message in the ring
   */
  public void messageCommitted(long position) {
    if (burst) {
      if ((position >= drainFrom || position == stuckAt) && drainsAdaptively && role.isFree()) {
        drain();
      }
      return;
    }
    if (drainsAdaptively && isQuiet(System.nanoTime())) {
      drain();
    } else {
      armOnce();
    }
  }

  /** Whether the link is, and the thread does not write to many others. */
  private boolean isQuiet(long nowNs) {
    return nowNs - lastDrainNs >= QUIET_NS && !SendContext.current().leavesToFlusher(nowNs);
  }

  private boolean beginBurst() {
    return BURST.compareAndSet(this, false, true);
  }

  /** Begins a burst, unless there is one; if there is no memory for it the next commit does. */
  private void armOnce() {
    if (beginBurst()) {
      boolean armed = false;
      try {
        flusher.arm(this);
        armed = true;
      } finally {
        if (!armed) {
          burst = false;
        }
      }
    }
  }

  /** After a commit that somebody waits for: writes now, or at the end of the thread's batch. */
  public void urgentCommitted(SendContext context, OutboundRing outboundRing, long position) {
    if (!drainsAdaptively) {
      messageCommitted(position);
      return;
    }
    role.press();
    if (position - outboundRing.sentPosition() >= THRESHOLD || !context.defer(this, position)) {
      drain();
    }
  }

  /**
   * After commits that may wait for a tick of the flusher; as in a burst, nothing is forgotten.
   * Where there is no ring nothing was committed, nor would a burst that began there ever end.
   */
  public void drainLater() {
    if (ring != null && !burst) {
      armOnce();
    }
  }

  /**
   * As {@link #drain}, for who has committed a while ago: others may have written it since. What
   * they have put off meanwhile is left to them, so that more comes together.
   *
   * @param position of the last message that was put off
   */
  void drainPending(long position) {
    VarHandle.fullFence(); // commit before the positions are read, as in drain()
    OutboundRing outboundRing = ring;
    if (outboundRing == null
        || outboundRing.sentPosition() - position <= 0
        || stream.hasPriorityWork()) {
      drainCommitted();
    }
  }

  /** Writes whatever can be written, unless somebody else is doing so. Any thread; never blocks. */
  public void drain() {
    VarHandle.fullFence(); // commit before the role is read; pairs with the fence after giveBack
    drainCommitted();
  }

  /** As {@link #drain}, for who has committed nothing, but said so far that it would look. */
  public void drainLeft() {
    VarHandle.fullFence(); // what it said is taken back before it looks
    if (stream.hasWork()) {
      drainCommitted();
    }
  }

  /** As {@link #drain}, for who has passed a full fence since it has committed. */
  private void drainCommitted() {
    int looks = 0;
    while (link != null && write(false)) {
      if (!stream.hasWork() || ((++looks >= FREE_LOOKS || burst) && leaveToFlusher())) {
        return;
      }
    }
  }

  /**
   * Whether what the second look found may wait: it came from senders that are busy, is little, and
   * the flusher will come for it. Otherwise the holder would write every message by itself as fast
   * as senders commit them.
   */
  private boolean leaveToFlusher() {
    OutboundRing outboundRing = ring;
    if (role.isUrgent()
        || outboundRing == null
        || outboundRing.pendingBytes() >= THRESHOLD
        || stream.hasPriorityWork()) {
      return false;
    }
    armOnce();
    return true;
  }

  /**
   * The transport says that the link takes bytes again, perhaps because it has completed some that
   * were sent before, which makes room, too.
   */
  public void writable() {
    room.completed(stream.bytesCompleted());
    if (write(true)) {
      if (stream.hasWork() && !leaveToFlusher()) {
        drain();
      }
      flusher.wake();
    }
  }

  /**
   * Writes, if there is the role to take; in one method, as who has taken it calls nothing outside
   * of the try block: one whose stack ends there would keep the role for ever.
   *
   * @param resumes whether the role may be waiting for the medium
   * @return true if it was given back and a full fence passed
   */
  private boolean write(boolean resumes) {
    if (!(resumes ? role.takeUp() : role.take())) {
      return false;
    }
    boolean all;
    long sentBefore;
    long completedBefore;
    try {
      Link current = Objects.requireNonNull(link); // nobody takes the role before
      stream.begin(role.isPressed());
      sentBefore = stream.bytesSent();
      completedBefore = stream.bytesCompleted();
      all = current.write(stream);
      while (!all && !role.awaitWritable()) {
        all = current.write(stream);
      }
      if (all) { // otherwise the medium has it, and somebody else may hold it by now
        written(current);
        role.giveBack();
      }
    } catch (IOException | RuntimeException | Error e) { // nobody else could free the role
      role.abandoned = true;
      role.retireHeld();
      failure.failed(e);
      return false;
    }
    VarHandle.fullFence(); // the role is free before the second look, and there is room before that
    long completed = stream.bytesCompleted();
    room.written(stream.bytesSent() != sentBefore || completed != completedBefore, completed);
    return all;
  }

  /**
   * With the role held: the link has taken all that was offered, if anything was, and who is to
   * write next. What a medium took and was behind with for a while counts when it is not any more.
   */
  private void written(Link current) {
    long sent = stream.bytesSent();
    if (sent != countedSent) {
      countedSent = sent;
      writes.lazySet(writes.get() + 1);
    }
    SendContext context = SendContext.current();
    long nowNs = context.nowNs();
    LAST_DRAIN_NS.setOpaque(this, nowNs);
    context.wrote(nowNs);
    Load.PROCESS.note(context.active(), nowNs);
    OutboundRing outboundRing = ring;
    if (outboundRing == null) {
      return;
    }
    RingConsumer consumer = outboundRing.consumer();
    boolean late = current.completesLate();
    boolean empty = consumer.restart() || (late && !burst && consumer.restartAhead());
    long open = empty ? -1 : consumer.oldestOpenClaim();
    long from = open < 0 ? outboundRing.sentPosition() : outboundRing.claimed();
    STUCK_AT.setRelease(this, open);
    DRAIN_FROM.setRelease(this, from + THRESHOLD);
    openClaims.found(open, consumer, current.remote(), lastDrainNs);
  }

  /** Whether nobody writes any more. */
  public boolean isRetired() {
    return role.isRetired();
  }

  /** Timer: whether a frame is never finished, and with it all that wait behind it. */
  public boolean hasLostClaim() {
    Link current = link;
    OutboundRing outboundRing = ring;
    if (current == null || outboundRing == null || !role.tryTake()) {
      return false; // somebody writes, or what can be written waits for the medium
    }
    try {
      long nowNs = System.nanoTime();
      RingConsumer consumer = outboundRing.consumer();
      openClaims.found(consumer.oldestOpenClaim(), consumer, current.remote(), nowNs);
      return openClaims.isLost(nowNs);
    } finally {
      role.giveBack();
      drain(); // what others have left to the holder
    }
  }

  /** Flusher: drains what senders have left, and ends the burst if hardly anything moves. */
  Tick tick() {
    OutboundRing outboundRing = ring;
    if (outboundRing == null || !ticking.compareAndSet(false, true)) {
      return Tick.ENDED; // freed: nothing is left to drain
    }
    try {
      return tick(outboundRing);
    } finally {
      ticking.set(false);
    }
  }

  private Tick tick(OutboundRing outboundRing) {
    long before = tickedPosition;
    long found = outboundRing.sentPosition();
    boolean brisk = drainsAdaptively && found - before >= THRESHOLD;
    if (!brisk) {
      drain();
    }
    long now = outboundRing.sentPosition();
    tickedPosition = now;
    if (now - before >= BURST_ENDS_BELOW) {
      return now - before >= 4 * THRESHOLD ? Tick.BRISK : Tick.SLOW;
    }
    if (role.isAwaitingWritable()) {
      return Tick.BLOCKED;
    }
    burst = false; // before the tail is read: pairs with the claim before burst
    if (outboundRing.isEmpty() || !beginBurst()) {
      return Tick.ENDED; // a sender that has just begun a new burst has armed the flusher again
    }
    drain();
    return Tick.SLOW;
  }

  /** To read before a claim that may fail, for {@link #awaitCompletions}. */
  long restartsAhead() {
    OutboundRing outboundRing = ring;
    return outboundRing == null ? 0 : outboundRing.consumer().restartsAhead();
  }

  /**
   * A claim has found no room, and its sender waits or tries again: if that may be because the ring
   * has restarted ahead of its completions, has the medium tell of those.
   *
   * @param restartsBefore what {@link #restartsAhead} said before the claim
   */
  void awaitCompletions(long restartsBefore) {
    long restarts = restartsAhead();
    Link current = link;
    if (current != null && (restarts != restartsBefore || (restarts & 1) != 0)) {
      current.tellOfCompletions();
    }
  }

  /** Whether the medium has taken everything that was accepted, to its last byte; any thread. */
  public boolean isDrained() {
    OutboundRing held = ring;
    return (!stream.hasWork() && (held == null || held.isEmpty()))
        && !stream.hasUnsent() // a frame leaves the ring or its queue after it was noted
        && role.isIdle(); // last: what is sent may wait in the link for the medium
  }

  /**
   * Event thread: gives the ring's memory back if nothing is in it and nobody writes.
   *
   * @return whether the ring rests now, until the next sender wakes it
   */
  public boolean rest() {
    OutboundRing outboundRing = ring;
    if (outboundRing == null || !role.tryTake()) {
      return false;
    }
    NativeMemory.Scope unused = null;
    try {
      try {
        unused = outboundRing.rest();
        if (unused != null) {
          Objects.requireNonNull(link).ringRests(); // something was written
        }
      } finally {
        role.giveBack();
      }
      VarHandle.fullFence(); // a sender that found the role taken has left its frame to this thread
      if (stream.hasWork()) {
        drain();
      }
    } finally { // whatever has failed: nobody else knows of it
      if (unused != null) {
        unused.close();
      }
    }
    return unused != null;
  }

  /** How often something was written; those who drain often find nothing. */
  public long writes() {
    return writes.get();
  }

  /** Stops writing for good; false while somebody is still inside the link or the ring. */
  public boolean tryRetire() {
    return role.tryRetire() && (retired || (retired = ticking.compareAndSet(false, true)));
  }
}
