package org.ringwire.infiniband.msgud;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * Loses, doubles and delays datagrams between the device and the links. One that is delayed comes
 * after a few others; if none come, it is as good as lost, until its repetition does.
 */
final class LossySink implements DatagramSink {

  private static final double DOUBLED = 0.01;
  private static final double DELAYED = 0.02;
  private static final int MOST_DELAYED = 4;

  private final DatagramSink inner;
  private final IntConsumer release;
  private final double loss;
  private final SplittableRandom random = new SplittableRandom();
  private final ArrayDeque<Delayed> delayed = new ArrayDeque<>();
  private long arrivals;

  private record Delayed(long until, int buffer, int length, int source) {}

  LossySink(DatagramSink inner, IntConsumer release, double loss) {
    this.inner = inner;
    this.release = release;
    this.loss = loss;
  }

  @Override
  public boolean arrived(int buffer, int length, int source) {
    arrivals++;
    if (random.nextDouble() < loss) {
      return false;
    }
    if (random.nextDouble() < DELAYED && delayed.size() < MOST_DELAYED) {
      delayed.add(new Delayed(arrivals + random.nextInt(1, 8), buffer, length, source));
      return true;
    }
    boolean kept = inner.arrived(buffer, length, source);
    if (random.nextDouble() < DOUBLED) {
      kept |= inner.arrived(buffer, length, source);
    }
    comeLate();
    return kept;
  }

  private void comeLate() {
    for (int i = delayed.size(); i > 0; i--) {
      Delayed each = delayed.remove();
      if (each.until > arrivals) {
        delayed.add(each);
      } else if (!inner.arrived(each.buffer, each.length, each.source)) {
        release.accept(each.buffer);
      }
    }
  }
}
