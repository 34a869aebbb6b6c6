package org.ringwire.benchmarks.reference.aeron;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;

/** What carries the messages, and how channels are opened, with the reason of each setting. */
enum AeronMedium {
  /** Shared memory. The driver is no part of the way of a message. */
  IPC,
  /** The drivers of both processes send packets to each other. */
  UDP;

  /**
   * The largest that there is: over shared memory a message of 16 KiB stays in one piece and is
   * claimed in place.
   */
  private static final int LARGEST_MTU = 65504;

  /** What fits into a jumbo frame, the guide's advice for throughput where the network takes it. */
  private static final int JUMBO_MTU = 8192;

  /** Packets that a socket must have room for, or those that follow are lost. */
  private static final int PACKETS_IN_SOCKET = 32;

  /** Of which the length of a packet is a multiple. */
  private static final int FRAME_ALIGNMENT = 32;

  /**
   * Terms of a log buffer for data: Aeron's defaults. Shorter ones stay in the cache, but then the
   * writer waits all the time for the driver to move its limit.
   */
  private static final int IPC_TERM_LENGTH = 64 * 1024 * 1024;

  private static final int UDP_TERM_LENGTH = 16 * 1024 * 1024;

  /** Of replies few are on their way. */
  private static final int REPLY_TERM_LENGTH = 1024 * 1024;

  /** The longest message is an eighth of a term, by definition. */
  private static final int MESSAGES_PER_TERM = 8;

  /** As the guide asks for; the kernel gives less unless it is configured. */
  private static final int SOCKET_BUFFER_LENGTH = 2 * 1024 * 1024;

  /** As in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Where a subscription listens; over UDP at a port that is free. */
  String subscription() {
    return this == IPC ? "aeron:ipc" : "aeron:udp?endpoint=127.0.0.1:0";
  }

  /**
   * What a publication is opened with.
   *
   * @param endpoint where the subscription listens
   * @param stream data or replies
   */
  String publication(Settings settings, String endpoint, int stream) {
    int length = termLength(settings, stream);
    return this == IPC
        ? "aeron:ipc?mtu=" + LARGEST_MTU + "|term-length=" + length
        : "aeron:udp?endpoint="
            + endpoint
            + "|mtu="
            + udpMtu(socketBufferLength())
            + "|term-length="
            + length;
  }

  private int termLength(Settings settings, int stream) {
    int length = Sample.frameLength(settings.payloadLength());
    int usual = this == IPC ? IPC_TERM_LENGTH : UDP_TERM_LENGTH;
    return Math.max(
        stream == AeronProgram.DATA ? usual : REPLY_TERM_LENGTH,
        2 * MESSAGES_PER_TERM * Integer.highestOneBit(length));
  }

  /** Loopback takes packets of any length; as TCP has there, they are as long as sockets allow. */
  static int udpMtu(int socketBufferLength) {
    int length = Math.clamp(socketBufferLength / PACKETS_IN_SOCKET, JUMBO_MTU, LARGEST_MTU);
    return length - length % FRAME_ALIGNMENT;
  }

  /** What a socket may hold, which is also what may be on its way to a receiver. */
  static int socketBufferLength() {
    // Read at once, as a second read of such a file finds its end.
    try (BufferedReader file = Files.newBufferedReader(Path.of("/proc/sys/net/core/rmem_max"))) {
      return (int) Math.min(SOCKET_BUFFER_LENGTH, Long.parseLong(file.readLine()));
    } catch (IOException e) {
      return 128 * 1024; // the driver's own default
    }
  }
}
