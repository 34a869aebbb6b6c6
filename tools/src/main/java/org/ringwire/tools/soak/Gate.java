package org.ringwire.tools.soak;

import java.time.Duration;

/** Lets the working threads of a process run, or holds them. One lock guards everything. */
final class Gate {

  private final int threads;
  private boolean open;
  private boolean over;
  private int waiting;

  /** A closed gate for so many threads. */
  Gate(int threads) {
    this.threads = threads;
    waiting = 0;
  }

  /** Waits while the gate is closed; false when work is over. A working thread. */
  synchronized boolean pass() throws InterruptedException {
    waiting++;
    notifyAll();
    while (!open && !over) {
      wait();
    }
    waiting--;
    return !over;
  }

  synchronized void open() {
    open = true;
    notifyAll();
  }

  /** Holds the threads; returns when all of them stand still. */
  synchronized void close(Duration timeout) throws InterruptedException {
    open = false;
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    while (waiting < threads) {
      long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        throw new IllegalStateException(
            (threads - waiting)
                + " threads did not come back within "
                + timeout.toSeconds()
                + " s");
      }
      wait(leftMs);
    }
  }

  /** Ends work. */
  synchronized void end() {
    over = true;
    notifyAll();
  }
}
