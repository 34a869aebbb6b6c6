package org.ringwire.benchmarks.verbs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.JsonLine;
import org.ringwire.tools.console.Text;
import org.ringwire.tools.process.ChildCommand;
import org.ringwire.tools.process.ChildProcess;

/** Two processes with a node each, which know each other. */
final class Pair implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final List<ChildProcess> peers = new ArrayList<>();

  private Pair() {}

  /**
   * Starts both.
   *
   * @param vmOptions of their virtual machines
   */
  static Pair start(String transport, String mode, List<String> vmOptions) {
    Pair pair = new Pair();
    try {
      List<String> addresses = new ArrayList<>();
      for (int id = 1; id <= 2; id++) {
        ChildCommand command =
            new ChildCommand(
                "node " + id,
                Peer.class,
                vmOptions,
                List.of(Integer.toString(id), transport, mode));
        pair.peers.add(ChildProcess.start(command));
        addresses.add(pair.peers.getLast().awaitReady(START));
      }
      for (int id = 1; id <= 2; id++) {
        ChildProcess peer = pair.peers.get(id - 1);
        peer.send(Peer.MEET + " " + (3 - id) + " " + addresses.get(2 - id));
        peer.awaitReady(START);
      }
      return pair;
    } catch (RuntimeException e) {
      pair.close();
      throw e;
    }
  }

  /**
   * What a measurement gave.
   *
   * @param messages in both directions
   * @param perSecond of them
   * @param micros of round trips
   * @param verbs what both transports counted meanwhile
   */
  record Result(long messages, double perSecond, @Nullable RttMicros micros, Verbs verbs) {}

  /** Messages one way, or both ways at once. */
  Result stream(Cell cell, double seconds) {
    Verbs before = verbs();
    List<ChildProcess> senders = peers.subList(0, cell.directions());
    senders.forEach(peer ->
        peer.send(Text.format("%s %d %d %s", Peer.STREAM, cell.size(), cell.threads(), seconds)));
    long messages = 0;
    double perSecond = 0;
    for (ChildProcess sender : senders) {
      Peer.Ran ran = JsonLine.read(sender.awaitLine(PATIENCE), Peer.Ran.class);
      messages += ran.messages();
      perSecond += ran.messages() / ran.seconds();
    }
    return new Result(messages, perSecond, null, verbs().since(before));
  }

  /** Round trips, one after the other. */
  Result echo(Cell cell, double seconds) {
    Verbs before = verbs();
    peers.getFirst().send(Text.format("%s %d %s", Peer.ECHO, cell.size(), seconds));
    Peer.Ran ran = JsonLine.read(peers.getFirst().awaitLine(PATIENCE), Peer.Ran.class);
    return new Result(
        ran.messages(), ran.messages() / ran.seconds(), ran.micros(), verbs().since(before));
  }

  private Verbs verbs() {
    Verbs all = Verbs.NONE;
    for (ChildProcess peer : peers) {
      all = all.plus(Verbs.of(counters(peer)));
    }
    return all;
  }

  /** What the compilers of both have cost so far, in milliseconds. */
  long compilerMillis() {
    long millis = 0;
    for (ChildProcess peer : peers) {
      peer.send(Peer.COMPILERS);
      millis += Long.parseLong(peer.awaitLine(PATIENCE));
    }
    return millis;
  }

  private static Peer.Counters counters(ChildProcess peer) {
    peer.send(Peer.COUNTERS);
    return JsonLine.read(peer.awaitLine(PATIENCE), Peer.Counters.class);
  }

  /**
   * Makes sure that every byte that the nodes have exchanged went over queue pairs.
   *
   * @param isAll whether nothing else went there
   * @throws CommandException if not
   */
  void checkBytes(boolean isAll) {
    long endNs = System.nanoTime() + START.toNanos();
    while (true) { // signs of life go on, and are counted by the one before the other
      Peer.Counters one = counters(peers.getFirst());
      Peer.Counters two = counters(peers.getLast());
      boolean match =
          one.bytesSent() == two.bytesReceived() && two.bytesSent() == one.bytesReceived();
      if (match && one.addUp(isAll) && two.addUp(isAll)) {
        return;
      }
      if (System.nanoTime() - endNs > 0) {
        throw new CommandException(
            "bytes sent are not the bytes of the queue pairs: " + one + " " + two);
      }
    }
  }

  @Override
  public void close() {
    for (ChildProcess peer : peers) {
      if (peer.isAlive()) {
        peer.send(Peer.END);
        peer.awaitExit(START);
      }
    }
    peers.forEach(ChildProcess::close);
  }
}
