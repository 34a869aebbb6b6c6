package org.ringwire.transport.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.FirstUse;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.LocalTransport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.ChannelTransport;
import org.ringwire.transport.selector.DescriptorLimit;
import org.ringwire.transport.selector.Listener;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.TransportLog;

/**
 * Links between processes of one machine and one user: the send ring of a link is a file in memory
 * that the peer has mapped, and reads where it is. An address is the path of a Unix domain socket,
 * over which peers find each other, wake each other, and learn that the other is gone; {@value
 * #ANY} to listen on is a socket in a folder that nobody else may enter.
 */
final class ShmTransport extends ChannelTransport implements LocalTransport {

  private static final int BACKLOG = 1024;

  /** For people: what to do about {@link #isTooLong}. */
  static final String TOO_LONG =
      "Linux takes 107 bytes, counted from the root: give a shorter path, or for * where there is no"
          + " /dev/shm a shorter java.io.tmpdir";

  private static final long WARNING_INTERVAL_NS = 60_000_000_000L;
  private static final long LOOK_INTERVAL_NS = 1_000_000_000L;
  private static final Pattern ADDRESS_OF_TCP = Pattern.compile("[^/]*:\\d+");
  private static final TransportLog LOG = TransportLog.of(ShmTransport.class);

  private final SharedFolder folder;
  private final RingFiles rings;
  private final PeerFiles files;
  private final AtomicLong accepted;
  private final LocalNames names;
  private final AtomicLong nextWarningNs;
  private volatile @Nullable Listening listening;
  private volatile long nextLookNs; // the one thread of upkeep()

  /**
   * What it listens on.
   *
   * @param socket what else may be at that path by now is another
   */
  private record Listening(Path path, @Nullable Object socket, LinkAcceptor acceptor) {

    Listening {
      Objects.requireNonNull(acceptor, "acceptor must not be null");
    }

    static Listening at(Path path, LinkAcceptor acceptor) throws IOException {
      return new Listening(path, fileKey(path), acceptor);
    }

    /** Whether the socket is still there. */
    boolean isThere() throws IOException {
      return socket == null
          ? Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          : socket.equals(fileKey(path));
    }

    private static @Nullable Object fileKey(Path path) throws IOException {
      try {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .fileKey();
      } catch (NoSuchFileException e) {
        return null;
      }
    }
  }

  private ShmTransport(TransportConfig config, SharedFolder folder) {
    this.folder = folder;
    rings = new RingFiles(folder);
    files = new PeerFiles(config, folder);
    names = new LocalNames(folder);
    accepted = new AtomicLong();
    nextWarningNs = new AtomicLong(System.nanoTime());
    nextLookNs = System.nanoTime();
    FirstUse.prepare(
        Completions.class,
        PeerFile.Wanted.class,
        SharedFolder.Creation.class,
        SharedFolder.DespiteInterrupts.class,
        SharedFolder.Mapping.class,
        SideLayout.class);
    super(config, "shm-io", 0); // last: what failed after it would leave its threads behind
  }

  /** Says what to change: containers may have neither of the two places. */
  static UncheckedIOException noFolder(IOException e) {
    String why = DescriptorLimit.explain(e, "/dev/shm, or else java.io.tmpdir, must be writable");
    String kind = e.getClass().getName(); // mostly that says why, and the message where
    return new UncheckedIOException("no folder for shared memory: " + kind + ": " + why, e);
  }

