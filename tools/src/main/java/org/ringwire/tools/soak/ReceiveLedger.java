package org.ringwire.tools.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What one life of a node has received of one life of another, in a file. A message is delivered
 * when its bit is set, which its handler does before anything else: a process that is killed before
 * has not delivered it, one that is killed after has, and in neither case was it credited to the
 * sender as processed, for that comes after the handler. A bit that was set before is a duplicate.
 *
 * <p>Written by any thread, for the old connection of a peer may still be served beside a new one.
 */
final class ReceiveLedger implements AutoCloseable {

  private static final long RECEIVER = 0;
  private static final long SENDER = 8;
  private static final long SENDER_LIFE = 16;
  private static final long STREAMS = SendLedger.STREAMS;
  private static final long CAPACITY = 32;
  private static final long DUPLICATES = 40;
  private static final long DAMAGED = 48;
  private static final long INVERSIONS = 56;
  private static final long HEADER = 64;

  /** Per stream, in a cache line of its own: one more than the highest number that came. */
  private static final long HIGHEST = 64;

  private static final long MAX_INVERSIONS = 1 << 16;
  private static final long INVERSION = 3 * Long.BYTES;

  private final MappedFile file;
  private final long capacity;
  private final long inversions;
  private final long bits;

  /** A message that came after one with a higher number. */
  record Inversion(int stream, long number, long higher) {}

  private ReceiveLedger(MappedFile file, int streams, long capacity) {
    this.file = file;
    this.capacity = capacity;
    inversions = HEADER + streams * HIGHEST;
    bits = inversions + MAX_INVERSIONS * INVERSION;
  }

  /** The ledger for what comes from a life of a node that was not heard of before. */
  static ReceiveLedger create(SoakSpec receiver, int sender, int senderLife) {
    int streams = receiver.streams();
    long length =
        HEADER
            + streams * (HIGHEST + SendLedger.bitmapLength(receiver.capacity()))
            + MAX_INVERSIONS * INVERSION;
    MappedFile file = MappedFile.create(receiver.receivedFile(sender, senderLife), length);
    file.set(RECEIVER, receiver.node());
    file.set(SENDER, sender);
    file.set(SENDER_LIFE, senderLife);
    file.set(CAPACITY, receiver.capacity());
    file.set(STREAMS, streams);
    return new ReceiveLedger(file, streams, receiver.capacity());
  }

  /** The ledger that a life has left behind. */
  static ReceiveLedger open(Path path) {
    MappedFile file = MappedFile.open(path);
    return new ReceiveLedger(file, (int) file.get(STREAMS), file.get(CAPACITY));
  }

  /** A message that goes one way is being handled: its stream must rise. */
  void deliver(int stream, long number) {
    if (!file.setBit(bitmap(stream), number)) {
      file.getAndAdd(DUPLICATES, 1);
      return;
    }
    long highest = file.getAndRaise(HEADER + stream * HIGHEST, number + 1);
    if (number + 1 < highest) {
      invert(stream, number, highest - 1);
    }
  }

  /** A request is being handled; requests may overtake each other. */
  void deliverUnordered(int stream, long number) {
    if (!file.setBit(bitmap(stream), number)) {
      file.getAndAdd(DUPLICATES, 1);
    }
  }

  /** A message was not what was sent. */
  void damaged() {
    file.getAndAdd(DAMAGED, 1);
  }

  private void invert(int stream, long number, long higher) {
    long index = file.getAndAdd(INVERSIONS, 1);
    if (index < MAX_INVERSIONS) {
      long entry = inversions + index * INVERSION;
      file.set(entry + 8, number);
      file.set(entry + 16, higher);
      file.set(entry, stream + 1L); // last: without it there is no entry
    }
  }

  int receiver() {
    return (int) file.get(RECEIVER);
  }

  int sender() {
    return (int) file.get(SENDER);
  }

  int senderLife() {
    return (int) file.get(SENDER_LIFE);
  }

  long duplicates() {
    return file.get(DUPLICATES);
  }

  long damagedMessages() {
    return file.get(DAMAGED);
  }

  /** Inversions beyond those that the file has room for; nothing is known of them. */
  long untoldInversions() {
    return Math.max(0, file.get(INVERSIONS) - MAX_INVERSIONS);
  }

  List<Inversion> inversions() {
    List<Inversion> list = new ArrayList<>();
    for (long i = 0; i < Math.min(MAX_INVERSIONS, file.get(INVERSIONS)); i++) {
      long entry = inversions + i * INVERSION;
      long stream = file.get(entry) - 1;
      if (stream >= 0) { // else the process was killed while it wrote this
        list.add(new Inversion((int) stream, file.get(entry + 8), file.get(entry + 16)));
      }
    }
    return list;
  }

  /** Which of 64 messages were delivered, the first of which has a multiple of 64 as its number. */
  long deliveredBits(int stream, long number) {
    return file.bits(bitmap(stream), number);
  }

  /** One more than the highest number that a bit may be set for. */
  long capacity() {
    return capacity;
  }

  private long bitmap(int stream) {
    return bits + stream * SendLedger.bitmapLength(capacity);
  }

  @Override
  public void close() {
    file.close();
  }
}
