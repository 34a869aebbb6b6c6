package org.ringwire.tools.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.ringwire.tools.console.Text;

/** Reads the ledger that all lives of all nodes have left in a folder. */
final class Audit {

  /** A file of which not even the head was written: its process was killed in that moment. */
  private static final long SHORTEST = 64;

  private Audit() {}

  /**
   * What became of every message.
   *
   * @param strange receives a line for people about each pair that is not as it should be
   */
  static Tally of(Path folder, Consumer<String> strange) {
    List<AutoCloseable> open = new ArrayList<>();
    try {
      List<SendLedger> senders = read(folder, "sent-", SendLedger::open);
      open.addAll(senders);
      List<ReceiveLedger> receivers = read(folder, "received-", ReceiveLedger::open);
      open.addAll(receivers);
      Tally all = Tally.NONE;
      for (SendLedger sender : senders) {
        for (int receiver = 1; receiver <= sender.nodes(); receiver++) {
          Tally pair = new PairAudit(sender, receiver, of(receivers, sender, receiver)).tally();
          if (!pair.isGood()) {
            strange.accept(
                Text.format(
                    "node %d, life %d, to node %d: %s",
                    sender.node(), sender.life(), receiver, pair));
          }
          all = all.plus(pair);
        }
      }
      return all;
    } finally {
      open.forEach(Audit::close);
    }
  }

  /** All messages that were accepted so far, while nodes are at work. */
  static long accepted(Path folder) {
    return sum(folder, SendLedger::accepted);
  }

  /** Connections that were dismissed so far, counted at both ends. */
  static long dismissals(Path folder) {
    return sum(folder, SendLedger::dismissals);
  }

  private static long sum(Path folder, ToLongFunction<SendLedger> amount) {
    List<SendLedger> senders = read(folder, "sent-", SendLedger::open);
    long sum = senders.stream().mapToLong(amount).sum();
    senders.forEach(SendLedger::close);
    return sum;
  }

  private static List<ReceiveLedger> of(
      List<ReceiveLedger> receivers, SendLedger sender, int receiver) {
    return receivers.stream()
        .filter(ledger -> ledger.receiver() == receiver)
        .filter(ledger -> ledger.sender() == sender.node())
        .filter(ledger -> ledger.senderLife() == sender.life())
        .toList();
  }

  private static <T> List<T> read(Path folder, String prefix, Function<Path, T> open) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
          .filter(Audit::isBegun)
          .sorted()
          .map(open)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isBegun(Path file) {
    try (MappedFile head = Files.size(file) < SHORTEST ? null : MappedFile.open(file)) {
      return head != null && head.get(SendLedger.STREAMS) != 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(AutoCloseable ledger) {
    try {
      ledger.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
