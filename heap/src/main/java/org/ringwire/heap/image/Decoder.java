package org.ringwire.heap.image;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.Validated;
import org.ringwire.heap.image.classes.AcceptedClasses;
import org.ringwire.heap.image.classes.ClassNumbers;
import org.ringwire.heap.image.classes.ClassService;
import org.ringwire.heap.image.classes.Shapes;
import org.ringwire.heap.image.memory.DirectMemory;
import org.ringwire.heap.image.memory.Raw;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Misfits;
import org.ringwire.heap.image.shape.PendingWork;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Slot;
import org.ringwire.heap.image.shape.SpecialShape;

/**
 * Reads one image at a time, for one thread at a time, and believes nothing of it: each length is
 * compared with what is left of the image before memory is allocated for it, each reference with
 * the type of what it is stored into, each class with what is accepted. Lengths are read once:
 * memory that changes meanwhile is no more than a wrong image.
 *
 * <p>Of a streamed image nobody knows how much is left, only how much there may be at most; so
 * numbers are allocated for as they arrive, and references within twice the limit.
 */
public final class Decoder extends Input implements Pool.Kept {
  private static final int FIRST_OBJECTS = 256;
  private static final int KEPT_OBJECTS = 1 << 18;
  private static final @Nullable Object[] NO_OBJECTS = {}; // for where there may be no heap

  private final Limits limits;
  private final int maxObjects;
  private final int maxArrayLength;
  private final int maxDepth;
  private final AcceptedClasses accepted;
  private final ClassNumbers classes;

  /** By tag; never null, since what is no class has a shape that does what the tag says. */
  private final Shape[] shapes;

  private @Nullable Object[] objects = new @Nullable Object[FIRST_OBJECTS];
  private int count;
  private boolean tracked;
  private final PendingWork pending = new PendingWork();
  private final Validations toValidate = new Validations();

  /** Of an image that may go away meanwhile; those in blocks are never copied. */
  private final ImageCopy copy = new ImageCopy();

  private MemorySegment.@Nullable Scope scope;
  private long position;
  private long limit;
  private int unitDepth;
  private int depth;

  /** Where the rest of a streamed image comes from, and what may come of it yet. */
  private @Nullable BlockFeed feed;

  private long feedLeft;
  private long announced; // elements of arrays that are being read
  private long mostAnnounced;

  /**
   * A decoder for images within limits.
   *
   * @param limits what an image may cost
   * @param accepted which classes it may name
   */
  public Decoder(Limits limits, AcceptedClasses accepted) {
    this(limits, accepted, null);
  }

  /**
   * A decoder for the images of one sender, which declares a class once for all of them.
   *
   * @param limits what an image may cost
   * @param accepted which classes it may name
   * @param service knows classes whose declaration was missed
   */
  public Decoder(Limits limits, AcceptedClasses accepted, @Nullable ClassService service) {
    this.classes = new ClassNumbers(accepted, service);
    this.shapes = classes.byTag();
    this.limits = limits;
    this.maxObjects = limits.objects();
    this.maxArrayLength = limits.arrayLength();
    this.maxDepth = limits.depth();
    this.accepted = accepted;
  }

  /**
   * Decodes the image at the start of a piece of memory.
   *
   * @return the graph, which may be null
   * @throws DecodingException if the image is damaged, too large, or not accepted
   */
  public @Nullable Object decode(MemorySegment image) {
    if (!DirectMemory.isSteady(image)) {
      return decodeCopy(copy.take(image, limits));
    }
    try {
      long at = image.address();
      long length = ImageHeader.length(at, image.byteSize(), limits);
      scope = image.scope();
      return decode(at, length);
    } finally {
      Reference.reachabilityFence(image);
    }
  }

  /**
   * Decodes the image at the start of an array.
   *
   * @return the graph, which may be null
   * @throws DecodingException if the image is damaged, too large, or not accepted
   */
  public @Nullable Object decode(byte[] image) {
    return decodeCopy(copy.take(image, limits));
  }

  private @Nullable Object decodeCopy(long length) {
    return decode(copy.address(), length); // reset() lets go of the memory
  }

  private @Nullable Object decode(long at, long length) {
    try {
      position = at;
      limit = at + length;
      mostAnnounced = length;
      return read();
    } catch (StackOverflowError e) {
      throw new DecodingException("the stack is too short for an image", e);
    } finally {
      reset();
    }
  }

