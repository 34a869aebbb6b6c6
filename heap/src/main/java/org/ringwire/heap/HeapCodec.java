package org.ringwire.heap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.ImageHeader;
import org.ringwire.heap.image.ImageStream;
import org.ringwire.heap.image.Limits;
import org.ringwire.heap.image.Pool;
import org.ringwire.heap.image.classes.AcceptedClasses;
import org.ringwire.heap.image.classes.ClassService;
import org.ringwire.heap.image.classes.ClassesInPackage;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.heap.image.memory.LaunchFlag;
import org.ringwire.heap.image.shape.Refusal;

/**
 * Turns graphs of ordinary objects into images and back, with no schema, no registration and no
 * code per class: the fields of objects are copied from one heap to the other. Cycles and sharing
 * arrive as they were sent, identity included, unless other threads change the numbers in shared
 * objects meanwhile: then there may be several copies of these.
 *
 * {@snippet :
 * HeapCodec codec = HeapCodec.builder().acceptPackage("com.example.orders").build();
 * byte[] image = codec.encode(order);
 * Order copy = (Order) codec.decode(image);
 *
 * MessageCatalog catalog = new MessageCatalog();
 * catalog.register(Order.class, codec.messageCodec(Order.class));
 * }
 *
 * <p>The receiver names what it accepts; nothing else is loaded or instantiated. Constructors do
 * not run: see {@link Validated}. Both sides need the same fields of a class, otherwise the error
 * names class and field. {@code docs/heap.md} lists what can be sent.
 *
 * <p>Needs a JVM that is started with {@code --add-exports
 * java.base/jdk.internal.misc=org.ringwire.heap} (or {@code =ALL-UNNAMED} on the class path).
 *
 * <p>Immutable; any thread may use it at any time, and one per purpose is enough for a process. A
 * graph that other threads change while it is encoded arrives as a mixture of its states, or is
 * refused because a collection became longer or shorter; memory outside of it is never read.
 *
 * <p>Whoever encodes or decodes where there is no native memory for that gets a {@link
 * org.ringwire.MemoryLimitException}.
 */
public final class HeapCodec {
  private static final int LENGTH_OFFSET = 8;
  private static final String NO_TARGET = "target must not be null";
  private static final String NO_IMAGE = "image must not be null";
  private static final int FRONT_LENGTH = ImageHeader.HEADER_LENGTH;

  private final Limits limits;
  private final boolean detectsCycles;
  private final AcceptedClasses accepted;
  private final Pool<Encoder> encoders;
  private final Pool<Decoder> decoders;
  private final MeasuredImages measured;
  private final @Nullable Consumer<@Nullable Object> validator;

  private HeapCodec(Builder builder) {
    this.limits = builder.limits();
    this.detectsCycles = builder.detectsCycles;
    this.accepted = new AcceptedClasses(builder.classes, builder.names, builder.classLoader);
    this.validator = builder.validator;
    this.encoders = new Encoders();
    this.decoders = new Decoders();
    this.measured = new MeasuredImages(encoders);
  }

  private final class Encoders extends Pool<Encoder> {
    @Override
    protected Encoder make() {
      return new Encoder(limits, detectsCycles);
    }
  }

  private final class Decoders extends Pool<Decoder> {
    @Override
    protected Decoder make() {
      return new Decoder(limits, accepted);
    }
  }

  /**
   * A codec is made by naming what it accepts.
   *
   * @return a builder that so far accepts only the classes of the platform that every image knows
   * @throws IllegalStateException if the JVM was started without the flag that this module needs;
   *     the message has the flag
   */
  public static Builder builder() {
    LaunchFlag.require();
    return new Builder();
  }

  /**
   * Encodes a graph.
   *
   * @param graph any object, or null
   * @param target where the image goes; native memory of a confined, automatic or the global arena
   *     is written directly, other memory by a copy
   * @return the length of the image in bytes, 16 or more
   * @throws IndexOutOfBoundsException if the image is longer than the target
   * @throws IllegalArgumentException if the target is read-only
   * @throws org.ringwire.EncodingException if the graph has an object that cannot be sent, or
   *     exceeds a limit
   */
  public long encode(@Nullable Object graph, MemorySegment target) {
    Objects.requireNonNull(target, NO_TARGET);
    Encoder encoder = encoders.take();
    try {
      return encoder.encode(graph, target);
    } finally {
      encoders.giveBack(encoder);
    }
  }

  /**
   * Encodes a graph.
   *
   * @param graph any object, or null
   * @return its image
   * @throws org.ringwire.EncodingException if the graph has an object that cannot be sent, or
   *     exceeds a limit, or its image is longer than an array can be
   */
  public byte[] encode(@Nullable Object graph) {
    Encoder encoder = encoders.take();
    try {
      return encoder.encodeToArray(graph);
    } finally {
      encoders.giveBack(encoder);
    }
  }

