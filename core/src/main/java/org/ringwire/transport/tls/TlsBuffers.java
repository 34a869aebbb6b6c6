package org.ringwire.transport.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.ring.ReceiveBufferPool;

/**
 * The memory that the links of a transport share: native buffers of some records, and buffers for
 * one record each, on the heap because the JDK's ciphers are twice as fast there. A link borrows
 * when it has something to write or to read and gives back when it is done, so that idle links hold
 * none, except for one on the heap while the rest of a record is on its way. Any thread; no locks.
 */
final class TlsBuffers implements AutoCloseable {

  /** Bytes of a native buffer: some records, written or handed to the handler at once. */
  static final int BATCH = 128 << 10;

  /**
   * Bytes of the longest record: 2^14 of content, 256 for its protection, and a header of 5 (RFC
   * 8446, section 5.2); the JDK asks for a little more.
   */
  static final int RECORD = 17 << 10;

  private static final long MAX_IDLE_BYTES = 16 << 20;
  private static final int SPARE_RECORDS = 64;

  private final ReceiveBufferPool batches = new ReceiveBufferPool(MAX_IDLE_BYTES);
  private final AtomicReferenceArray<ByteBuffer> records =
      new AtomicReferenceArray<>(SPARE_RECORDS);

  /** A native buffer, to be released. */
  ReceiveBuffer batch() {
    return batches.acquire(BATCH);
  }

  /** Native buffers that are lent. */
  long lent() {
    return batches.outstanding();
  }

  /** A buffer with an array for a record, empty, to be given back. */
  ByteBuffer record() {
    for (int i = 0; i < SPARE_RECORDS; i++) {
      if (records.getPlain(i) != null) {
        ByteBuffer spare = records.getAndSet(i, null);
        if (spare != null) {
          return spare.clear();
        }
      }
    }
    return ByteBuffer.allocate(RECORD);
  }

  /** Takes a buffer back. */
  void giveBack(ByteBuffer record) {
    for (int i = 0; i < SPARE_RECORDS; i++) {
      if (records.getPlain(i) == null && records.compareAndSet(i, null, record)) {
        return;
      }
    }
  }

  /** Frees some of what lies idle. */
  void trim() {
    batches.trim();
    records.set(SPARE_RECORDS - 1, null);
    for (int i = SPARE_RECORDS / 2; i < SPARE_RECORDS; i++) {
      records.set(i, null);
    }
  }

  @Override
  public void close() {
    batches.close();
  }
}
