package org.ringwire.engine.inbound.workers;

/** Work that is only told apart. */
final class NumberedWork extends Work {

  final int number;

  NumberedWork(int number) {
    this.number = number;
  }

  @Override
  public boolean run(HandlerWorker worker) {
    return false;
  }
}
