package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;

/**
 * Writes one image at a time, for one thread at a time. Objects are nested in each other down to
 * {@link #NESTING}; what lies deeper is put off until the nest is done, so that neither a stack nor
 * a graph has to be shallow.
 *
 * <p>Writes into the caller's memory where that cannot go away meanwhile, else, and when that is
 * too short, into memory of its own.
 */
public final class Encoder {
  /** How deep objects are nested; a decoder refuses more. */
  static final int NESTING = 100;

  private static final int FIRST_ROOM = 16 * 1024;

  /** Memory of its own that is kept for the next image. */
  private static final long KEPT_ROOM = 16L << 20;

  private static final int WIDE_TAGS = Tags.COUNT;

  private final Limits limits;
  private final boolean tracked;
  private final VisitedTable visited = new VisitedTable();
  private final List<Later> later = new ArrayList<>();

  /** By the ordinals of shapes: the tag, or a number from WIDE_TAGS on, or 0. */
  private int[] tags = new int[256];

  private int[] declared = new int[16];
  private int declaredCount;

  /** Memory of its own; the collector frees it with this object. */
  private MemorySegment own = Arena.ofAuto().allocate(FIRST_ROOM, Long.BYTES);

  private boolean isOwn;
  private long base;
  private long limit;
  private int unitDepth;
  private int depth;

  /** An object that was put off, and how deep it lies. */
  private record Later(Object object, int depth) {}

  /**
   * An encoder for images within limits.
   *
   * @param limits what an image may cost
   * @param tracked whether objects that were seen before are recognised
   */
  public Encoder(Limits limits, boolean tracked) {
    this.limits = limits;
    this.tracked = tracked;
  }

  /**
   * Encodes into memory of its own.
   *
   * @return the image, valid until the next call
   */
  public MemorySegment encode(@Nullable Object graph) {
    useOwnMemory();
    try {
      long length = write(graph); // may replace the memory
      return own.asSlice(0, length);
    } finally {
      Reference.reachabilityFence(own);
      reset();
    }
  }

  /**
   * Encodes into memory that the caller gives.
   *
   * @return the length of the image
   * @throws IndexOutOfBoundsException if it is longer than the memory
   */
  public long encode(@Nullable Object graph, MemorySegment target) {
    long room = target.byteSize();
    if (!DirectMemory.isSteady(target) || target.isReadOnly()) {
      MemorySegment image = encode(graph);
      return copy(image, target);
    }
    isOwn = false;
    base = target.address();
    limit = base + room;
    try {
      long length = write(graph);
      return isOwn ? copy(own.asSlice(0, length), target) : length;
    } finally {
      Reference.reachabilityFence(target);
      Reference.reachabilityFence(own);
      reset();
    }
  }

  private static long copy(MemorySegment image, MemorySegment target) {
    long length = image.byteSize();
    if (length > target.byteSize()) {
      throw new IndexOutOfBoundsException(
          "the image is longer than the memory: length=" + length + " memory=" + target.byteSize());
    }
    MemorySegment.copy(image, 0, target, 0, length);
    return length;
  }

  private void useOwnMemory() {
    if (own.byteSize() > KEPT_ROOM) {
      own = Arena.ofAuto().allocate(FIRST_ROOM, Long.BYTES);
    }
    isOwn = true;
    base = own.address();
    limit = base + own.byteSize();
  }

  private void reset() {
    visited.clear();
    later.clear();
    for (int i = 0; i < declaredCount; i++) {
      tags[declared[i]] = 0;
    }
    declaredCount = 0;
    depth = 0;
    unitDepth = 0;
  }

  private long write(@Nullable Object graph) {
    long a = require(base, Tags.HEADER_LENGTH) + Tags.HEADER_LENGTH;
    a = reference(graph, a);
    if (!later.isEmpty()) {
      a = writeLater(a);
    }
    long length = a - base;
    if (length > limits.bytes()) {
      throw tooLong();
    }
    int flags = tracked ? Tags.TRACKED : 0;
    UNSAFE.putInt(base, Tags.MAGIC | Tags.VERSION << 16 | flags << (Byte.SIZE * Tags.FLAGS_OFFSET));
    UNSAFE.putInt(base + Tags.OBJECTS_OFFSET, visited.count());
    UNSAFE.putLong(base + Tags.LENGTH_OFFSET, length);
    return length;
  }

  /** What was put off: of each nest in the order in which it was met, before what was older. */
  private long writeLater(long a) {
    long at = a;
    Collections.reverse(later);
    while (!later.isEmpty()) {
      Later next = later.removeLast();
      int mark = later.size();
      unitDepth = next.depth;
      depth = 0;
      at = reference(next.object, at);
      if (later.size() > mark + 1) {
        Collections.reverse(later.subList(mark, later.size()));
      }
    }
    return at;
  }

