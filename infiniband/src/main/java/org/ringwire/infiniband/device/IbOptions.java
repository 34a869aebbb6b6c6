package org.ringwire.infiniband.device;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.verbs.types.Mtu;

/**
 * Settings of the transport, by system properties {@value #PREFIX}NAME. What a device bounds is
 * bounded by it.
 *
 * @param engine what carries the data; that of all nodes
 * @param device name of the device; empty for the first with an active port
 * @param port number of its port, from 1
 * @param gid index of the port's GID, or the GID itself, or its IP address; empty for the first of
 *     RoCE v2 with an IPv4 address, else with one of IPv6 that routers know, else the first
 * @param serviceLevel 0 to 15
 * @param trafficClass 0 to 255
 * @param pkey partition key, which the port must have; -1 for the one with index 0
 * @param mtu bytes of the longest packet, 256 to 4096; 0 for what the port does
 * @param timeout of a packet: 4.096 us * 2^timeout, 1 to 31
 * @param retries of a packet, 0 to 7
 * @param rnrRetries of a packet that found no receive request, 0 to 7; 7 is for ever
 * @param minRnrTimer code of the time before such a retry, 0 to 31
 * @param sendRequests most requests of a link that are not completed
 * @param sendRanges most ranges of memory of a send request
 * @param sendCompletions most requests of all links that are not completed
 * @param signalEvery of a chain of requests, every so many and the last are signalled
 * @param inline most bytes of a request that are copied into the request itself
 * @param receiveRequests receive requests of all links together
 * @param receiveRanges slices of a receive request
 * @param sliceLength bytes of a slice
 * @param sendThread whether one thread does all sending, as in the paper; otherwise the thread that
 *     has something to send does, and that thread goes on only where the device has been full
 * @param unencrypted whether data need not be encrypted though TLS is configured
 */
public record IbOptions(
    Engine engine,
    String device,
    int port,
    String gid,
    int serviceLevel,
    int trafficClass,
    int pkey,
    int mtu,
    int timeout,
    int retries,
    int rnrRetries,
    int minRnrTimer,
    int sendRequests,
    int sendRanges,
    int sendCompletions,
    int signalEvery,
    int inline,
    int receiveRequests,
    int receiveRanges,
    int sliceLength,
    boolean sendThread,
    boolean unencrypted) {

  /** Of the names of the system properties. */
  public static final String PREFIX = "ringwire.ib.";

  /** Reads and validates. */
  public static IbOptions of(Function<String, @Nullable String> properties) {
    Reader from = new Reader(properties);
    return new IbOptions(
        from.engine(),
        from.text("device"),
        from.number("port", 1, 1, 255),
        from.text("gid"),
        from.number("serviceLevel", 0, 0, 15),
        from.number("trafficClass", 0, 0, 255),
        from.number("pkey", -1, -1, 0xffff),
        from.mtu(),
        from.number("timeout", 14, 1, 31),
        from.number("retries", 7, 0, 7),
        from.number("rnrRetries", 7, 0, 7),
        from.number("minRnrTimer", 1, 0, 31),
        from.number("sendRequests", 128, 2, 1 << 15),
        from.number("sendRanges", 4, 2, 64),
        from.number("sendCompletions", 1 << 13, 2, 1 << 22),
        from.number("signalEvery", 16, 1, 1 << 15),
        from.number("inline", 220, 0, 1 << 12),
        from.number("receiveRequests", 128, 2, 1 << 15),
        from.number("receiveRanges", 8, 1, 64),
        from.number("sliceLength", 8 << 10, 256, 1 << 24),
        from.flag("sendThread"),
        from.flag("unencrypted"));
  }

  /** Bytes that a receive request takes. */
  public int receiveLength() {
    return Math.multiplyExact(receiveRanges, sliceLength);
  }

  /** The settings by their names. */
  private record Reader(Function<String, @Nullable String> properties) {

    String text(String name) {
      String value = properties.apply(PREFIX + name);
      return value == null ? "" : value.strip();
    }

    Engine engine() {
      String value = text("engine");
      for (Engine engine : Engine.values()) {
        if (value.equals(engine.toString())) {
          return engine;
        }
      }
      if (value.isEmpty()) {
        return Engine.MSGRC;
      }
      throw wrong("engine", value, "msgrc or msgud", null);
    }

    int mtu() {
      int bytes = number("mtu", 0, 0, Mtu.MTU_4096.bytes());
      if (bytes > 0 && bytes < Mtu.MTU_256.bytes()) { // no port has one that is not longer
        throw wrong("mtu", text("mtu"), "0 or 256..4096", null);
      }
      return bytes;
    }

    int number(String name, int fallback, int least, int most) {
      String value = text(name);
      if (value.isEmpty()) {
        return fallback;
      }
      try {
        int number = Integer.decode(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw wrong(name, value, least + ".." + most, e);
      }
      throw wrong(name, value, least + ".." + most, null);
    }

    boolean flag(String name) {
      String value = text(name);
      return switch (value) {
        case "", "false" -> false;
        case "true" -> true;
        default -> throw wrong(name, value, "true or false", null);
      };
    }

    private static IllegalArgumentException wrong(
        String name, String value, String expected, @Nullable Throwable cause) {
      return new IllegalArgumentException(
          PREFIX + name + " must be " + expected + ": value=" + value, cause);
    }
  }
}
