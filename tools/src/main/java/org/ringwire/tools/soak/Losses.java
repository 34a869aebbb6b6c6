package org.ringwire.tools.soak;

import java.util.List;

/**
 * The reports of one life of a node about its connections to another, and what they can explain.
 *
 * <p>Connections to a node follow one another, and each delivers the beginning of what it accepted
 * of a stream. So a gap in what was delivered of a stream is the end of one connection (or of
 * several, if nothing of the later ones came through), and the report about it came after the
 * messages of the gap were begun, and before, or soon after, the message that follows the gap was.
 * Soon: a report comes when the connection's links are closed, while the next connection may be in
 * use already, since when {@link Successors} say. Connections that were dismissed have delivered
 * everything, and explain nothing.
 */
final class Losses {

  /**
   * Messages of a stream begun before a process was killed whose connection's end it cannot tell.
   */
  static final long UNTOLD = 9000;

  private final List<SendLedger.Loss> losses;
  private final boolean complete;

  /**
   * Reports in the order in which they came.
   *
   * @param complete whether the last is about the last connection: then nothing came after it
   */
  Losses(List<SendLedger.Loss> losses, boolean complete) {
    this.losses = losses;
    this.complete = complete;
  }

  /** In place of a message that came after a gap. */
  static final long NOTHING = Long.MAX_VALUE;

  /** A gap: the first message that is missing, the next that came, how many are missing. */
  record Gap(int stream, long first, long next, long missing) {}

  /** Index of the first report that may be about a connection that took a message. */
  private int earliest(int stream, long number) {
    int index = 0;
    while (index < losses.size() && losses.get(index).begun()[stream] <= number) {
      index++;
    }
    return index;
  }

  /** Index of the last report about a connection that had ended before a message was begun. */
  private int latest(int stream, long number) {
    int candidates = complete && number != NOTHING ? losses.size() - 1 : losses.size();
    int index = -1;
    while (index + 1 < candidates && losses.get(index + 1).since()[stream] <= number) {
      index++;
    }
    return index;
  }

  /**
   * Whether some connection ended between two messages of a stream while the peer had more to
   * handle than it had said: then the next connection may be served beside it.
   */
  boolean separate(int stream, long number, long later) {
    int last = latest(stream, later);
    for (int index = earliest(stream, number); index <= last; index++) {
      if (losses.get(index).uncertain() > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * At least how many messages are missing that no report can explain: no set of reports may have
   * to explain more messages than it names, nor more gaps of one stream than it has members.
   */
  long unexplained(List<Gap> gaps, int streams) {
    int count = gaps.size();
    int[] from = new int[count];
    int[] to = new int[count];
    long impossible = 0;
    for (int i = 0; i < count; i++) {
      Gap gap = gaps.get(i);
      from[i] = earliest(gap.stream(), gap.first());
      to[i] = latest(gap.stream(), gap.next());
      if (from[i] > to[i]) {
        impossible += gap.missing();
      }
    }
    long worst = 0;
    for (int first = 0; first < losses.size(); first++) {
      worst = Math.max(worst, excess(gaps, from, to, first, streams));
    }
    return impossible + worst;
  }

  /** The worst excess of what only reports from one on up to another can explain. */
  private long excess(List<Gap> gaps, int[] from, int[] to, int first, int streams) {
    long[] missingBy = new long[losses.size()];
    long[][] gapsBy = new long[losses.size()][streams];
    for (int i = 0; i < from.length; i++) {
      if (from[i] >= first && from[i] <= to[i]) {
        missingBy[to[i]] += gaps.get(i).missing();
        gapsBy[to[i]][gaps.get(i).stream()]++;
      }
    }
    long named = 0;
    long members = 0;
    long missing = 0;
    long worst = 0;
    long[] perStream = new long[streams];
    for (int last = first; last < losses.size(); last++) {
      long names = losses.get(last).lost() + losses.get(last).uncertain();
      named += names;
      members += names > 0 ? 1 : 0;
      missing += missingBy[last];
      worst = Math.max(worst, missing - named);
      for (int stream = 0; stream < streams; stream++) {
        perStream[stream] += gapsBy[last][stream];
        worst = Math.max(worst, perStream[stream] - members);
      }
    }
    return worst;
  }
}
