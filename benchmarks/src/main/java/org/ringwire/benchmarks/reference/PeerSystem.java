package org.ringwire.benchmarks.reference;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ringwire.benchmarks.reference.aeron.AeronProgram;
import org.ringwire.benchmarks.reference.c.CProgram;
import org.ringwire.benchmarks.reference.grpc.GrpcProgram;
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.jeromq.JeroMqProgram;
import org.ringwire.benchmarks.reference.mpi.MpiProgram;
import org.ringwire.benchmarks.reference.netty.NettyEngine;
import org.ringwire.benchmarks.reference.netty.NettyProgram;
import org.ringwire.benchmarks.reference.plain.PlainProgram;
import org.ringwire.benchmarks.reference.rmi.RmiProgram;

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
              () -> NettyProgram.of(NettyEngine.Kind.EPOLL)),
          new PeerSystem(
              "netty-nio",
              "the same over the JDK's selector",
              () -> NettyProgram.of(NettyEngine.Kind.NIO)),
          new PeerSystem(
              "netty-io_uring",
              "Netty: 64 messages encoded into one buffer by the user",
              () -> NettyProgram.of(NettyEngine.Kind.IO_URING)),
          new PeerSystem(
              "netty-epoll-aggregated",
              "netty-epoll with the buffers of netty-io_uring (stream)",
              () -> NettyProgram.aggregated(NettyEngine.Kind.EPOLL)),
          new PeerSystem(
              "netty-nio-aggregated",
              "netty-nio with the buffers of netty-io_uring (stream)",
              () -> NettyProgram.aggregated(NettyEngine.Kind.NIO)),
          new PeerSystem("aeron-ipc", "Aeron over shared memory", AeronProgram::ipc),
          new PeerSystem("aeron-udp", "Aeron over UDP", AeronProgram::udp),
          new PeerSystem("jeromq", "ZeroMQ in Java: PUSH and PULL over TCP", JeroMqProgram::new),
          new PeerSystem(
              "grpc", "gRPC over HTTP/2: unary calls, and a stream per thread", GrpcProgram::new),
          new PeerSystem("rmi", "the JDK's remote method invocation (no stream)", RmiProgram::new),
          new PeerSystem(
              "c",
              "the kernel's limit: bytes without messages (stream, pingpong); needs a C compiler",
              CProgram::tcp),
          new PeerSystem("c-zerocopy", "the same with MSG_ZEROCOPY (stream)", CProgram::zeroCopy),
          new PeerSystem(
              "c-busy-poll", "the same with SO_BUSY_POLL (pingpong)", CProgram::busyPoll),
          new PeerSystem("c-io_uring", "as c, by io_uring (stream, pingpong)", CProgram::uring),
          new PeerSystem(
              "c-io_uring-zerocopy",
              "the same, and the sender lets the kernel use its pages (stream)",
              CProgram::uringZeroCopy),
          new PeerSystem("c-unix", "as c, over a Unix socket", CProgram::unix),
          new PeerSystem(
              "c-shm",
              "the memory's limit: numbered messages through a mapped ring (stream, pingpong)",
              CProgram::shm),
          new PeerSystem(
              "mpi-tcp",
              "Open MPI over TCP, in C, spinning (stream, pingpong); needs mpicc and mpirun",
              MpiProgram::tcp),
          new PeerSystem("mpi-shm", "the same over shared memory", MpiProgram::shm));

  /** As one line, like those of {@code ./ringwire bench compare --list --json}. */
  public String toJson() {
    ObjectNode line = new ObjectMapper().createObjectNode();
    line.put("kind", "system");
    line.put("system", label);
    line.put("description", description);
    return line.toString();
  }

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