  /**
   * Encodes a graph into a stream; images may follow each other.
   *
   * @param graph any object, or null
   * @param target is not closed, and not flushed
   * @throws IOException if the stream fails
   * @throws org.ringwire.EncodingException if the graph has an object that cannot be sent, or
   *     exceeds a limit; nothing was written then
   */
  public void encode(@Nullable Object graph, OutputStream target) throws IOException {
    Objects.requireNonNull(target, NO_TARGET);
    Encoder encoder = encoders.take();
    try {
      ImageStream.write(encoder.encode(graph), target);
    } finally {
      encoders.giveBack(encoder);
    }
  }

  /**
   * Decodes the image at the start of a piece of memory.
   *
   * @param image an image, and whatever comes behind it
   * @return the graph
   * @throws DecodingException if the image is damaged, exceeds a limit, or names what is not
   *     accepted
   */
  public @Nullable Object decode(MemorySegment image) {
    Objects.requireNonNull(image, NO_IMAGE);
    Decoder decoder = decoders.take();
    try {
      return validated(decoder.decode(image));
    } finally {
      decoders.giveBack(decoder);
    }
  }

  /**
   * Decodes the image at the start of an array.
   *
   * @param image an image, and whatever comes behind it
   * @return the graph
   * @throws DecodingException if the image is damaged, exceeds a limit, or names what is not
   *     accepted
   */
  public @Nullable Object decode(byte[] image) {
    Objects.requireNonNull(image, NO_IMAGE);
    Decoder decoder = decoders.take();
    try {
      return validated(decoder.decode(image));
    } finally {
      decoders.giveBack(decoder);
    }
  }

  /**
   * Decodes the next image of a stream, and reads no byte behind it.
   *
   * @param source not closed
   * @return the graph
   * @throws EOFException if the stream has no more images, or ends within one
   * @throws IOException if the stream fails
   * @throws DecodingException if the image is damaged, exceeds a limit, or names what is not
   *     accepted
   */
  public @Nullable Object decode(InputStream source) throws IOException {
    Objects.requireNonNull(source, "source must not be null");
    return decode(ImageStream.read(source, limits));
  }

  @Nullable Object validated(@Nullable Object graph) {
    if (validator != null) {
      try {
        validator.accept(graph);
      } catch (Exception | LinkageError e) { // declared or not
        throw Refusal.of("a graph is not valid", e);
      }
    }
    return graph;
  }

  /**
   * Makes any type a message type: register the codec and nodes send, request and handle its
   * objects with all that they lead to. The graph is encoded once, when its length is asked for, or
   * again if it is large and other threads send such at the same time. A received graph that is
   * refused costs its message only; who has requested gets the reason.
   *
   * @param type the class of the messages, or a supertype
   * @param <T> the same
   * @return a codec for {@link org.ringwire.codec.MessageCatalog#register}
   */
  public <T> Codec<T> messageCodec(Class<T> type) {
    Objects.requireNonNull(type, "type must not be null");
    FirstClasses.prepareForMessages();
    return new MessageCodec<>(this, type);
  }

  /** The length that the header of an image says, which is checked when it is decoded. */
  long lengthOf(MemorySegment image) {
    if (image.byteSize() < FRONT_LENGTH) {
      throw new DecodingException("too short for an image: bytes=" + image.byteSize());
    }
    return image.get(ValueLayout.JAVA_LONG_UNALIGNED, LENGTH_OFFSET);
  }

  /** An encoder for the graphs of a channel. */
  Encoder channelEncoder(DeclaredClasses classes) {
    return new Encoder(limits, detectsCycles, classes);
  }

  /** A decoder for the graphs of one sender. */
  Decoder channelDecoder(ClassService service) {
    return new Decoder(limits, accepted, service);
  }

  /** Keeps what encoders need for large images. */
  Pool<Encoder> encoders() {
    return encoders;
  }

  /** Keeps what decoders need for large images. */
  Pool<Decoder> decoders() {
    return decoders;
  }

  /** Of all its codecs of messages. */
  MeasuredImages measuredImages() {
    return measured;
  }

  Encoder takeEncoder() {
    return encoders.take();
  }

  void giveBack(Encoder encoder) {
    encoders.giveBack(encoder);
  }

  /** Names what a codec accepts, and its limits. For one thread. */
  public static final class Builder {
    private static final int NO_LIMIT = Integer.MAX_VALUE - 8;
    private static final long DEFAULT_BYTES = 256L << 20;
    private static final int DEPTH_WITHOUT_DETECTION = 10_000;

    private final Map<String, Class<?>> classes = new HashMap<>();
    private final List<Predicate<String>> names = new ArrayList<>();
    private @Nullable ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private @Nullable Consumer<@Nullable Object> validator;
    private boolean detectsCycles = true;
    private int maxObjects = NO_LIMIT;
    private int maxArrayLength = NO_LIMIT;
    private int maxDepth;
    private long maxBytes = DEFAULT_BYTES;