  /**
   * Makes sure that there is room, which may move what was written.
   *
   * @return the address to go on at
   */
  long require(long a, long bytes) {
    return limit - a >= bytes ? a : grow(a, bytes);
  }

  private long grow(long a, long bytes) {
    long used = a - base;
    if (used + bytes > limits.bytes()) {
      throw tooLong();
    }
    long room = Math.max(2 * Math.max(used, FIRST_ROOM), used + bytes);
    MemorySegment old = own;
    if (isOwn || own.byteSize() < used + bytes) {
      own = Arena.ofAuto().allocate(room, Long.BYTES);
    }
    try {
      UNSAFE.copyMemory(base, own.address(), used);
    } finally {
      Reference.reachabilityFence(old);
    }
    isOwn = true;
    base = own.address();
    limit = base + own.byteSize();
    return base + used;
  }

  private EncodingException tooLong() {
    return new EncodingException(
        "the graph is too large: limit of bytes=" + limits.bytes() + cycleHint());
  }

  private String cycleHint() {
    return tracked ? "" : "; does it have a cycle? Cycle detection is off";
  }

  /** Writes a reference of any kind. */
  long reference(@Nullable Object o, long a) {
    if (o != null) {
      return Shapes.of(o.getClass()).write(o, a, this);
    }
    long at = require(a, 1);
    UNSAFE.putByte(at, (byte) Tags.NULL);
    return at + 1;
  }

  /** Whether an object that may nest deeper has to be put off. */
  boolean isFull() {
    return depth >= NESTING;
  }

  /** Whether objects have numbers. */
  boolean isTracked() {
    return tracked;
  }

  /** The number of an object that was written before, or -1, and from now on it has been. */
  int visit(Object o, int contentHash) {
    return visited.visit(o, contentHash);
  }

  /** Refers to an object that was written before; room for a tag has to be there. */
  static long back(int number, long a) {
    UNSAFE.putByte(a, (byte) Tags.BACK);
    UNSAFE.putInt(a + 1, number);
    return a + 1 + Integer.BYTES;
  }

  /**
   * Writes the tag of a shape; room for one has to be there.
   *
   * @param more bytes that there has to be room for behind it
   */
  long tag(Shape shape, int ordinal, long more, long a) {
    int[] table = tags;
    int tag = ordinal < table.length ? table[ordinal] : 0;
    if (tag == 0 || tag >= WIDE_TAGS) {
      return require(declare(shape, tag, a), more);
    }
    UNSAFE.putByte(a, (byte) tag);
    return a + 1;
  }

  /** The tag of a shape that was written already, or what is no tag of a byte. */
  int tagOf(int ordinal) {
    int tag = tags[ordinal];
    return tag == 0 ? Tags.COUNT : tag;
  }

  /** Leaves an object for later; room for a tag has to be there. */
  long putOff(Object o, long a) {
    later.add(new Later(o, unitDepth + depth));
    UNSAFE.putByte(a, (byte) Tags.DEFERRED);
    return a + 1;
  }

  /** Writes a tag that is longer than a byte, or new. */
  private long declare(Shape shape, int tag, long a) {
    if (tag != 0) {
      UNSAFE.putByte(a, (byte) Tags.WIDE);
      UNSAFE.putInt(a + 1, tag - WIDE_TAGS);
      return a + 1 + Integer.BYTES;
    }
    if (shape.ordinal >= tags.length) {
      tags = Arrays.copyOf(tags, Math.max(2 * tags.length, shape.ordinal + 1));
    }
    if (shape.tag != 0) {
      tags[shape.ordinal] = shape.tag; // for all images to come
      UNSAFE.putByte(a, (byte) shape.tag);
      return a + 1;
    }
    int number = declaredCount++;
    if (number == declared.length) {
      declared = Arrays.copyOf(declared, 2 * number);
    }
    declared[number] = shape.ordinal;
    tags[shape.ordinal] = Tags.DECLARED + number; // from WIDE_TAGS on by itself
    int length = shape.description.length;
    long at = require(a, 1 + Integer.BYTES + (long) length);
    UNSAFE.putByte(at, (byte) Tags.DECLARE);
    UNSAFE.putInt(at + 1, length);
    Raw.copyOut(shape.description, at + 1 + Integer.BYTES);
    return at + 1 + Integer.BYTES + length;
  }

  /** Goes one level deeper. */
  void enter() {
    if (++depth + unitDepth > limits.depth()) {
      throw new EncodingException(
          "the graph is too deep: limit of depth=" + limits.depth() + cycleHint());
    }
  }

  /** Goes back up. */
  void leave() {
    depth--;
  }
}
