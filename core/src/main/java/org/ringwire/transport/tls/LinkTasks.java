package org.ringwire.transport.tls;

/**
 * What is done for a link later, or by another thread. Classes, as a lambda that finds no heap
 * where it is evaluated first may be lost for as long as the process lives, and with it every link
 * from then on.
 */
final class LinkTasks {

  private LinkTasks() {}

  /** A worker of the handshake. */
  record Worker(HandshakeStrand strand) implements Runnable {
    @Override
    public void run() {
      strand.work();
    }
  }

  /** There may be something new for a worker. */
  record Waking(HandshakeStrand strand) implements Runnable {
    @Override
    public void run() {
      boolean _ = strand.wake();
    }
  }

  /** Tells of the end of the medium, if nobody has. */
  record EndOfMedium(HandshakeStrand strand) implements Runnable {
    @Override
    public void run() {
      strand.resumeEnd();
    }
  }

  /** The handshake has had its time. */
  record Deadline(TlsLink link) implements Runnable {
    @Override
    public void run() {
      link.deadlinePassed();
    }
  }

  /** What was to be said before the end has had its time. */
  record Farewell(TlsLink link) implements Runnable {
    @Override
    public void run() {
      link.closeMedium();
    }
  }
}
