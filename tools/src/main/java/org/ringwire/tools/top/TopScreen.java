package org.ringwire.tools.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ringwire.tools.top.TopResult.Peer;
import org.ringwire.tools.top.TopResult.Slow;

/** A result as lines of text for people. */
final class TopScreen {

  private static final String[] PREFIXES = {"", "k", "M", "G", "T"};

  private TopScreen() {}

  /**
   * The lines.
   *
   * @param rows connections, and slow handlers, that are shown at most
   */
  static List<String> of(String source, TopResult result, int rows) {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "node %d (%s)   up %s   %d connections, %d lost, %d frames rejected",
            result.nodeId(),
            source,
            duration(result.ageSeconds()),
            result.connections(),
            result.connectionsLost(),
            result.framesRejected()));
    lines.add(
        format(
            "messages/s  sent %s  received %s  handled %s     bytes/s  sent %s  received %s",
            number(result.messagesSent()),
            number(result.messagesReceived()),
            number(result.messagesHandled()),
            number(result.bytesSent()),
            number(result.bytesReceived())));
    lines.add(
        format(
            "handlers    %d of %d busy, %d wait for other nodes, %d messages queued, %d failures",
            result.handlersBusy(),
            result.handlerThreads(),
            result.handlersWaiting(),
            result.queuedMessages(),
            result.handlerFailures()));
    lines.add(
        format(
            "senders     %.1f blocked, %d requests outstanding     memory  native %s  windows %s",
            result.blockedSenders(),
            result.requestsOutstanding(),
            number((double) result.nativeBytes()),
            number((double) result.windowBytes())));
    if (result.messagesLost() > 0 || result.messagesUncertain() > 0) {
      lines.add(
          format(
              "ended       with connections: %d messages lost, %d uncertain",
              result.messagesLost(), result.messagesUncertain()));
    }
    lines.add("");
    lines.add(
        format(
            "%6s %9s %9s %9s %9s %7s %6s %8s %8s",
            "peer",
            "sent/s",
            "recv/s",
            "B sent/s",
            "B recv/s",
            "window",
            "ring",
            "waiting",
            "queued"));
    result.peers().stream().limit(rows).map(TopScreen::peer).forEach(lines::add);
    if (result.peers().size() > rows) {
      lines.add(format("       and %d more", result.peers().size() - rows));
    }
    if (!result.slowHandlers().isEmpty()) {
      lines.add("");
      lines.add(format("%9s %11s %11s  %s", "times", "longest ms", "last ms", "slow handler of"));
      result.slowHandlers().stream().limit(rows).map(TopScreen::slow).forEach(lines::add);
    }
    return lines;
  }

  private static String peer(Peer peer) {
    return format(
        "%6d %9s %9s %9s %9s %6.0f%% %5.0f%% %8d %8d",
        peer.nodeId(),
        number(peer.messagesSent()),
        number(peer.messagesReceived()),
        number(peer.bytesSent()),
        number(peer.bytesReceived()),
        100 * peer.windowFill(),
        100 * peer.ringFill(),
        peer.waitingSenders(),
        peer.queuedMessages());
  }

  private static String slow(Slow slow) {
    return format(
        "%9d %11.1f %11.1f  %s",
        slow.count(), slow.longestMillis(), slow.lastMillis(), slow.messageType());
  }

  /** Three digits and a prefix, or fewer. */
  static String number(double value) {
    int prefix = 0;
    double rest = value;
    while (rest >= 999.5 && prefix < PREFIXES.length - 1) {
      rest /= 1000;
      prefix++;
    }
    return format(rest >= 99.95 || prefix == 0 ? "%.0f%s" : "%.1f%s", rest, PREFIXES[prefix]);
  }

  private static String duration(double seconds) {
    long whole = (long) seconds;
    return whole < 3600
        ? format("%d:%02d", whole / 60, whole % 60)
        : format("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }

  @SuppressWarnings("AnnotateFormatMethod") // of a dependency that is not worth it
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