  /**
   * Decodes a streamed image, and waits for the rest of it where that is not there yet.
   *
   * @return the graph, which may be null; or a list of them if the image has many
   * @throws DecodingException if the image is damaged, too large, or not accepted
   */
  public @Nullable Object decode(BlockSource source) {
    BlockFeed blocks = new BlockFeed(source, limits.bytes());
    try {
      feed = blocks;
      feedLeft = blocks.left();
      position = 0;
      limit = 0;
      mostAnnounced = 2 * Math.min(limits.bytes(), Long.MAX_VALUE / 2);
      return readStream();
    } catch (StackOverflowError e) {
      throw new DecodingException("the stack is too short for an image", e);
    } finally {
      Reference.reachabilityFence(blocks);
      reset();
    }
  }

  private void reset() {
    Arrays.fill(objects, 0, tracked ? Math.min(count, objects.length) : 0, null);
    count = 0;
    classes.reset();
    feed = null;
    feedLeft = 0;
    announced = 0;
    pending.clear();
    toValidate.clear();
    copy.release();
    scope = null;
    depth = 0;
    unitDepth = 0;
    if (objects.length > KEPT_OBJECTS) {
      objects = NO_OBJECTS;
    }
  }

  @Override
  public long spareBytes() {
    return copy.spareBytes() + (long) Long.BYTES * Math.max(0, objects.length - FIRST_OBJECTS);
  }

  @Override
  public void trim() {
    copy.trim();
    objects = NO_OBJECTS;
  }

  private @Nullable Object read() {
    long header = take(ImageHeader.HEADER_LENGTH);
    tracked = ImageHeader.flags(header) != 0;
    int promised = ImageHeader.objects(header, limit - position, limits);
    if (promised > objects.length) {
      objects = new @Nullable Object[Math.max(FIRST_OBJECTS, promised)];
    }
    Object root = root(shape());
    if (tracked && promised != count) {
      throw new DecodingException("other number of objects than announced: count=" + count);
    }
    finish();
    return root;
  }

  private @Nullable Object readStream() {
    int flags = ImageHeader.streamFlags(take(ImageHeader.STREAM_HEADER_LENGTH));
    tracked = (flags & ImageHeader.TRACKED) != 0;
    Object graph = (flags & ImageHeader.MANY) != 0 ? readMany() : root(shape());
    finish();
    return graph;
  }

  private List<@Nullable Object> readMany() {
    List<@Nullable Object> graphs = new ArrayList<>();
    for (Shape next = shape(); !SpecialShape.isEnd(next); next = shape()) {
      if (graphs.size() == maxArrayLength) {
        throw new DecodingException("too many graphs: limit of array length=" + maxArrayLength);
      }
      graphs.add(root(next));
    }
    return graphs;
  }

  /** Reads an object and all that it leads to. */
  private @Nullable Object root(Shape shape) {
    unitDepth = 0;
    depth = 0;
    Object root = shape.decode(this);
    if (isLater(root)) {
      throw new DecodingException("the first object is not where it should be");
    }
    pending.finish(this);
    return root;
  }

  private void finish() {
    if (position != limit || (feed != null && feed.hasMore())) {
      throw new DecodingException("bytes are left of an image: bytes=" + (limit - position));
    }
    UNSAFE.storeFence(); // whoever gets the graph by a race sees what final fields hold
    toValidate.run();
  }

  @Override
  protected @Nullable Object readUnit(int atDepth) {
    unitDepth = atDepth;
    depth = 0;
    Object child = shape().decode(this);
    if (isLater(child)) {
      throw new DecodingException("an object is put off twice");
    }
    return child;
  }

  @Override
  public Shape shape() {
    long a = position;
    if (a < limit) {
      position = a + 1;
    } else {
      a = takeMore(1);
    }
    return shapes[UNSAFE.getByte(a) & 0xff];
  }

  @Override
  public long take(long bytes) {
    long a = position;
    if (limit - a < bytes) {
      return takeMore(bytes);
    }
    position = a + bytes;
    return a;
  }

  /** Passes over bytes that are not all here yet. */
  private long takeMore(long bytes) {
    BlockFeed blocks = feed;
    if (blocks == null || bytes > limit - position + feedLeft) {
      throw truncated(bytes);
    }
    long a = blocks.advance(position, limit, bytes);
    position = a + bytes;
    limit = blocks.limit();
    feedLeft = blocks.left();
    return a;
  }

  @Override
  public long peek(long bytes) {
    if (limit - position < bytes) {
      position = takeMore(bytes);
    }
    return position;
  }

  @Override
  public boolean passArray(int length, long bytes) {
    if (length < 0 || length > maxArrayLength || limit - position < bytes) {
      return false;
    }
    position += bytes;
    return true;
  }

