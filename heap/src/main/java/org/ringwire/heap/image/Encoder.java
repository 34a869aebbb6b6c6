package org.ringwire.heap.image;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.heap.image.classes.RefusedField;
import org.ringwire.heap.image.classes.Shapes;
import org.ringwire.heap.image.memory.DirectMemory;
import org.ringwire.heap.image.memory.OwnMemory;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/**
 * Writes one image at a time, for one thread at a time. Objects are nested in each other down to
 * {@link #NESTING}; what lies deeper is put off until the nest is done, so that neither a stack nor
 * a graph has to be shallow.
 *
 * <p>Writes into the caller's memory where that cannot go away meanwhile, else, and when that is
 * too short, into memory of its own. An image that is streamed is handed out block by block from
 * there, so that it never has to be in memory as a whole. A block ends where {@link #require} finds
 * it full, never within what was asked for at once.
 */
public final class Encoder extends Output implements Pool.Kept {
  /** How deep objects are nested, but for leaves; a decoder refuses more than twice that. */
  public static final int NESTING = 100;

  private static final int FIRST_ROOM = 16 * 1024;
  private static final long KEPT_ROOM = 16L << 20; // of its own, for the next image
  private static final int WIDE_TAGS = Tags.COUNT;

  private final Limits limits;
  private final boolean tracked;

  /** Numbers of classes that outlive an image, or null if each image has its own. */
  private final @Nullable DeclaredClasses classes;

  private final VisitedTable visited = new VisitedTable();
  private final LaterObjects later = new LaterObjects();

  /** By the ordinals of shapes: the tag, or a number from WIDE_TAGS on, or 0. */
  private int[] tags = new int[256];

  private final DeclaredNumbers declared;

  /** Memory of its own; the collector frees it with this object. */
  private OwnMemory own = OwnMemory.forImage(FIRST_ROOM);

  private boolean isOwn;
  private long base;
  private long limit;
  private int unitDepth;
  private int depth;

  /** Where blocks go, if the image is streamed. */
  private @Nullable BlockSink sink;

  private long blockBytes;
  private long streamed;

  /**
   * An encoder for images within limits.
   *
   * @param limits what an image may cost
   * @param tracked whether objects that were seen before are recognised
   */
  public Encoder(Limits limits, boolean tracked) {
    this(limits, tracked, null);
  }

  /**
   * An encoder whose images declare a class once for all of them; they have to be streamed.
   *
   * @param limits what an image may cost
   * @param tracked whether objects that were seen before are recognised
   * @param classes is told which numbers classes get
   */
  public Encoder(Limits limits, boolean tracked, @Nullable DeclaredClasses classes) {
    this(limits, tracked, classes, new DeclaredNumbers());
  }

