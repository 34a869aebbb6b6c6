package org.ringwire.wire;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.wire.assembly.FrameConsumer;

/** Keeps what an assembler hands out. */
public final class FrameRecorder implements FrameConsumer {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Long> headers = new ArrayList<>();

  @Override
  public void frame(MemorySegment memory, long offset, long header) {
    int length = (int) FrameLayout.occupied(FrameLayout.length(header));
    byte[] frame = new byte[length];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, frame, 0, length);
    bytes.writeBytes(frame);
    headers.add(header);
  }

  /** All frames, one after the other: the stream again. */
  public byte[] bytes() {
    return bytes.toByteArray();
  }

  public List<Long> headers() {
    return headers;
  }

  public int count() {
    return headers.size();
  }
}
