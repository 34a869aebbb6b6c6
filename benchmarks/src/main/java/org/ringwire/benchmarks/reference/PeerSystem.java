package org.ringwire.benchmarks.reference;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ringwire.benchmarks.reference.aeron.AeronProgram;
import org.ringwire.benchmarks.reference.c.CProgram;
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.netty.NettyEngine;
import org.ringwire.benchmarks.reference.netty.NettyProgram;
import org.ringwire.benchmarks.reference.plain.PlainProgram;

/**
 * Every program that Ringwire is compared with.
 *
 * @param label name in {@code --system}
 * @param description one line
 * @param factory makes it; only its own process loads its library
 */
public record PeerSystem(String label, String description, Supplier<Contender> factory) {
  private static final List<PeerSystem> ALL =
      List.of(
          new PeerSystem(
              "reference",
              "JDK only: blocking channel, lock, one buffer, flush per 64 messages",
              () -> new PlainProgram(false)),
          new PeerSystem(
              "minimal-nio",
              "the same over a channel that does not block, spinning (pingpong)",
              () -> new PlainProgram(true)),
          new PeerSystem(
              "netty-epoll",
              "Netty: ordinary writes, flush per 64 messages",
              () -> new NettyProgram(NettyEngine.Kind.EPOLL)),
          new PeerSystem(
              "netty-nio",
              "the same over the JDK's selector",
              () -> new NettyProgram(NettyEngine.Kind.NIO)),
          new PeerSystem(
              "netty-io_uring",
              "Netty: 64 messages encoded into one buffer by the user",
              () -> new NettyProgram(NettyEngine.Kind.IO_URING)),
          new PeerSystem("aeron-ipc", "Aeron over shared memory", AeronProgram::ipc),
          new PeerSystem(
              "c",
              "the kernel's limit: bytes without messages (stream, pingpong); needs a C compiler",
              CProgram::new));

  /** All, in the order in which they are listed. */
  public static List<PeerSystem> all() {
    return ALL;
  }

  /** The names of all. */
  public static List<String> labels() {
    return ALL.stream().map(PeerSystem::label).toList();
  }

  /** The one with this name. */
  public static Optional<PeerSystem> find(String label) {
    return ALL.stream().filter(each -> each.label().equals(label)).findFirst();
  }
}
