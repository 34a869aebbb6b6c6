package org.ringwire.engine.inbound;

import java.util.function.Consumer;
import org.ringwire.engine.outbound.Waits;

/**
 * A thread that runs the work of a {@link HandlerWorker}, as long as it is the worker's own. When
 * it is about to wait another one takes its place, and it ends as soon as what it is doing is done.
 */
final class HandlerThread extends Thread implements Waits.Compensated {

  private final HandlerWorker worker;
  private final Consumer<Thread> started;

  HandlerThread(HandlerWorker worker, String name, Consumer<Thread> started) {
    super(null, null, name, 0, false);
    this.worker = worker;
    this.started = started;
    setDaemon(true);
  }

  @Override
  public void run() {
    started.accept(this);
    worker.run(this);
  }

  @Override
  public void aboutToWait() {
    worker.handOn(this);
  }
}
