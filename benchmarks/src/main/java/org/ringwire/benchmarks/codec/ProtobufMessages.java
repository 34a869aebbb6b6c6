package org.ringwire.benchmarks.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The two messages as Protobuf: fields numbered in order, points as sint32. */
final class ProtobufMessages {
  private static final int POINTS_FIELD = 1;

  int size(Small small) {
    return CodedOutputStream.computeInt64Size(1, small.id())
        + CodedOutputStream.computeInt32Size(2, small.sequence())
        + CodedOutputStream.computeInt32Size(3, small.channel())
        + CodedOutputStream.computeInt32Size(4, small.priority())
        + CodedOutputStream.computeBoolSize(5, small.urgent())
        + CodedOutputStream.computeDoubleSize(6, small.price())
        + CodedOutputStream.computeFloatSize(7, small.weight())
        + CodedOutputStream.computeStringSize(8, small.text());
  }

  void write(CodedOutputStream output, Small small) throws IOException {
    output.writeInt64(1, small.id());
    output.writeInt32(2, small.sequence());
    output.writeInt32(3, small.channel());
    output.writeInt32(4, small.priority());
    output.writeBool(5, small.urgent());
    output.writeDouble(6, small.price());
    output.writeFloat(7, small.weight());
    output.writeString(8, small.text());
  }

  Small readSmall(CodedInputStream input) throws IOException {
    long id = 0;
    int sequence = 0;
    int channel = 0;
    int priority = 0;
    boolean urgent = false;
    double price = 0;
    float weight = 0;
    String text = "";
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      switch (tag >>> 3) {
        case 1 -> id = input.readInt64();
        case 2 -> sequence = input.readInt32();
        case 3 -> channel = input.readInt32();
        case 4 -> priority = input.readInt32();
        case 5 -> urgent = input.readBool();
        case 6 -> price = input.readDouble();
        case 7 -> weight = input.readFloat();
        case 8 -> text = input.readStringRequireUtf8();
        default -> input.skipField(tag);
      }
    }
    return new Small(id, sequence, (short) channel, (byte) priority, urgent, price, weight, text);
  }

  int size(Points points) {
    int size = 0;
    for (Point point : points.points()) {
      int length = size(point);
      size +=
          CodedOutputStream.computeTagSize(POINTS_FIELD)
              + CodedOutputStream.computeUInt32SizeNoTag(length)
              + length;
    }
    return size;
  }

  private static int size(Point point) {
    return CodedOutputStream.computeSInt32Size(1, point.x())
        + CodedOutputStream.computeSInt32Size(2, point.y());
  }

  void write(CodedOutputStream output, Points points) throws IOException {
    for (Point point : points.points()) {
      output.writeTag(POINTS_FIELD, 2);
      output.writeUInt32NoTag(size(point));
      output.writeSInt32(1, point.x());
      output.writeSInt32(2, point.y());
    }
  }

  Points readPoints(CodedInputStream input) throws IOException {
    List<Point> points = new ArrayList<>();
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      int outer = input.pushLimit(input.readRawVarint32());
      points.add(readPoint(input));
      input.popLimit(outer);
    }
    return new Points(points.toArray(Point[]::new));
  }

  private static Point readPoint(CodedInputStream input) throws IOException {
    int x = 0;
    int y = 0;
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      switch (tag >>> 3) {
        case 1 -> x = input.readSInt32();
        case 2 -> y = input.readSInt32();
        default -> input.skipField(tag);
      }
    }
    return new Point(x, y);
  }
}
