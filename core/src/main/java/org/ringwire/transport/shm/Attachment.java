package org.ringwire.transport.shm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.LinkAttempt;

/**
 * A link in the making: connects if it is the side that does, exchanges {@link Greeting}s, maps the
 * other side's file, and becomes a {@link ShmLink} when both sides have.
 */
final class Attachment extends LinkAttempt {

  /** Between two attempts while the other side has no time to accept. */
  private static final long AGAIN_NS = 5_000_000;

  private static final String GIVEN_UP =
      " (it has given the link up: it closes, is at a limit, or has no room in /dev/shm, which"
          + " its log tells)";

  private final ShmTransport transport;
  private final @Nullable UnixDomainSocketAddress address;
  private final String remote;
  private final Consumer<Throwable> failed;
  private final Greeting greeting = new Greeting();
  private @Nullable OwnSide own;
  private @Nullable PeerFile peer;
  private @Nullable Path peerFolder;
  private boolean mapped; // the peer's, which was told

  private Attachment(
      ShmTransport transport,
      @Nullable UnixDomainSocketAddress address,
      @Nullable SocketChannel channel,
      String remote,
      LinkHandler handler,
      Consumer<Throwable> failed) {
    super(transport, channel, handler);
    this.transport = transport;
    this.address = address;
    this.remote = remote;
    this.failed = failed;
  }

  /**
   * The side that connects.
   *
   * @param failed hears in the handler's place that there is no link
   */
  static Attachment connecting(
      ShmTransport transport,
      UnixDomainSocketAddress address,
      LinkHandler handler,
      Consumer<Throwable> failed) {
    return new Attachment(transport, address, null, address.toString(), handler, failed);
  }

  /**
   * The side that has accepted. If there can be none for want of heap, the handler hears of its
   * end, and the caller closes the channel.
   */
  static Attachment accepted(
      ShmTransport transport, SocketChannel channel, String remote, LinkHandler handler) {
    try {
      return new Attachment(transport, null, channel, remote, handler, handler::closed);
    } catch (Throwable e) {
      handler.closed(e);
      throw e;
    }
  }

  @Override
  protected void begin() {
    try {
      SocketChannel opened = channel();
      if (opened == null) {
        connect();
      } else {
        greet(opened);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void connect() throws IOException {
    SocketChannel opened = SocketChannel.open(StandardProtocolFamily.UNIX);
    own(opened); // whatever is thrown from here on, it is closed
    if (connect(opened, Objects.requireNonNull(address))) {
      greet(opened);
    } else {
      giveUpChannel();
      loop.schedule(this, System.nanoTime() + AGAIN_NS); // expired() looks whether there is time
    }
  }

  /** Returns false if the other side has no time to accept. */
  private static boolean connect(SocketChannel opened, UnixDomainSocketAddress socket)
      throws IOException {
    try {
      opened.configureBlocking(false);
      return opened.connect(socket);
    } catch (IOException e) {
      if (isBusy(e, socket.getPath())) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Whether the other side's queue of connections is full. The system's text for it may be in any
   * language; the classes below this one stand for all else that it says of a socket which exists.
   */
  static boolean isBusy(IOException failure, Path socket) {
    return failure.getClass() == SocketException.class && isSocket(socket);
  }

  private static boolean isSocket(Path path) {
    try {
      return Files.exists(path) && ShmTransport.isSocket(path.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  private void greet(SocketChannel opened) throws IOException {
    limitTime();
    register(opened, SelectionKey.OP_READ);
    OwnSide side = ownSide();
    own = side;
    ByteBuffer bytes = Greeting.of(side.file());
    write(opened, bytes);
    if (bytes.hasRemaining()) { // an empty socket takes a few hundred bytes
      throw new IOException("the socket takes no bytes");
    }
  }

  /** The other side may have given up before. */
  private static void write(SocketChannel opened, ByteBuffer bytes) throws IOException {
    try {
      opened.write(bytes);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + GIVEN_UP, e);
    }
  }

  /** The side that connects has somebody to tell; of the other one nobody would hear why. */
  private OwnSide ownSide() throws IOException {
    try {
      return OwnSide.create(transport.folder());
    } catch (IOException e) {
      if (address == null) {
        transport.warn(e.getMessage() + "; a link of a peer is not taken: remote=" + remote);
      }
      throw e;
    }
  }

  @Override
  protected void ready(int readyOps) {
    SocketChannel opened = channel();
    if (isDone() || opened == null) {
      return;
    }
    try {
      int length = 1;
      while (length > 0 && !isDone()) {
        length = read(opened);
        Path file = greeting.file();
        if (file != null) {
          map(opened, file);
        }
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Reads what is there; what the other side has not read yet, when it gives up, is a reset. */
  private int read(SocketChannel opened) throws IOException {
    int length;
    try {
      length = opened.read(greeting.rest());
    } catch (IOException e) {
      throw new IOException(e.getMessage() + GIVEN_UP, e);
    }
    if (length < 0) {
      throw new IOException("the other side has closed the connection" + GIVEN_UP);
    }
    return length;
  }

  private void map(SocketChannel opened, Path file) throws IOException {
    PeerFile wanted = peer;
    if (wanted == null) {
      peerFolder = file.getParent();
      wanted = transport.files().open(PeerSide.in(file), () -> signal(READ));
      peer = wanted;
    }
    boolean complete = greeting.isComplete();
    if (!wanted.isDone()) {
      setOps(complete ? 0 : SelectionKey.OP_READ); // what comes next is for the link
      return;
    }
    PeerSide side = new PeerSide(wanted);
    if (!mapped) {
      mapped = true;
      setOps(SelectionKey.OP_READ);
      opened.write(ByteBuffer.wrap(new byte[] {Greeting.MAPPED}));
    }
    if (complete) {
      succeed(opened, side);
    }
  }

  /** The peer's file is open, or cannot be opened. */
  @Override
  protected void watchRead() {
    ready(0);
  }

  private void succeed(SocketChannel opened, PeerSide other) {
    OwnSide side = own;
    Path folder = peerFolder;
    if (side == null || folder == null) {
      throw new IllegalStateException("a link without its files");
    }
    SharedFolder.delete(side.file());
    Sides sides = new Sides(side, other, transport.files(), folder);
    become(() -> new ShmLink(loop, transport, opened, sides, remote, handler()));
  }

  @Override
  protected void expired(long nowNs) {
    PeerFile wanted = peer;
    if (channel() == null && hasTime()) {
      begin();
    } else if (wanted != null && !wanted.isDone()) {
      fail(new SocketTimeoutException("the file of the other side did not open in time"));
    } else {
      super.expired(nowNs);
    }
  }

  @Override
  protected void free() {
    PeerFile other = peer;
    if (other != null) {
      transport.files().close(other);
    }
    try (OwnSide side = own) {
      if (side != null) {
        SharedFolder.delete(side.file());
      }
    }
  }

  @Override
  protected void failed(Throwable why) {
    failed.accept(why);
  }

  @Override
  protected IOException describe(Throwable cause) {
    String reason = DescriptorLimit.explain(cause);
    boolean nobody = cause instanceof ConnectException || isMissing();
    String advice =
        ShmTransport.isTooLong(cause)
            ? " (" + ShmTransport.TOO_LONG + ")"
            : nobody ? " (nobody listens)" : "";
    return new IOException("cannot connect: address=" + remote + ": " + reason + advice, cause);
  }

  private boolean isMissing() {
    return address != null && Files.notExists(address.getPath(), LinkOption.NOFOLLOW_LINKS);
  }
}