    private Builder() {}

    /**
     * Accepts classes, and arrays of them.
     *
     * @param accepted exactly these; subclasses have to be named, too
     * @return this
     * @throws IllegalArgumentException if there is one of that name already, of another class
     *     loader: images name classes, and no loaders
     */
    public Builder accept(Class<?>... accepted) {
      for (Class<?> type : Objects.requireNonNull(accepted, "classes must not be null")) {
        Class<?> element = Objects.requireNonNull(type, "a class must not be null");
        while (element.isArray()) {
          element = element.getComponentType();
        }
        Class<?> first = classes.putIfAbsent(element.getName(), element);
        if (first != null && first != element) {
          throw new IllegalArgumentException(
              "a class of this name, of another class loader, is accepted already: class="
                  + element.getName()
                  + " loaders "
                  + first.getClassLoader()
                  + " and "
                  + element.getClassLoader());
        }
      }
      return this;
    }

    /**
     * Accepts all classes of a package, not of those below it: {@link #acceptNames} is for these,
     * and for packages whose names could not be written in Java.
     *
     * @param name for example {@code com.example.orders}
     * @return this
     * @throws IllegalArgumentException if no package in Java can have this name
     */
    public Builder acceptPackage(String name) {
      return acceptNames(
          ClassesInPackage.of(Objects.requireNonNull(name, "a package must not be null")));
    }

    /**
     * Accepts classes by name, before they are loaded.
     *
     * @param accepted is asked by any thread, with names as {@link Class#getName} has them, never
     *     of arrays; an image is refused if it throws
     * @return this
     */
    public Builder acceptNames(Predicate<String> accepted) {
      names.add(Objects.requireNonNull(accepted, "names must not be null"));
      return this;
    }

    /**
     * Where classes are looked up that are accepted by name.
     *
     * @param loader null for that of the platform; by default the context class loader of the
     *     thread that called {@link HeapCodec#builder}
     * @return this
     */
    public Builder classLoader(@Nullable ClassLoader loader) {
      this.classLoader = loader;
      return this;
    }

    /**
     * Whether objects that were seen before are recognised when a graph is encoded; the default.
     * Without that, what is shared arrives as copies, and a cycle ends with an error: at {@link
     * #maxDepth}, or when it has led to the same objects a million times. So not for objects that
     * know their parent, or the one before them.
     *
     * @param detects false to spare the cost
     * @return this
     */
    public Builder detectCycles(boolean detects) {
      this.detectsCycles = detects;
      return this;
    }

    /**
     * Limits the objects of a received graph.
     *
     * @param objects 1 or more; by default as many as an image can have
     * @return this
     */
    public Builder maxObjects(int objects) {
      this.maxObjects = (int) atLeast(1, "maxObjects", objects);
      return this;
    }

    /**
     * Limits the length of images, sent and received.
     *
     * @param bytes 16 or more; by default 256 MiB
     * @return this
     */
    public Builder maxBytes(long bytes) {
      this.maxBytes = atLeast(FRONT_LENGTH, "maxBytes", bytes);
      return this;
    }

    /**
     * Limits how deep objects are nested, sent and received.
     *
     * @param depth 1 or more; by default no limit with detection of cycles, 10000 without
     * @return this
     */
    public Builder maxDepth(int depth) {
      this.maxDepth = (int) atLeast(1, "maxDepth", depth);
      return this;
    }

    /**
     * Limits the elements of a received array or collection.
     *
     * @param length 0 or more; by default as many as an image can have. A map counts keys and
     *     values
     * @return this
     */
    public Builder maxArrayLength(int length) {
      this.maxArrayLength = (int) atLeast(0, "maxArrayLength", length);
      return this;
    }

    /**
     * Looks at each received graph before anybody else does; see also {@link Validated}.
     *
     * @param check throws if the graph must not exist; called by the thread that decodes
     * @return this
     */
    public Builder validator(Consumer<@Nullable Object> check) {
      this.validator = check;
      return this;
    }

    private static long atLeast(int least, String name, long limit) {
      if (limit < least) {
        throw new IllegalArgumentException(
            name + " must be " + least + " or more: " + name + "=" + limit);
      }
      return limit;
    }

    private Limits limits() {
      int depth = maxDepth;
      if (depth == 0) {
        depth = detectsCycles ? NO_LIMIT : DEPTH_WITHOUT_DETECTION;
      }
      return new Limits(maxObjects, maxBytes, depth, maxArrayLength);
    }

    /**
     * Makes the codec.
     *
     * @return a new one
     */
    public HeapCodec build() {
      FirstClasses.prepareForGraphs();
      return new HeapCodec(this);
    }
  }
}
