package org.ringwire.tools.bench.scale;

import java.util.List;
import java.util.Locale;

/** The curve for people. */
final class ScaleTable {

  private static final double MIB = 1 << 20;

  private ScaleTable() {}

  static String of(List<ScalePoint> points) {
    StringBuilder text = new StringBuilder();
    text.append(
        "peers  connect  resident   peak  native   heap  per idle peer  idle CPU  per message"
            + "  CPU/message    RTT     ratio to the first: wall  CPU   RTT\n");
    ScalePoint first = points.getFirst();
    for (ScalePoint point : points) {
      first = point.round() == first.round() ? first : point;
      double perPeer =
          point.peers() == first.peers()
              ? 0
              : (point.residentBytes() - first.residentBytes())
                  / 1024.0
                  / (point.peers() - first.peers());
      text.append(
          String.format(
              Locale.ROOT,
              "%5d %6.1f s %5.0f MiB %4.0f M %5.1f M %4.1f M %9.1f KiB %7.2f %% %8.0f ns %9.0f ns"
                  + " %6.1f us %25.2f %5.2f %5.2f%n",
              point.peers(),
              point.connectSeconds(),
              point.residentBytes() / MIB,
              point.peakResidentBytes() / MIB,
              point.nativeBytes() / MIB,
              point.heapBytes() / MIB,
              perPeer,
              point.idleCpuPercent(),
              point.nanosPerMessage(),
              point.cpuNanosPerMessage(),
              point.rttMicros(),
              point.wallRatio(),
              point.cpuRatio(),
              point.rttRatio()));
    }
    return text.toString().stripTrailing();
  }
}