  /** Makes the folder and starts the threads. */
  static ShmTransport open(TransportConfig config) {
    DescriptorLimit.prepare(); // there may be none for the folder
    SharedFolder folder;
    try {
      folder = SharedFolder.open();
    } catch (IOException e) {
      throw noFolder(e);
    }
    try {
      return new ShmTransport(config, folder);
    } catch (RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  @Override
  protected Listener bind(SelectorLoop loop, String address, LinkAcceptor acceptor)
      throws IOException {
    Path path = address.equals(ANY) ? folder.resolve("socket") : path(address);
    return bind(loop, path, acceptor);
  }

  private Listener bind(SelectorLoop loop, Path path, LinkAcceptor acceptor) throws IOException {
    try {
      return tryBind(loop, path, acceptor);
    } catch (IOException e) {
      String advice = "the folder must exist and be writable, and no other process listen there";
      String why = DescriptorLimit.explain(e, isTooLong(e) ? TOO_LONG : advice);
      BindException failure = new BindException("cannot listen: address=" + path + ": " + why);
      failure.initCause(e);
      throw failure;
    }
  }

  private Listener tryBind(SelectorLoop loop, Path path, LinkAcceptor acceptor) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean made = false;
    try {
      channel.configureBlocking(false);
      removeIfDead(path);
      channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      Listener listener = listener(loop, channel, path, acceptor);
      made = true;
      return listener;
    } finally {
      if (!made) { // there may be no heap; nobody would accept, and nobody else could listen there
        SelectorEntry.closeQuietly(channel);
      }
    }
  }

  /** Limits a bound socket to its owner; removes it if that, or what follows, fails. */
  private Listener listener(
      SelectorLoop loop, ServerSocketChannel channel, Path path, LinkAcceptor acceptor)
      throws IOException {
    boolean made = false;
    try {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      String name = path.toString();
      Listening fresh = Listening.at(path, acceptor);
      Listener listener = new Listener(loop, channel, name, peer -> take(name, acceptor, peer));
      listening = fresh;
      made = true;
      return listener;
    } finally {
      if (!made) {
        SharedFolder.delete(path); // before the channel closes: after that it may be another's
      }
    }
  }

  /** A socket that a process has left behind that was killed; whatever else is there stays. */
  private static void removeIfDead(Path path) throws IOException {
    DeadSocket dead = DeadSocket.find(path);
    if (dead != null) {
      dead.remove();
    }
  }

  /**
   * Whether a path has too many bytes for that of a socket: the JDK says so, in no other language.
   */
  static boolean isTooLong(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("path too long");
  }

  /** Whether there is a socket of this name. */
  static boolean isSocket(Path path) throws IOException {
    return FileFacts.of(path).isSocket();
  }

  private void take(String name, LinkAcceptor acceptor, SocketChannel peer) throws IOException {
    peer.configureBlocking(false);
    String remote = name + ":" + accepted.incrementAndGet();
    LinkHandler handler = acceptor.accept(remote);
    if (handler == null) {
      peer.close();
      return;
    }
    start(Attachment.accepted(this, peer, remote, handler));
  }

  @Override
  public boolean isLocal(String address) {
    return true;
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    connect(address, handler, handler::closed);
  }

  @Override
  public void connect(String address, LinkHandler handler, Consumer<Throwable> failed) {
    Attachment attachment;
    try {
      UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(path(address));
      attachment = Attachment.connecting(this, socket, handler, failed);
    } catch (RuntimeException e) {
      failed.accept(e);
      return;
    }
    start(attachment);
  }

  @Override
  public void announce(String name) throws IOException {
    Listening current = listening;
    if (current == null) {
      throw new IOException("nobody listens");
    }
    names.announce(name, current.path());
  }

  @Override
  public @Nullable String find(String name) {
    Path found = names.find(name);
    return found == null ? null : found.toString();
  }

  @Override
  public boolean owns(Link link) {
    return link instanceof ShmLink own && own.isOf(this);
  }

  private static Path path(String address) {
    try {
      if (address.isBlank() || address.equals(ANY)) {
        throw new IllegalArgumentException(
            "address must be the path of a socket: address=\"" + address + "\"");
      }
      if (ADDRESS_OF_TCP.matcher(address).matches()) { // else a file of that name would be made
        throw new IllegalArgumentException(
            "address must be the path of a socket, not host and port: address=\""
                + address
                + "\" (of transport tcp, which localTransport=shm may complement)");
      }
      return Path.of(address).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "address must be the path of a socket: address=\"" + address + "\"", e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Where there is no room for another file, the memory is this process's own; then what is in
   * it is copied for the peer.
   */
  @Override
  public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    rings.trim(System.nanoTime());
    try {
      return rings.allocate(arena, capacity);
    } catch (UncheckedIOException e) {
      warn(e.getMessage() + "; what a link sends is copied instead: remote=" + link.remote());
      return arena.allocate(capacity, 64);
    }
  }

  /** Logs, now and then. */
  void warn(String text) {
    long nowNs = System.nanoTime();
    long nextNs = nextWarningNs.get();
    if (nowNs - nextNs >= 0 && nextWarningNs.compareAndSet(nextNs, nowNs + WARNING_INTERVAL_NS)) {
      LOG.log(System.Logger.Level.WARNING, text, null);
    }
  }

  @Override
  public void trim() {
    rings.trim(System.nanoTime());
  }

  /**
   * Makes again what others may have removed: the folder, and what peers find the listener by.
   * Where something else has taken the place of the socket, that is another's by now.
   */
  @Override
  public void upkeep() {
    long nowNs = System.nanoTime();
    if (nowNs - nextLookNs < 0) {
      return;
    }
    nextLookNs = nowNs + LOOK_INTERVAL_NS;
    try {
      folder.restore();
      Listening current = listening;
      if (current != null && Files.notExists(current.path(), LinkOption.NOFOLLOW_LINKS)) {
        listenAgain(current.acceptor());
      }
      names.restore();
    } catch (IOException e) {
      warn("cannot make again what somebody has removed: " + e.getMessage());
    }
  }

  @Override
  protected void unbound(String address) {
    Listening last = listening;
    listening = null;
    names.withdraw();
    try {
      if (last != null && last.isThere()) {
        SharedFolder.delete(last.path());
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a socket stays: " + address, e);
    }
  }

  @Override
  protected void threadsEnded() {
    files.close();
    folder.close();
  }

  /** Where its files are. */
  SharedFolder folder() {
    return folder;
  }

  /** What opens those of peers. */
  PeerFiles files() {
    return files;
  }

  /** The rings of its links. */
  RingFiles rings() {
    return rings;
  }
}
