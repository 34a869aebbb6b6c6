package org.ringwire.infiniband.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the guest has carried so far, by the kernel's own counters: of the soft device, and of TCP,
 * which goes over the loopback interface there and nothing else does.
 *
 * @param packets that the device has sent
 * @param sends requests that it has completed
 * @param tcpBytes bytes over TCP, headers included
 * @param tcpConnections connections of TCP that were tried
 */
record Traffic(long packets, long sends, long tcpBytes, long tcpConnections) {

  /** What setting a link up takes, with room to spare; a message or two more is not noticed. */
  private static final long BYTES_OF_A_CONNECTION = 6 << 10;

  private static final long BYTES_OF_ALL = 16 << 10;
  private static final Path DEVICE = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters");
  private static final int OPENS_COLUMN = 5;
  private static final int RECEIVED_COLUMN = 1;

  /** Nothing at all. */
  static final Traffic NONE = new Traffic(0, 0, 0, 0);

  static Traffic now() {
    if (!isCounted()) {
      return NONE;
    }
    return new Traffic(
        Long.parseLong(lines(DEVICE.resolve("sent_pkts")).getFirst().strip()),
        Long.parseLong(lines(DEVICE.resolve("rdma_sends")).getFirst().strip()),
        number("/proc/net/dev", "lo:", RECEIVED_COLUMN),
        number("/proc/net/snmp", "Tcp:", OPENS_COLUMN));
  }

  /** Whether there is such a device: only in the guest. */
  static boolean isCounted() {
    return Files.exists(DEVICE);
  }

  /** A column of the last line that begins with a word. */
  private static long number(String file, String first, int column) {
    List<String> found =
        lines(Path.of(file)).stream().filter(line -> line.strip().startsWith(first)).toList();
    return Long.parseLong(found.getLast().strip().split("\\s+")[column]);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Traffic since(Traffic before) {
    return new Traffic(
        packets - before.packets,
        sends - before.sends,
        tcpBytes - before.tcpBytes,
        tcpConnections - before.tcpConnections);
  }

  /** Whether more went over TCP than it takes to set links up: data took another way. */
  boolean fellBack() {
    return tcpBytes > BYTES_OF_ALL + tcpConnections * BYTES_OF_A_CONNECTION;
  }
}