  @Override
  public long here(long bytes) {
    if (position == limit) {
      position = takeMore(1);
    }
    return Math.min(bytes, limit - position);
  }

  private DecodingException truncated(long bytes) {
    return new DecodingException(
        "the image ends too early: expected=" + bytes + " left=" + (limit - position));
  }

  @Override
  public int arrayLength(int elementBytes, Class<?> type) {
    int length = UNSAFE.getInt(take(Integer.BYTES));
    if (length < 0 || !hasArray(length, (long) length * elementBytes)) {
      throw noSuchLength(length, type);
    }
    return length;
  }

  @Override
  public boolean hasArray(int length, long bytes) {
    return bytes <= limit - position + feedLeft && length <= maxArrayLength;
  }

  @Override
  public DecodingException noSuchLength(int length, Class<?> type) {
    return Misfits.noSuchLength(type, length, maxArrayLength, limit - position + feedLeft);
  }

  @Override
  public boolean isTracked() {
    return tracked;
  }

  @Override
  public long here() {
    return limit - position;
  }

  @Override
  public int groups(int objectsEach) {
    return maxArrayLength < Raw.SMALL ? 0 : (maxObjects - count) / objectsEach;
  }

  @Override
  public void passed(int objectCount, long to) {
    count += objectCount;
    position = to;
  }

  @Override
  protected void requireAtLeast(int bytes) {
    if (bytes > limit - position + feedLeft) {
      throw truncated(bytes);
    }
  }

  @Override
  public byte[] bytes() {
    int length = UNSAFE.getInt(take(Integer.BYTES));
    if (length < 0) {
      throw noSuchLength(length, byte[].class);
    }
    long a = take(length); // all of it is here before there is memory for it
    byte[] bytes = new byte[length];
    Raw.copyIn(a, bytes);
    return bytes;
  }

  @Override
  public void register(Object o) {
    int number = number();
    if (tracked) {
      if (number == objects.length) {
        long room = Math.max(FIRST_OBJECTS, 2L * number);
        objects = Arrays.copyOf(objects, (int) Math.min(room, maxObjects));
      }
      objects[number] = o;
    }
  }

  @Override
  public int number() {
    if (count >= maxObjects) {
      throw new DecodingException("too many objects: limit of objects=" + maxObjects);
    }
    return count++;
  }

  @Override
  public void validateLater(Object o) {
    toValidate.add((Validated) o);
  }

  @Override
  protected Object back() {
    int number = UNSAFE.getInt(take(Integer.BYTES));
    Object o = tracked && number >= 0 && number < count ? objects[number] : null;
    if (o == null) {
      throw new DecodingException(
          "no object has this number: number=" + number + " count=" + count);
    }
    pending.metAgain(o);
    return o;
  }

  @Override
  protected Shape shapeOf(int tag) {
    return classes.shapeOf(tag, this);
  }

  @Override
  protected boolean isLeaf(Class<?> type) {
    return Shapes.of(type).isLeaf();
  }

  @Override
  public Class<?> named(String name) {
    return accepted.named(name);
  }

  @Override
  public void cannotStoreNow(Object target, Slot slot, Object child) {
    if (!isLater(child)) {
      throw Misfits.of(slot, child);
    }
    pending.putOff(target, slot, unitDepth + depth, isLeaf(target.getClass()));
  }

  @Override
  public void cannotStoreNow(@Nullable Object[] target, int index, Object child) {
    if (!isLater(child)) {
      throw Misfits.of(target, child);
    }
    pending.putOff(target, index, unitDepth + depth);
  }

  @Override
  protected PendingWork pending() {
    return pending;
  }

  @Override
  protected void requireMemory() {
    if (scope != null && !scope.isAlive()) {
      throw new IllegalStateException("the memory of an image was closed while it was decoded");
    }
  }

  @Override
  public void enter() {
    enterUnexpected();
    if (depth + unitDepth > maxDepth) {
      throw new DecodingException("the graph is too deep: limit of depth=" + maxDepth);
    }
  }

  @Override
  public void open(int elements) {
    announced += elements;
    if (announced > mostAnnounced) {
      throw new DecodingException("too many elements announced: limit=" + mostAnnounced);
    }
    enter();
  }

  @Override
  public void close(int elements) {
    announced -= elements;
    depth--;
  }

  @Override
  public void enterUnexpected() {
    if (++depth > 2 * Encoder.NESTING) { // leaves of an encoder go deeper, and may be none here
      throw new DecodingException("objects are nested too deep: limit=" + 2 * Encoder.NESTING);
    }
  }

  @Override
  public void leave() {
    depth--;
  }
}
