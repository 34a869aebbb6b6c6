package org.ringwire.engine.connection;

import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.ringwire.Authentication;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Says which thread is the first to ask for random numbers that nobody can guess. */
final class FirstRandomProgram {

  private static final AtomicReference<String> FIRST = new AtomicReference<>("nobody");

  record Ping(long id) {}

  /** What a machine may take long for that has nothing to make them of. */
  public static final class Noting extends SecureRandomSpi {

    private static final long serialVersionUID = 1;

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      boolean _ = FIRST.compareAndSet("nobody", Thread.currentThread().getName());
      ThreadLocalRandom.current().nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] seed = new byte[count];
      engineNextBytes(seed);
      return seed;
    }
  }

  private static final class NotingProvider extends Provider {

    private static final long serialVersionUID = 1;

    NotingProvider() {
      super("noting", "1", "notes who asks");
      put("SecureRandom.Noting", Noting.class.getName());
    }
  }

  private FirstRandomProgram() {}

  public static void main(String... arguments) {
    int _ = Security.insertProviderAt(new NotingProvider(), 1);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = Node.open(config(1, directory));
        Node two = Node.open(config(2, directory))) {
      two.handle(Ping.class, (ping, exchange) -> exchange.reply(ping));
      directory.put(1, String.valueOf(one.address())).put(2, String.valueOf(two.address()));
      Ping pong = one.request(2, new Ping(7), Ping.class, Duration.ofSeconds(30));
      System.out.println(pong.id() + " " + FIRST.get());
    }
  }

  private static NodeConfig config(int id, NodeDirectory directory) {
    NodeConfig.Builder builder = NodeConfig.builder(id).listen("127.0.0.1:0").peers(directory);
    String secret = System.getProperty("secret");
    if (secret != null) {
      byte[] bytes = secret.getBytes(StandardCharsets.US_ASCII);
      builder = builder.authentication(Authentication.sharedSecret(bytes));
    }
    return builder.build();
  }
}
