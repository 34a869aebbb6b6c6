package org.ringwire.benchmarks.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The message of many small objects: 1024 of them. */
@SuppressWarnings("ArrayRecordComponent")
public record Points(Point[] points) {
  private static final int COUNT = 1024;

  static Points example() {
    Point[] points = new Point[COUNT];
    for (int i = 0; i < COUNT; i++) {
      points[i] = new Point(i * 7_919, -i * 104_729);
    }
    return new Points(points);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Points that && Arrays.equals(points, that.points);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(points);
  }
}
