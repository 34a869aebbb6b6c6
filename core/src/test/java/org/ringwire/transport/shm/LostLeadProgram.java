package org.ringwire.transport.shm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.CountingHandler;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.selector.LeaderResources;
import org.ringwire.transport.selector.LinkReader;
import org.ringwire.transport.selector.SelectorLoop;
import org.ringwire.transport.support.Gate;

/**
 * Leads a link whose answer is there until that is compiled, and once more when the file of the
 * peer has become shorter; says what ends the link, and what whoever leads is thrown.
 */
final class LostLeadProgram {

  private static final int LEADS = 30_000;
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private LostLeadProgram() {}

  /** As a thread that waits for a response; says what was thrown at it. */
  private static String lead(LinkReader reader) {
    try {
      return String.valueOf(reader.lead(() -> true, Long.MAX_VALUE / 2, () -> {}, () -> {}));
    } catch (InternalError e) {
      return "thrown in " + e.getStackTrace()[0];
    }
  }

  public static void main(String[] args) throws IOException {
    List<@Nullable Throwable> ends = new ArrayList<>();
    TransportConfig config = new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, LIMIT);
    SelectorLoop loop = SelectorLoop.start(config, "io", 0); // for signals only
    try (SharedFolder folder = SharedFolder.open();
        LeaderResources resources = new LeaderResources(IdleStrategy.parking(), 0);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      OwnSide own = OwnSide.create(folder);
      OwnSide writer = OwnSide.create(folder);
      Path path = folder.resolve("pair");
      listener.bind(UnixDomainSocketAddress.of(path));
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
      channel.configureBlocking(false);
      Sides sides =
          new Sides(
              own,
              OpenSide.in(folder, writer.file()),
              new PeerFiles(config, folder),
              folder.path());
      Gate gate = new Gate();
      Doorbell bell = new Doorbell(channel);
      CountingHandler handler = new CountingHandler();
      DescriptorReader descriptors = new DescriptorReader(sides, bell, handler, gate::isClosing);
      LinkOutput output = new LinkOutput(own, sides.peer(), new RingFiles(folder), bell, 1 << 15);
      Completions completions = new Completions(loop, own, output, handler);
      ShmInput input = new ShmInput(own, descriptors, bell, completions);
      LinkReader reader = new LinkReader(resources, channel, input, gate, ends::add);
      reader.open();
      for (int number = 0; number < LEADS; number++) {
        String _ = lead(reader);
      }
      try (FileChannel file = FileChannel.open(writer.file(), StandardOpenOption.WRITE)) {
        file.truncate(0);
      }
      System.out.println("led: " + lead(reader));
      System.out.println("ended by: " + ends);
    }
    System.exit(0); // the loop
  }
}
