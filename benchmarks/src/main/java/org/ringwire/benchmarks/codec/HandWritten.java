package org.ringwire.benchmarks.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * What a careful user would write for the two messages: one check for all fields of fixed width.
 */
final class HandWritten {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private HandWritten() {}

  static final class SmallCodec implements Codec<Small> {
    private static final int FIXED_LENGTH = 28;

    @Override
    public int length(Small message) {
      return FIXED_LENGTH + Lengths.ofString(message.text());
    }

    @Override
    public void encode(Small message, Writer writer) {
      long at = writer.advance(FIXED_LENGTH);
      MemorySegment memory = writer.memory();
      memory.set(LONG, at, message.id());
      memory.set(INT, at + 8, message.sequence());
      memory.set(SHORT, at + 12, message.channel());
      memory.set(ValueLayout.JAVA_BYTE, at + 14, message.priority());
      memory.set(ValueLayout.JAVA_BYTE, at + 15, (byte) (message.urgent() ? 1 : 0));
      memory.set(DOUBLE, at + 16, message.price());
      memory.set(FLOAT, at + 24, message.weight());
      writer.putString(message.text());
    }

    @Override
    public Small decode(Reader reader) {
      long at = reader.advance(FIXED_LENGTH);
      MemorySegment memory = reader.memory();
      return new Small(
          memory.get(LONG, at),
          memory.get(INT, at + 8),
          memory.get(SHORT, at + 12),
          memory.get(ValueLayout.JAVA_BYTE, at + 14),
          memory.get(ValueLayout.JAVA_BYTE, at + 15) != 0,
          memory.get(DOUBLE, at + 16),
          memory.get(FLOAT, at + 24),
          reader.getString());
    }
  }

  static final class PointsCodec implements Codec<Points> {
    private static final int POINT_LENGTH = 8;

    @Override
    public int length(Points message) {
      int count = message.points().length;
      return Lengths.ofCount(count) + POINT_LENGTH * count;
    }

    @Override
    public void encode(Points message, Writer writer) {
      Point[] points = message.points();
      writer.putCount(points.length);
      long at = writer.advance((long) POINT_LENGTH * points.length);
      MemorySegment memory = writer.memory();
      for (Point point : points) {
        memory.set(INT, at, point.x());
        memory.set(INT, at + 4, point.y());
        at += POINT_LENGTH;
      }
    }

    @Override
    public Points decode(Reader reader) {
      Point[] points = new Point[reader.getCount(POINT_LENGTH)];
      long at = reader.advance((long) POINT_LENGTH * points.length);
      MemorySegment memory = reader.memory();
      for (int i = 0; i < points.length; i++) {
        points[i] = new Point(memory.get(INT, at), memory.get(INT, at + 4));
        at += POINT_LENGTH;
      }
      return new Points(points);
    }
  }
}
