package org.ringwire.infiniband.msgrc;

import java.time.Duration;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** Sends messages of 64 KiB, one at a time; says how many requests that takes, and what is best. */
final class WholeFramesProgram {

  private static final int LENGTH = 64 << 10;
  private static final int MESSAGES = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private WholeFramesProgram() {}

  /** What is sent; public for its codec. */
  public record Much(byte[] bytes) {}

  /** What comes back. */
  public record Little(int number) {}

  /** Has nothing, and says how much it should have. */
  private static final class Asking implements OutboundSource {
    private long preferred;

    @Override
    public long next(OutboundRanges ranges) {
      preferred = ranges.preferredBytes();
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {}

    @Override
    public void completed(long bytes) {}
  }

  public static void main(String... args) throws Exception {
    Asking asking = new Asking();
    try (LinkedTransports linked =
        new LinkedTransports(new LinkedTransports.End(), new LinkedTransports.End())) {
      boolean _ = linked.link().write(asking);
    }
    System.out.println("best: " + asking.preferred);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(directory, 1);
        Node two = open(directory, 2)) {
      two.handle(Much.class, Dispatch.INLINE, (_, exchange) -> exchange.reply(new Little(1)));
      Much much = new Much(new byte[LENGTH]);
      Little _ = one.request(2, much, Little.class, TIMEOUT); // the window grows
      long before = requests(one);
      for (int i = 0; i < MESSAGES; i++) {
        Little _ = one.request(2, much, Little.class, TIMEOUT);
      }
      long requests = requests(one) - before;
      System.out.println("one request each: " + (requests < 3 * MESSAGES / 2) + " " + requests);
    }
  }

  private static Node open(NodeDirectory.Mutable directory, int id) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("ib")
                .peers(directory)
                .listen("127.0.0.1:0")
                .authentication(Authentication.none())
                .build());
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static long requests(Node node) {
    return node.metrics().transport().get("sendRequests");
  }
}
