package org.ringwire.infiniband.msgud;

import java.util.function.IntConsumer;

/** Takes the datagrams that have arrived, on the thread of the engine {@code msgud}. */
@FunctionalInterface
public interface DatagramSink {

  /**
   * One has arrived.
   *
   * @param buffer of the {@link UdReceiver} that it is in
   * @param length of it, head and content
   * @param source queue pair that it says to come from
   * @return whether the buffer is kept; otherwise it is free after the call
   */
  boolean arrived(int buffer, int length, int source);

  /** What stands between the device and a sink: nothing, or faults on purpose. */
  @FunctionalInterface
  interface Around {

    /**
     * Surrounds a sink.
     *
     * @param release frees a buffer that was kept
     */
    DatagramSink sink(DatagramSink inner, IntConsumer release);
  }
}
