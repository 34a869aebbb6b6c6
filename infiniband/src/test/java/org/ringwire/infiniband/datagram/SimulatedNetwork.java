package org.ringwire.infiniband.datagram;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Carries datagrams between ends in virtual time: late, twice, damaged, or not at all. */
final class SimulatedNetwork {

  private final SplittableRandom random;
  private final double loss;
  private final double duplication;
  private final double damage;
  private final long latencyNs;
  private final long jitterNs;
  private final PriorityQueue<Packet> packets =
      new PriorityQueue<>(Comparator.comparingLong(Packet::atNs).thenComparingLong(Packet::order));
  private long sent;
  long nowNs = 1_000_000_007;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Packet(long atNs, long order, SimulatedEnd to, byte[] bytes) {}

  SimulatedNetwork(
      SplittableRandom random,
      double loss,
      double duplication,
      double damage,
      long latencyNs,
      long jitterNs) {
    this.random = random;
    this.loss = loss;
    this.duplication = duplication;
    this.damage = damage;
    this.latencyNs = latencyNs;
    this.jitterNs = jitterNs;
  }

  void send(SimulatedEnd to, byte[] bytes) {
    sent++;
    if (random.nextDouble() < loss) {
      return;
    }
    int copies = random.nextDouble() < duplication ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      byte[] copy = bytes.clone();
      if (random.nextDouble() < damage) { // of the head: the content is the network's to guard
        copy[random.nextInt(Datagram.LENGTH)] ^= (byte) (1 << random.nextInt(8));
      }
      long atNs = nowNs + latencyNs + (jitterNs == 0 ? 0 : random.nextLong(jitterNs));
      packets.add(new Packet(atNs, sent, to, copy));
    }
  }

  long sent() {
    return sent;
  }

  /** Goes on to the next thing that happens at either end; false if nothing will. */
  boolean step(SimulatedEnd one, SimulatedEnd two) {
    one.pump(nowNs);
    two.pump(nowNs);
    long deadlineNs = Math.min(one.conversation.deadlineNs(), two.conversation.deadlineNs());
    Packet packet = packets.peek();
    if (packet != null && packet.atNs() <= deadlineNs) {
      packets.remove();
      nowNs = Math.max(nowNs, packet.atNs());
      packet.to().arrived(packet.bytes(), nowNs);
      return true;
    }
    if (deadlineNs == Conversation.NEVER) {
      return false;
    }
    nowNs = Math.max(nowNs + 1, deadlineNs);
    return true;
  }
}
