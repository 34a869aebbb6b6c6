package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.IdleStrategy;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Resources;
import org.ringwire.transport.Threads;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Files, rights and peers of the transport through shared memory. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("no shared memory") // where a test has taken it away
class ShmTransportTest {

  private static final Path NOWHERE = Path.of("/dev/shm/ringwire-nowhere/side-1");

  @TempDir Path temporary;

  @RegisterExtension private final Resources resources = new Resources();

  private Transport open() {
    return open(Duration.ofSeconds(10));
  }

  private Transport open(Duration connectTimeout) {
    return resources.closing(
        new ShmTransportProvider()
            .open(new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, connectTimeout)));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void shouldLetNobodyElseIn() throws IOException {
    Path socket = Path.of(open().listen("*", remote -> null));
    assertThat(rights(socket)).isEqualTo("rw-------");
    assertThat(rights(socket.getParent())).isEqualTo("rwx------");
    Path other = temporary.resolve("socket");
    open().listen(other.toString(), remote -> null);
    assertThat(rights(other)).isEqualTo("rw-------");
  }

  @Test
  void shouldSayWhichFoldersItTries() {
    assertThat(ShmTransport.noFolder(new AccessDeniedException("/tmp/ringwire-1")))
        .hasMessageContaining("AccessDenied")
        .hasMessageContaining("/tmp/ringwire-1")
        .hasMessageContaining("/dev/shm")
        .hasMessageContaining("java.io.tmpdir");
  }

  @Test
  void shouldLeaveNoNamesBehind() throws Exception {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    Transport listening = open();
    Path folder = Path.of(listening.listen("*", remote -> server)).getParent();
    open().connect(folder.resolve("socket").toString(), client);
    server.link();
    PatternSource source = resources.closing(new PatternSource(1, 100));
    source.offer(client.link(), 1000);
    server.awaitReceived(1000);
    assertThat(names(folder)).containsExactly("lock", "socket");
    listening.close();
    assertThat(folder).doesNotExist();
    assertThat(client.cause()).isNull();
  }

  /** The node counts a handshake from when it accepts until it hears of the end. */
  @Test
  void shouldTellTheHandlerThatAnAcceptedLinkCannotBeMade() throws IOException {
    ProbeHandler handler = new ProbeHandler();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      assertThatThrownBy(() -> Attachment.accepted(null, channel, "peer", handler))
          .isInstanceOf(NullPointerException.class); // as it is for want of heap
    }
    assertThat(handler.cause()).isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldLeaveThePathToOthersWhereThereCanBeNoListener() throws IOException {
    Path path = temporary.resolve("s");
    Transport transport = open();
    assertThatThrownBy(() -> transport.listen(path.toString(), null))
        .isInstanceOf(NullPointerException.class); // as it is for want of heap
    assertThat(path).doesNotExist();
    assertThat(transport.listen(path.toString(), remote -> null)).isEqualTo(path.toString());
  }

  @Test
  void shouldTellBothSidesOfALinkForWhichThereIsNoMemory() throws Exception {
    assertThat(JavaProgram.run(DirectMemoryProgram.class, "-XX:MaxDirectMemorySize=16m"))
        .contains("told java.lang.OutOfMemoryError")
        .contains("heard -1")
        .contains("left [lock, socket]");
  }