  Encoder(
      Limits limits, boolean tracked, @Nullable DeclaredClasses classes, DeclaredNumbers declared) {
    this.limits = limits;
    this.tracked = tracked;
    this.classes = classes;
    this.declared = declared;
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
      return own.segment().asSlice(0, length);
    } finally {
      Reference.reachabilityFence(own);
      reset();
    }
  }

  /**
   * Encodes into an array of its own.
   *
   * @throws EncodingException also if the image is longer than arrays are
   */
  public byte[] encodeToArray(@Nullable Object graph) {
    useOwnMemory();
    try {
      long length = write(graph); // may replace the memory
      return own.toArray(length);
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
      return isOwn ? copy(own.segment().asSlice(0, length), target) : length;
    } finally {
      Reference.reachabilityFence(target);
      Reference.reachabilityFence(own);
      reset();
    }
  }

  /**
   * Encodes and hands the image out block by block.
   *
   * @param graph the graph
   * @param block bytes that a block has at most, unless one piece of the graph is longer
   * @param target where the blocks go; what it throws ends this call
   */
  public void stream(@Nullable Object graph, int block, BlockSink target) {
    beginStream(0, block, target);
    try {
      endStream(root(graph, base + ImageHeader.STREAM_HEADER_LENGTH));
    } finally {
      Reference.reachabilityFence(own);
      reset();
    }
  }

  /**
   * Encodes the elements of a collection, but not the collection, as {@link #stream} does.
   *
   * @param graphs are iterated over once
   * @param block bytes that a block has at most, unless one piece of the graph is longer
   * @param target where the blocks go; what it throws ends this call
   */
  public void streamAll(Iterable<?> graphs, int block, BlockSink target) {
    beginStream(ImageHeader.MANY, block, target);
    try {
      long a = base + ImageHeader.STREAM_HEADER_LENGTH;
      for (Object graph : graphs) {
        a = root(graph, a);
        unitDepth = 0;
        depth = 0;
      }
      a = require(a, 1);
      UNSAFE.putByte(a, (byte) Tags.END);
      endStream(a + 1);
    } finally {
      Reference.reachabilityFence(own);
      reset();
    }
  }

  private void beginStream(int flags, int block, BlockSink target) {
    useOwnMemory();
    sink = target;
    blockBytes = block;
    streamed = 0;
    limit = base + Math.min(own.byteSize(), block);
    UNSAFE.putInt(base, front(flags | ImageHeader.STREAMED));
  }

  private void endStream(long a) {
    if (streamed + (a - base) > limits.bytes()) {
      throw tooLong();
    }
    handOut(a - base, null, true);
  }

  /** Hands out what was written, after which the memory is free again. */
  private void handOut(long used, @Nullable MemorySegment body, boolean isLast) {
    BlockSink target = Objects.requireNonNull(sink);
    if (classes != null) {
      declared.depart(); // some of it may leave though the rest does not
    }
    target.accept(own.segment().asSlice(0, used), body, isLast);
    streamed += used + (body == null ? 0 : body.byteSize());
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
    own = own.byteSize() == 0 ? OwnMemory.forImage(FIRST_ROOM) : own;
    isOwn = true;
    base = own.address();
    limit = base + own.byteSize();
  }

  private void reset() {
    if (declared.hasMore()) {
      forgetDeclared(); // first, and whatever becomes of the rest: the receiver must not miss it
    }
    visited.clear();
    later.clear();
    depth = 0;
    unitDepth = 0;
    boolean isStream = sink != null;
    sink = null;
    streamed = 0;
    if (isStream && own.byteSize() > KEPT_ROOM) {
      own = OwnMemory.NONE; // the next image gets some: nothing may be refused when one is written
    }
  }

  private void forgetDeclared() {
    declared.forget(tags);
    if (classes != null) {
      classes.keep(declared.departed());
    }
  }

  @Override
  public long spareBytes() {
    return Math.max(0, own.byteSize() - FIRST_ROOM) + visited.spareBytes();
  }

  @Override
  public void trim() {
    own = OwnMemory.NONE;
    visited.trim();
  }

  private long write(@Nullable Object graph) {
    long a = require(base, ImageHeader.HEADER_LENGTH) + ImageHeader.HEADER_LENGTH;
    a = root(graph, a);
    long length = a - base;
    if (length > limits.bytes()) {
      throw tooLong();
    }
    UNSAFE.putInt(base, front(0));
    UNSAFE.putInt(base + ImageHeader.OBJECTS_OFFSET, visited.count());
    UNSAFE.putLong(base + ImageHeader.LENGTH_OFFSET, length);
    return length;
  }

  /** Writes a graph; if that cannot be sent, it is asked through which field. */
  private long root(@Nullable Object graph, long a) {
    try {
      return writeLater(reference(graph, a));
    } catch (EncodingException e) {
      throw RefusedField.named(e, graph);
    }
  }

  private int front(int flags) {
    int all = flags | (tracked ? ImageHeader.TRACKED : 0);
    return ImageHeader.MAGIC
        | ImageHeader.VERSION << 16
        | all << (Byte.SIZE * ImageHeader.FLAGS_OFFSET);
  }

  /** What was put off: of each nest in the order in which it was met, before what was older. */
  private long writeLater(long a) {
    long at = a;
    while (!later.isEmpty()) {
      LaterObjects.Later next = later.next();
      unitDepth = next.depth();
      depth = 0;
      at = reference(next.object(), at);
    }
    return at;
  }

  @Override
  public long require(long a, long bytes) {
    return limit - a >= bytes ? a : grow(a, bytes);
  }

  @Override
  public long room(long a) {
    return limit - a;
  }

  private long grow(long a, long bytes) {
    long used = a - base;
    if (streamed + used + Math.max(1, bytes - Tags.SPARE) > limits.bytes()) {
      throw tooLong(); // the last bytes are looked at when all is written
    }
    if (sink != null && used + bytes > blockBytes) {
      if (used > 0) {
        handOut(used, null, false);
        used = 0;
      }
      if (own.byteSize() >= bytes) {
        limit = base + Math.min(own.byteSize(), Math.max(blockBytes, bytes));
        return base;
      }
    }
    moveTo(Math.max(2 * Math.max(used, FIRST_ROOM), used + bytes), used);
    if (sink != null) {
      limit = Math.min(limit, base + Math.max(blockBytes, used + bytes));
    }
    return base + used;
  }

  /** Goes on in memory of its own of that size. */
  private void moveTo(long room, long used) {
    OwnMemory old = own;
    if (isOwn || own.byteSize() < room) {
      own = OwnMemory.forImage(room);
    }
    try {
      UNSAFE.copyMemory(base, own.address(), used);
    } finally {
      Reference.reachabilityFence(old);
    }
    isOwn = true;
    base = own.address();
    limit = base + own.byteSize();
  }

  @Override
  public boolean isBulk(long bytes) {
    return sink != null && bytes > blockBytes;
  }

  @Override
  public long bulk(Object array, long offset, long bytes, long a) {
    if (streamed + (a - base) + bytes > limits.bytes()) {
      throw tooLong();
    }
    MemorySegment segment = Raw.segmentOf(array);
    long used = a - base;
    long done = 0;
    while (segment != null && used + bytes - done > blockBytes) {
      long part = Math.max(0, blockBytes - used);
      handOut(used, segment.asSlice(done, part), false);
      done += part;
      used = 0;
    }
    long at = base + used;
    while (done < bytes) {
      at = require(at, 1);
      long part = Math.min(bytes - done, limit - at);
      UNSAFE.copyMemory(array, offset + done, null, at, part);
      done += part;
      at += part;
    }
    return at;
  }

  private EncodingException tooLong() {
    return new EncodingException(
        "the graph is too large: limit of bytes=" + limits.bytes() + cycleHint());
  }

  private String cycleHint() {
    return tracked ? "" : LaterObjects.CYCLE_HINT;
  }

  @Override
  public long reference(@Nullable Object o, long a) {
    if (o != null) {
      return Shapes.of(o.getClass()).write(o, a, this);
    }
    long at = require(a, 1);
    UNSAFE.putByte(at, (byte) Tags.NULL);
    return at + 1;
  }

  @Override
  public boolean isFull() {
    return depth >= NESTING;
  }

  @Override
  public boolean isTracked() {
    return tracked;
  }

  @Override
  public int visit(Object o, int contentHash) {
    return visited.visit(o, contentHash);
  }

  @Override
  public long tag(Shape shape, int ordinal, long more, long a) {
    int[] table = tags;
    int tag = ordinal < table.length ? table[ordinal] : 0;
    if (tag == 0 || tag >= WIDE_TAGS) {
      return require(declare(shape, tag, a), more);
    }
    UNSAFE.putByte(a, (byte) tag);
    return a + 1;
  }

  @Override
  public int tagOf(int ordinal) {
    int tag = tags[ordinal];
    return tag == 0 ? Tags.COUNT : tag;
  }

  @Override
  public long putOff(Object o, long a) {
    later.add(o, unitDepth + depth);
    if (!tracked) {
      later.requireThatTheyDiffer();
    }
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
    if (shape.ordinal() >= tags.length) {
      tags = Arrays.copyOf(tags, Math.max(2 * tags.length, shape.ordinal() + 1));
    }
    if (shape.tag() != 0) {
      tags[shape.ordinal()] = shape.tag(); // for all images to come
      UNSAFE.putByte(a, (byte) shape.tag());
      return a + 1;
    }
    int length = shape.description().length;
    long at = require(a, 1 + 2 * Integer.BYTES + (long) length); // if it fails, no number is gone
    int number = declared.add(shape.ordinal());
    tags[shape.ordinal()] = Tags.DECLARED + number; // from WIDE_TAGS on by itself
    if (classes != null) {
      classes.add(shape.description());
      UNSAFE.putByte(at, (byte) Tags.DECLARE_AS);
      UNSAFE.putInt(at + 1, number);
      at += Integer.BYTES;
    } else {
      UNSAFE.putByte(at, (byte) Tags.DECLARE);
    }
    UNSAFE.putInt(at + 1, length);
    Raw.copyOut(shape.description(), at + 1 + Integer.BYTES);
    return at + 1 + Integer.BYTES + length;
  }

  @Override
  public void enter() {
    if (++depth + unitDepth > limits.depth()) {
      throw new EncodingException(
          "the graph is too deep: limit of depth=" + limits.depth() + cycleHint());
    }
  }

  @Override
  public void leave() {
    depth--;
  }
}
