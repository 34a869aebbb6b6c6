package org.ringwire.tools.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.LossReport;

/**
 * What one life of a node has sent, in a file. Messages to a node are numbered per stream from 0. A
 * message leaves its traces in this order: <em>begun</em>, before the library sees it; then
 * <em>accepted</em> or <em>refused</em>, after the library has said so. So the file of a process
 * that was killed says of all but one message per thread what the library said; that one is begun
 * and no more. The file is <em>closed</em> after the node was: only then it tells everything that
 * the library had to report.
 *
 * <p>Each stream is written by one thread, reports by the listener's, anything is read by anybody.
 */
final class SendLedger implements AutoCloseable {

  private static final long NODE = 0;
  private static final long LIFE = 8;
  private static final long NODES = 16;

  /** In this and in the other kind of ledger written last of the head: 0 if there is no ledger. */
  static final long STREAMS = 24;

  private static final long CAPACITY = 32;
  private static final long CLOSED = 40;
  private static final long ROOM = 48;
  private static final long HEADER = 64;

  private static final long BEGUN = 0;
  private static final long ACCEPTED = 8;
  private static final long REFUSED = 16;
  private static final long COUNTERS = 64;

  /**
   * About one receiver: connections that were dismissed, messages that these accepted and
   * processed, reports that had come before the last of them; then the number of reports.
   */
  private static final long DISMISSED = 0;

  private static final long DISMISSED_ACCEPTED = 8;
  private static final long DISMISSED_PROCESSED = 16;
  private static final long DISMISSED_AFTER = 24;
  private static final long REPORTS = 32;
  private static final long FIRST_REPORT = 40;

  /** Reports about one receiver that there is room for, and one more for each second. */
  private static final int LEAST_ROOM = 4096;

  /** A report: accepted, processed, lost, uncertain; then per stream begun and since. */
  private static final int REPORT_NUMBERS = 4;

  private final MappedFile file;
  private final int nodes;
  private final int streams;
  private final long capacity;
  private final long room;
  private final long reports;
  private final long bits;
  private final Successors successors;

  /**
   * A report of the library about a connection that has ended.
   *
   * @param begun messages of each stream begun when the report came: later ones went elsewhere
   * @param since the number of each stream from which on messages may have gone elsewhere before
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Loss(
      long accepted, long processed, long lost, long uncertain, long[] begun, long[] since) {}

  private SendLedger(MappedFile file) {
    this.file = file;
    nodes = (int) file.get(NODES);
    streams = (int) file.get(STREAMS);
    capacity = file.get(CAPACITY);
    room = file.get(ROOM);
    reports = HEADER + (long) nodes * streams * COUNTERS;
    bits = reports + nodes * reportsLength(streams, room);
    successors = new Successors(this);
  }

  /** The ledger of a life that begins. */
  static SendLedger create(SoakSpec spec) {
    long room = LEAST_ROOM + spec.capacity() / spec.mostPerSecond();
    long length =
        HEADER
            + (long) spec.nodes() * spec.streams() * (COUNTERS + bitmapLength(spec.capacity()))
            + spec.nodes() * reportsLength(spec.streams(), room);
    MappedFile file = MappedFile.create(spec.sentFile(), length);
    file.set(NODE, spec.node());
    file.set(LIFE, spec.life());
    file.set(CAPACITY, spec.capacity());
    file.set(NODES, spec.nodes());
    file.set(ROOM, room);
    file.set(STREAMS, spec.streams());
    return new SendLedger(file);
  }

  /** The ledger that a life has left behind. */
  static SendLedger open(Path path) {
    return new SendLedger(MappedFile.open(path));
  }

  static long bitmapLength(long capacity) {
    return (capacity + 63) / 64 * Long.BYTES;
  }

  private static long reportsLength(int streams, long room) {
    return FIRST_REPORT + room * (REPORT_NUMBERS + 2L * streams) * Long.BYTES;
  }

  // Writing.

  /** A message is about to be handed to the library. */
  void begin(int receiver, int stream, long number) {
    file.set(counters(receiver, stream) + BEGUN, number + 1);
  }

  /** The library has accepted it. */
  void accept(int receiver, int stream, long number) {
    file.setBit(bitmap(receiver, stream), number);
    file.getAndAdd(counters(receiver, stream) + ACCEPTED, 1);
  }

  /** The library has refused it: it must never arrive. */
  void refuse(int receiver, int stream) {
    file.getAndAdd(counters(receiver, stream) + REFUSED, 1);
  }

  /** Another moment has passed, see {@link Successors}. */
  void tick() {
    successors.tick();
  }

  /** A connection to a node has begun. */
  void connected(int receiver) {
    successors.connected(receiver);
  }

