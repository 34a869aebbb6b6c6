package org.ringwire.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.ringwire.Dispatch;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;

/** Two nodes over {@code -Dtransport} that talk for the first time; says when they begin to. */
final class FirstUseProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  record Ask(long number) {}

  record Answer(long number) {}

  record Told(long number) {}

  @SuppressWarnings("ArrayRecordComponent")
  record Block(byte[] bytes) {}

  record Refused(long number) {}

  enum Colour {
    RED
  }

  /** One of each kind that a component may be of. */
  @SuppressWarnings("ArrayRecordComponent")
  record Kinds(
      byte number,
      char character,
      double fraction,
      boolean flag,
      Integer boxed,
      String text,
      Colour colour,
      long[] longs,
      List<String> list,
      Set<Long> set,
      Map<Colour, Ask> map,
      Optional<Answer> maybe,
      Instant instant,
      UUID uuid) {}

  private FirstUseProgram() {}

  private static Kinds kinds() {
    return new Kinds(
        (byte) 1,
        'c',
        1.5,
        true,
        2,
        "text",
        Colour.RED,
        new long[] {1},
        List.of("one"),
        Set.of(1L),
        Map.of(Colour.RED, new Ask(1)),
        Optional.of(new Answer(1)),
        Instant.EPOCH,
        new UUID(1, 2));
  }

  public static void main(String[] args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    Node one = open(1, directory);
    Node two = open(2, directory);
    two.handle(Ask.class, Dispatch.POOLED, (ask, exchange) -> exchange.reply(new Answer(1)));
    two.handle(Told.class, Dispatch.INLINE, (told, exchange) -> {});
    two.handle(Block.class, Dispatch.BLOCKING, (block, exchange) -> {});
    two.handle(
        Refused.class,
        (refused, exchange) -> {
          throw new IllegalStateException("on purpose");
        });
    System.out.println("opened");
    one.request(2, new Ask(1), Answer.class, PATIENCE);
    one.requestAsync(2, new Ask(1), Answer.class, PATIENCE).join();
    one.send(2, new Told(2));
    one.send(2, new Block(new byte[2 << 20]));
    boolean _ = one.trySend(2, new Told(3)) == SendStatus.ACCEPTED;
    boolean _ = one.send(Set.of(2, 3), new Told(4)).allAccepted();
    failing(() -> one.request(2, new Refused(1), Answer.class, PATIENCE));
    failing(() -> one.request(2, kinds(), Answer.class, PATIENCE));
    failing(() -> one.request(3, new Ask(1), Answer.class, PATIENCE));
    directory.put(4, ProgramNodes.TRANSPORT.equals("tcp") ? "127.0.0.1:1" : "/nowhere");
    failing(() -> one.request(4, new Ask(1), Answer.class, PATIENCE));
    two.close();
    failing(() -> one.request(2, new Ask(1), Answer.class, PATIENCE));
    one.close();
    System.out.println("closed");
  }

  private static void failing(Runnable step) {
    try {
      step.run();
    } catch (MessagingException e) {
      // as it should
    }
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    return ProgramNodes.openKnown(id, directory, settings -> settings);
  }
}
