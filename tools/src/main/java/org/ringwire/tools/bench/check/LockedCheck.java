package org.ringwire.tools.bench.check;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes another check usable by several threads at a time: for round trips, where the order of a
 * sender's messages follows from its waiting, whichever thread handles them.
 */
final class LockedCheck implements MessageCheck {

  private final ReentrantLock lock = new ReentrantLock();
  private final InOrderCheck check;

  LockedCheck(InOrderCheck check) {
    this.check = check;
  }

  @Override
  public void accept(Numbered message) {
    lock.lock();
    try {
      check.accept(message);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long handled() {
    return check.handled();
  }

  @Override
  public boolean suspicious() {
    return check.suspicious();
  }

  @Override
  public CheckResult result(long[] sent) {
    lock.lock();
    try {
      return check.result(sent);
    } finally {
      lock.unlock();
    }
  }
}
