package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Dispatch;
import org.ringwire.IdleStrategy;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.Link;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** What becomes of a transport whose files somebody else removes. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("cannot make again what somebody has removed")
class RemovedFilesTest {

  @TempDir private Path temporary;

  private final List<Transport> transports = new ArrayList<>();

  @AfterEach
  void close() {
    transports.forEach(Transport::close);
  }

  private Transport open() {
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    Transport transport = new ShmTransportProvider().open(config);
    transports.add(transport);
    return transport;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void remove(Path folder) throws IOException {
    for (String name : names(folder)) {
      Files.delete(folder.resolve(name));
    }
    Files.delete(folder);
  }

  @Test
  void shouldBeFoundAgainAfterSomebodyHasRemovedItsFolder() throws Exception {
    Transport listening = open();
    ProbeHandler server = new ProbeHandler();
    String address = listening.listen("*", remote -> server);
    Path folder = Path.of(address).getParent();
    remove(folder);
    await("the folder", () -> isThereAfterUpkeep(listening, Path.of(address)));
    assertThat(names(folder)).containsExactly("lock", "socket");
    assertThat(rights(folder)).isEqualTo("rwx------");
    assertThat(rights(folder.resolve("socket"))).isEqualTo("rw-------");
    ProbeHandler client = new ProbeHandler();
    open().connect(address, client);
    client.link();
    server.link();
    listening.close();
    assertThat(folder).doesNotExist();
  }

  private static boolean isThereAfterUpkeep(Transport transport, Path socket) {
    transport.upkeep();
    return Files.exists(socket);
  }

  /** What is made is for its owner alone, whatever others have put there meanwhile. */
  @Test
  void shouldNotUseWhatIsInThePlaceOfItsFolder() throws Exception {
    Transport listening = open();
    Path folder = Path.of(listening.listen("*", remote -> null)).getParent();
    remove(folder);
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (LogRecorder log =
        LogRecorder.of(Logger.getLogger(ShmTransport.class.getName()), Level.WARNING)) {
      await(
          "the log",
          () -> {
            listening.upkeep();
            return !log.records().isEmpty();
          });
      assertThat(log.records())
          .first()
          .extracting(LogRecord::getMessage)
          .asString()
          .contains("not a folder of this user alone");
      assertThat(names(folder)).isEmpty();
    }
    Files.delete(folder);
  }

  /** A socket that somebody has removed may be followed by that of another process. */
  @Test
  void shouldLeaveTheSocketOfAnotherWhereItsOwnHasBeen() throws Exception {
    Path socket = temporary.resolve("socket");
    Transport one = open();
    Transport two = open();
    ProbeHandler server = new ProbeHandler();
    one.listen(socket.toString(), remote -> null);
    Files.delete(socket);
    two.listen(socket.toString(), remote -> server);
    one.upkeep();
    one.close();
    ProbeHandler client = new ProbeHandler();
    open().connect(socket.toString(), client);
    client.link();
    server.link();
  }

  /** Those that exist go on, be it with the peer's next ring. */
  @Test
  void shouldMapRingsOfPeersThoughItsOwnFolderIsGone() throws Exception {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    Transport listening = open();
    Transport connecting = open();
    connecting.connect(listening.listen("*", remote -> server), client);
    Link there = server.link();
    client.link();
    remove(((ShmTransport) connecting).folder().path());
    try (Arena arena = Arena.ofShared()) {
      MemorySegment ring = listening.allocateRing(there, arena, 1 << 16);
      RangeSource source = new RangeSource();
      for (int i = 0; i < 1000; i++) {
        ring.set(ValueLayout.JAVA_BYTE, i, PatternSource.at(i));
      }
      source.offer(ring, 1000);
      assertThat(there.write(source)).isTrue();
      client.awaitReceived(1000);
    }
  }

  record Ask(long number) {}

  @Test
  void shouldLetPeersFindItsNodeAgain() throws IOException {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = Node.open(builder(1, directory).listen("*").build());
        Node two = Node.open(builder(2, directory).build())) {
      directory.put(1, String.valueOf(one.address()));
      one.handle(Ask.class, Dispatch.INLINE, (ask, exchange) -> exchange.reply(ask));
      remove(Path.of(String.valueOf(one.address())).getParent());
      await("an answer", () -> isAnswered(two));
    }
  }

  private static NodeConfig.Builder builder(int id, NodeDirectory directory) {
    return NodeConfig.builder(id).transport("shm").peers(directory);
  }

  private static boolean isAnswered(Node node) {
    try {
      return node.request(1, new Ask(7), Ask.class, PATIENCE).equals(new Ask(7));
    } catch (MessagingException e) {
      return false; // nobody listens
    }
  }
}