  /** A connection was dismissed: there are many of these, and each must have delivered all. */
  void dismissed(LossReport report) {
    successors.ended(report.nodeId());
    long base = reports(report.nodeId());
    file.set(base + DISMISSED_AFTER, file.get(base + REPORTS));
    file.getAndAdd(base + DISMISSED_ACCEPTED, report.accepted());
    file.getAndAdd(base + DISMISSED_PROCESSED, report.processed());
    file.getAndAdd(base + DISMISSED, 1);
  }

  /** A connection has ended. */
  void report(LossReport report) {
    long base = reports(report.nodeId());
    long count = file.get(base + REPORTS);
    if (count == room) {
      throw new IllegalStateException("more connections were lost than the ledger has room for");
    }
    long entry = entry(base, count);
    file.set(entry, report.accepted());
    file.set(entry + 8, report.processed());
    file.set(entry + 16, report.lost());
    file.set(entry + 24, report.uncertain());
    long[] begun = begun(report.nodeId());
    long[] since = successors.ended(report.nodeId());
    for (int stream = 0; stream < streams; stream++) {
      file.set(entry + (REPORT_NUMBERS + stream) * 8L, begun[stream]);
      file.set(entry + (REPORT_NUMBERS + streams + stream) * 8L, since[stream]);
    }
    file.set(base + REPORTS, count + 1);
  }

  /** The node is closed, and has reported everything. */
  void closed() {
    file.set(CLOSED, 1);
  }

  // Reading.

  int node() {
    return (int) file.get(NODE);
  }

  int life() {
    return (int) file.get(LIFE);
  }

  int nodes() {
    return nodes;
  }

  int streams() {
    return streams;
  }

  /** Whether the life ended in good order. */
  boolean isClosed() {
    return file.get(CLOSED) == 1;
  }

  /** Of each stream. */
  long[] begun(int receiver) {
    long[] begun = new long[streams];
    for (int stream = 0; stream < streams; stream++) {
      begun[stream] = begun(receiver, stream);
    }
    return begun;
  }

  long begun(int receiver, int stream) {
    return file.get(counters(receiver, stream) + BEGUN);
  }

  long accepted(int receiver, int stream) {
    return file.get(counters(receiver, stream) + ACCEPTED);
  }

  long refused(int receiver, int stream) {
    return file.get(counters(receiver, stream) + REFUSED);
  }

  /** Which of 64 messages were accepted, the first of which has a multiple of 64 as its number. */
  long acceptedBits(int receiver, int stream, long number) {
    return file.bits(bitmap(receiver, stream), number);
  }

  /** All messages accepted so far that go one way. */
  long accepted() {
    long sum = 0;
    for (int receiver = 1; receiver <= nodes; receiver++) {
      for (int stream = 0; stream < streams - 1; stream++) {
        sum += accepted(receiver, stream);
      }
    }
    return sum;
  }

  /** Connections to all nodes that were dismissed. */
  long dismissals() {
    long sum = 0;
    for (int receiver = 1; receiver <= nodes; receiver++) {
      sum += file.get(reports(receiver) + DISMISSED);
    }
    return sum;
  }

  /** Messages that the dismissed connections to a node had accepted. */
  long dismissedAccepted(int receiver) {
    return file.get(reports(receiver) + DISMISSED_ACCEPTED);
  }

  /** Messages that were processed on the dismissed connections to a node. */
  long dismissedProcessed(int receiver) {
    return file.get(reports(receiver) + DISMISSED_PROCESSED);
  }

  /** Whether the last connection to a node that is known of ended by dismissal. */
  boolean isDismissedLast(int receiver) {
    long base = reports(receiver);
    return file.get(base + DISMISSED) > 0
        && file.get(base + DISMISSED_AFTER) == file.get(base + REPORTS);
  }

  /** The reports about connections to a node, in the order in which they came. */
  List<Loss> losses(int receiver) {
    long base = reports(receiver);
    List<Loss> losses = new ArrayList<>();
    for (long i = 0; i < file.get(base + REPORTS); i++) {
      long entry = entry(base, i);
      long[] begun = new long[streams];
      long[] since = new long[streams];
      for (int stream = 0; stream < streams; stream++) {
        begun[stream] = file.get(entry + (REPORT_NUMBERS + stream) * 8L);
        since[stream] = file.get(entry + (REPORT_NUMBERS + streams + stream) * 8L);
      }
      losses.add(
          new Loss(
              file.get(entry),
              file.get(entry + 8),
              file.get(entry + 16),
              file.get(entry + 24),
              begun,
              since));
    }
    return losses;
  }

  private long reports(int receiver) {
    return reports + (receiver - 1) * reportsLength(streams, room);
  }

  private long entry(long base, long index) {
    return base + FIRST_REPORT + index * (REPORT_NUMBERS + 2L * streams) * Long.BYTES;
  }

  private long counters(int receiver, int stream) {
    return HEADER + ((receiver - 1L) * streams + stream) * COUNTERS;
  }

  private long bitmap(int receiver, int stream) {
    return bits + ((receiver - 1L) * streams + stream) * bitmapLength(capacity);
  }

  @Override
  public void close() {
    file.close();
  }
}
