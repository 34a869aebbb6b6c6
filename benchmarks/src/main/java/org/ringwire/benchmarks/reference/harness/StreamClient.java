package org.ringwire.benchmarks.reference.harness;

/** The sending side of a one-way measurement; any thread may send. */
public interface StreamClient {
  /**
   * Sends one message. With {@code flush} it and all before it are on their way when this returns;
   * otherwise it may wait in a buffer.
   */
  void send(Sample sample, boolean flush) throws Exception;

  /** Returns what the receiver counted once it has handled everything sent before this call. */
  ReceiverReport barrier() throws Exception;
}