  @Test
  void shouldTakeMemoryOfItsOwnWhereNoneCanBeShared() throws Exception {
    Transport transport = open();
    Path folder = Path.of(transport.listen("*", remote -> null)).getParent();
    Link link = connect(transport);
    remove(folder);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = transport.allocateRing(link, arena, 1 << 16);
      assertThat(memory.byteSize()).isEqualTo(1 << 16);
    }
  }

  /** The side that listens hears of no link, so its log tells, and the other one to look there. */
  @Test
  void shouldSayWhyALinkOfAPeerIsNotTaken() throws Exception {
    Transport listening = open();
    Path folder = ((ShmTransport) listening).folder().path();
    String address = listening.listen(temporary.resolve("s").toString(), r -> new ProbeHandler());
    remove(folder);
    ProbeHandler client = new ProbeHandler();
    try (LogRecorder log =
        LogRecorder.of(Logger.getLogger(ShmTransport.class.getName()), Level.WARNING)) {
      open().connect(address, client);
      assertThat(client.cause()).hasMessageContaining("which its log tells");
      assertThat(log.records())
          .singleElement()
          .extracting(LogRecord::getMessage)
          .asString()
          .startsWith("no shared memory: ")
          .contains("a link of a peer is not taken");
    }
  }

  private static void remove(Path folder) throws IOException {
    for (String name : names(folder)) {
      Files.delete(folder.resolve(name));
    }
    Files.delete(folder);
  }

  private Link connect(Transport transport) throws Exception {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    transport.connect(open().listen("*", remote -> server), client);
    server.link();
    return client.link();
  }

  @Test
  void shouldSupplyMemoryToThreadsThatAreInterrupted() throws Exception {
    Transport transport = open();
    Link link = connect(transport);
    AtomicBoolean ended = new AtomicBoolean();
    Threads threads = new Threads();
    Thread interrupted =
        threads.start(() -> {
          try {
            for (int i = 0; i < 200; i++) {
              try (Arena arena = Arena.ofShared()) {
                long length = transport.allocateRing(link, arena, 1 << 16).byteSize();
                assertThat(length).isEqualTo(1 << 16);
              }
            }
          } finally {
            ended.set(true);
          }
        });
    while (!ended.get()) {
      interrupted.interrupt();
      Thread.onSpinWait();
    }
    threads.join();
  }

  /** What a handler or a shutdown has interrupted may open another node. */
  @Test
  void shouldOpenOnAThreadThatIsInterrupted() {
    Thread.currentThread().interrupt();
    Transport transport = open();
    assertThat(Thread.interrupted()).isTrue();
    assertThatCode(() -> transport.listen("*", remote -> null)).doesNotThrowAnyException();
  }

  /** A thread that leads a link maps the peer's ring, whatever its interrupt status. */
  @Test
  void shouldMapMemoryOfPeersByThreadsThatAreInterrupted() throws IOException {
    SharedFolder folder = resources.closing(SharedFolder.open());
    try (Arena arena = Arena.ofShared()) {
      Path file = folder.create("ring", 1 << 16, arena).file();
      Thread.currentThread().interrupt();
      assertThat(folder.map(file, "ring", 64, 1 << 20, arena).byteSize()).isEqualTo(1 << 16);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldTakeOverWhatKilledProcessesLeft() throws IOException {
    Path socket = temporary.resolve("socket");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();
    open().listen(socket.toString(), remote -> null);
    ProbeHandler client = new ProbeHandler();
    open().connect(socket.toString(), client);
    assertThat(client.cause()).isNotNull(); // refused by the acceptor, so somebody listens
  }

  @Test
  void shouldNotDeleteFileThatIsNoSocket() throws IOException {
    Path file = Files.writeString(temporary.resolve("precious"), "text");
    Transport transport = open();
    assertThatThrownBy(() -> transport.listen(file.toString(), remote -> null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen: address=" + file);
    assertThat(file).hasContent("text");
  }

  @Test
  void shouldNotDeletePipeOrLinkInPlaceOfASocket() throws Exception {
    Path pipe = temporary.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
    Path file = Files.writeString(temporary.resolve("file"), "text");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), file);
    Transport transport = open();
    for (Path other : List.of(pipe, link)) {
      assertThatThrownBy(() -> transport.listen(other.toString(), remote -> null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen: address=" + other);
    }
    assertThat(pipe).exists();
    assertThat(Files.isSymbolicLink(link)).isTrue();
  }

  @Test
  void shouldRemoveFoldersOfProcessesThatAreGone() throws IOException {
    Path base = Path.of(open().listen("*", remote -> null)).getParent().getParent();
    Path live = Path.of(open().listen("*", remote -> null)).getParent();
    Path left = Files.createTempDirectory(base, "ringwire-");
    Files.createFile(left.resolve("lock"));
    Files.createFile(left.resolve("ring-1"));
    long oldMs = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    for (Path folder : List.of(left, live)) {
      File lock = folder.resolve("lock").toFile(); // by its name: closing it would give up its lock
      assertThat(lock.setLastModified(oldMs)).isTrue();
    }
    open();
    Awaiting.await("the leftover goes, by this or others", () -> Files.notExists(left));
    assertThat(live).exists();
  }

  @Test
  void shouldNameAddressThatCannotBe() {
    for (String address : List.of("", "*", "127.0.0.1:7400")) {
      ProbeHandler client = new ProbeHandler();
      open().connect(address, client);
      assertThat(client.cause()).hasMessageContaining("address=\"" + address + "\"");
    }
    Transport transport = open();
    Path missing = temporary.resolve("missing").resolve("socket");
    assertThatThrownBy(() -> transport.listen(missing.toString(), remote -> null))
        .hasMessageContaining("cannot listen: address=" + missing)
        .hasMessageContaining("folder must exist");
  }

  /**
   * Not that the folder is missing, or nobody listens: a relative path becomes one from the root.
   */
  @Test
  void shouldSayThatAPathHasMoreBytesThanThatOfASocket() {
    String address = temporary.resolve("s".repeat(107)).toString();
    ProbeHandler client = new ProbeHandler();
    open().connect(address, client);
    assertThat(client.cause())
        .hasMessageContaining("107 bytes")
        .hasMessageNotContaining("nobody listens");
    Transport transport = open();
    assertThatThrownBy(() -> transport.listen(address, remote -> null))
        .hasMessageContaining("cannot listen: address=" + address)
        .hasMessageContaining("107 bytes")
        .hasMessageNotContaining("folder must exist");
  }

  @Test
  void shouldMakeNoFileOfTheNameOfANetworkAddress() throws IOException {
    for (String address : List.of("127.0.0.1:0", "localhost:7400", ":7400", "[::1]:7400")) {
      assertThatThrownBy(() -> open().listen(address, remote -> null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not host and port: address=\"" + address + "\"");
      assertThat(Path.of(address)).doesNotExist();
    }
    Path meant = temporary.resolve("node:1");
    assertThat(open().listen(meant.toString(), remote -> null)).isEqualTo(meant.toString());
  }

  @Test
  void shouldGiveUpOnPeerThatSaysNothing() throws IOException {
    Path socket = temporary.resolve("silent");
    ServerSocketChannel silent =
        resources.closing(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
    silent.bind(UnixDomainSocketAddress.of(socket));
    ProbeHandler client = new ProbeHandler();
    open(Duration.ofMillis(150)).connect(socket.toString(), client);
    assertThat(client.cause())
        .hasMessageContaining("address=" + socket)
        .hasMessageContaining("no answer within 150 ms");
  }

  /** A process that listens, and does not accept. */
  private Path full() throws IOException {
    Path socket = temporary.resolve("full");
    ServerSocketChannel listener =
        resources.closing(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
    listener.bind(UnixDomainSocketAddress.of(socket), 1);
    try {
      for (int i = 0; i < 100; i++) {
        SocketChannel filler = resources.closing(SocketChannel.open(StandardProtocolFamily.UNIX));
        filler.configureBlocking(false);
        filler.connect(UnixDomainSocketAddress.of(socket));
      }
    } catch (IOException e) {
      return socket; // its queue is full
    }
    throw new AssertionError("the queue has no end");
  }

  @Test
  void shouldTryAgainWhileTheOtherSideHasNoTimeToAccept() throws IOException {
    ProbeHandler client = new ProbeHandler();
    open(Duration.ofMillis(150)).connect(full().toString(), client);
    assertThat(client.cause())
        .hasMessageContaining("cannot connect")
        .hasMessageContaining("150 ms");
  }

  /** Whenever the time runs out: also between two looks at the clock. */
  @Test
  void shouldNameTheTimeLimitWhenItPassesDuringAnAttempt() throws IOException {
    ProbeHandler client = new ProbeHandler();
    open(Duration.ofNanos(1)).connect(full().toString(), client);
    assertThat(client.cause()).hasMessageContaining("no answer within 0 ms");
  }

  @Test
  void shouldEndAnAttemptThatWaitsWhenTheTransportCloses() throws IOException {
    ProbeHandler client = new ProbeHandler();
    Transport transport = open(Duration.ofHours(1));
    transport.connect(full().toString(), client);
    transport.close();
    assertThat(client.cause()).hasMessageContaining("the transport was closed");
  }

  /** What a stranger says first, and what this side says to that. */
  @Test
  void shouldRefuseStrangersAndServeOthers() throws IOException {
    Queue<ProbeHandler> handlers = new ConcurrentLinkedQueue<>();
    Transport listening = open();
    String address =
        listening.listen(
            "*",
            remote -> {
              ProbeHandler handler = new ProbeHandler();
              handlers.add(handler);
              return handler;
            });
    Path fifo = temporary.resolve("ringwire-x").resolve("side-1");
    Files.createDirectories(fifo.getParent());
    Path link = Files.createSymbolicLink(fifo.resolveSibling("side-2"), Path.of("/etc/passwd"));
    Path shorter = Files.writeString(fifo.resolveSibling("side-3"), "short");
    List<ByteBuffer> first =
        List.of(
            ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
            Greeting.of(Path.of("/etc/passwd")),
            Greeting.of(NOWHERE),
            Greeting.of(fifo.resolveSibling("../ringwire-x/side-3")),
            Greeting.of(link),
            Greeting.of(shorter),
            ByteBuffer.allocate(12).putLong(Greeting.of(NOWHERE).getLong(0)).putInt(-1).flip(),
            ByteBuffer.allocate(12).putLong(Greeting.of(NOWHERE).getLong(0)).putInt(9999).flip());
    for (ByteBuffer bytes : first) {
      try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(address))) {
        stranger.write(bytes);
        ByteBuffer answer = ByteBuffer.allocate(4096);
        while (stranger.read(answer) >= 0) {
          answer.clear();
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("reset"); // what it said was not read to its end
      }
    }
    ProbeHandler client = new ProbeHandler();
    open().connect(address, client);
    client.link();
    assertThat(handlers).hasSize(first.size() + 1);
    for (int i = 0; i < first.size(); i++) {
      ProbeHandler refused = handlers.remove();
      assertThat(refused.cause()).isInstanceOf(IOException.class);
      assertThat(refused.isOpened()).isFalse();
    }
  }
}
