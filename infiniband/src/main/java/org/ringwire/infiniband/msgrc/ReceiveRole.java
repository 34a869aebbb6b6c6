package org.ringwire.infiniband.msgrc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringwire.idle.Pause;

/**
 * Who receives for all links of a transport: the receive thread, or a thread that waits for
 * something to arrive and therefore <em>leads</em>, which saves the wake-up of one by the other.
 *
 * <p><em>The role.</em> Polling the completion queue, refilling the shared receive queue, and
 * handing over what has arrived needs the role: one word, taken by compare-and-set and given back
 * by a volatile write. So one thread at a time does it, each sees what the last one did, and input
 * of a link stays in order. The receive thread takes the role for one round of looking; if it finds
 * a leader it stands back. A leader takes it for as long as it waits; if it finds the receive
 * thread looking it says so ({@code wanted}), which makes that thread stand back, and tries again
 * for a moment; if it finds another leader it gives up.
 *
 * <p><em>Standing back.</em> A thread that waits for events asks for one while it has the role, and
 * looks once more before it gives the role back. From then on it is either woken by the next
 * completion, or it is <em>disarmed</em>: it has found a leader, says so, and waits for no event
 * but for a tick; it looks again every {@link #TICK_MS} and takes up its work after a tick in which
 * nobody led. So between requests in quick succession no event is asked for, and giving the role
 * back is one volatile write. While one leader stays for longer than a tick the thread waits
 * without a limit ({@code dozes}), and that leader wakes it when it leaves.
 *
 * <p><em>No event is lost.</em> Completions stay in the queue until somebody who has the role takes
 * them, so what matters is that somebody will look. (1) Nobody leads and the thread is neither
 * disarmed nor awake: then it has asked for an event with the role and found nothing afterwards,
 * and the event that comes is in its channel for it, because a leader takes events from the channel
 * only after it has woken a thread that is not disarmed ({@link Leading}). (2) The thread is
 * disarmed and does not doze: it looks after a tick. (3) It dozes: it has said so and then seen a
 * leader, who gives the role back and then looks whether it dozes; so one sees the other. The same
 * holds for {@code disarmed} and who leaves others waiting and asks for the thread: {@link
 * #isDisarmed} after the role was given back.
 *
 * <p><em>The bound.</em> What arrives when nobody leads waits for the receive thread for two ticks
 * at most, plus the time until that thread runs; not at all after {@link IbLink#resumeReading}.
 */
final class ReceiveRole {

  /** Time between two looks of a thread that stands back, in milliseconds. */
  static final long TICK_MS = 2;

  /** How often a leader tries to get the role from a receive thread that looks. */
  private static final int TAKE_ATTEMPTS = 2_000;

  private static final int FREE = 0;
  private static final int THREAD = 1;
  private static final int LEADER = 2;
  private static final VarHandle ROLE;
  private static final VarHandle LEADS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ROLE = lookup.findVarHandle(ReceiveRole.class, "role", int.class);
      LEADS = lookup.findVarHandle(ReceiveRole.class, "leads", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile boolean disarmed; // written by the receive thread
  private volatile boolean dozes; // written by the receive thread
  private volatile boolean wanted;
  private int leadsSeen; // the receive thread only, as the next one
  private boolean stays; // one leader had the role for all of the last wait

  @SuppressWarnings("unused") // by ROLE
  private volatile int role = FREE;

  @SuppressWarnings("unused") // by LEADS
  private int leads; // written by leaders

  /** Free. */
  ReceiveRole() {}

  private boolean tryTake(int taker) {
    return role == FREE && ROLE.compareAndSet(this, FREE, taker); // pairs with release()
  }

  private void release() {
    role = FREE; // volatile; pairs with tryTake(), and with the looks in disarm() and tryDoze()
  }

  // The receive thread.

  /** Takes the role for one round; false if somebody leads, or wants to. */
  boolean tryTake() {
    return !wanted && tryTake(THREAD);
  }

  /** Ends the round. */
  void giveBack() {
    release();
  }

  /** Whether somebody wants to lead, and waits for the end of the round. */
  boolean isWanted() {
    return wanted;
  }

  /**
   * Stands back, because somebody leads.
   *
   * @return false if that one has gone meanwhile
   */
  boolean disarm() {
    leadsSeen = (int) LEADS.getOpaque(this);
    stays = false;
    disarmed = true; // volatile; pairs with isDisarmed() of who leaves
    if (role == FREE && !wanted) {
      disarmed = false;
      return false;
    }
    return true;
  }

  /** Whether to wait without a limit, because one leader stays, and wakes this thread. */
  boolean tryDoze() {
    if (!stays) {
      return false;
    }
    dozes = true; // volatile; pairs with the read in endLead()
    if (role == LEADER) {
      return true;
    }
    dozes = false;
    return false;
  }

  /** A wait is over: whether nobody has led since the last one, and so the thread goes on. */
  boolean tryRearm() {
    dozes = false;
    int seen = (int) LEADS.getOpaque(this); // a late value costs one more tick
    boolean led = role == LEADER;
    stays = led && seen == leadsSeen;
    if (led || seen != leadsSeen) {
      leadsSeen = seen;
      return false;
    }
    disarmed = false;
    return true;
  }

  /** Goes on unless somebody leads; a leader is found by the next {@link #tryTake}. */
  void rearm() {
    dozes = false;
    disarmed = false;
  }

  // Any thread.

  /** Whether the receive thread waits for no event. */
  boolean isDisarmed() {
    return disarmed;
  }

  /** Takes the role to lead; {@link #endLead} follows. False if somebody else has it. */
  boolean tryLead() {
    if (tryTake(LEADER)) {
      return true;
    }
    if (role == LEADER) {
      return false;
    }
    wanted = true;
    boolean taken = false;
    for (int i = 0; i < TAKE_ATTEMPTS && !taken && role != LEADER; i++) {
      Pause.look();
      taken = tryTake(LEADER);
    }
    wanted = false;
    return taken;
  }

  /**
   * Gives the role back.
   *
   * @return whether the receive thread must be woken
   */
  boolean endLead() {
    LEADS.setOpaque(this, (int) LEADS.getOpaque(this) + 1);
    release();
    return dozes; // pairs with the write in tryDoze()
  }
}
