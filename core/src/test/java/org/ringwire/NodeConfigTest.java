package org.ringwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

/** Settings that cannot work are refused, by name, however they are given. */
@ExtendWith(NodeWatcher.class)
class NodeConfigTest {

  /** A value that each of these settings refuses. */
  private static final Map<String, Object> WRONG =
      Map.ofEntries(
          Map.entry("nodeId", 65_536),
          Map.entry("cluster", "c".repeat(256)),
          Map.entry("ringCapacity", (64 << 10) + 8),
          Map.entry("initialWindow", 0),
          Map.entry("maxWindow", 4 << 10), // smaller than the initial one
          Map.entry("creditThreshold", 0.7), // a frame of 0.4 might then wait for ever
          Map.entry("windowBudget", 1L),
          Map.entry("maxMessageLength", 0),
          Map.entry("maxRequests", 3),
          Map.entry("ioThreads", 0),
          Map.entry("handlerThreads", 1025),
          Map.entry("compensatingThreads", -1),
          Map.entry("connectTimeout", Duration.ZERO),
          Map.entry("sendTimeout", Duration.ofMillis(-1)),
          Map.entry("requestTimeout", Duration.ZERO),
          Map.entry("closeTimeout", Duration.ZERO),
          Map.entry("encodeTimeout", Duration.ZERO),
          Map.entry("idleTime", Duration.ZERO),
          Map.entry("keepAlive", Duration.ofMillis(49)),
          Map.entry("maxConnections", 0),
          Map.entry("maxHandshakes", 0),
          Map.entry("maxAnnouncedTypes", 65_537),
          Map.entry("maxConnectionsPerAddress", 0),
          Map.entry("maxBufferedBytes", 1000L),
          Map.entry("slowHandlerTime", Duration.ZERO));

  private static Constructor<NodeConfig> constructor() throws NoSuchMethodException {
    return NodeConfig.class.getDeclaredConstructor(
        Arrays.stream(NodeConfig.class.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new));
  }

  private static Object[] values(NodeConfig config) throws ReflectiveOperationException {
    RecordComponent[] components = NodeConfig.class.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int each = 0; each < components.length; each++) {
      values[each] = components[each].getAccessor().invoke(config);
    }
    return values;
  }

  @Test
  void shouldRefuseEveryImpossibleSettingOfTheRecordToo() throws Exception {
    NodeConfig right = NodeConfig.builder(1).build();
    RecordComponent[] components = NodeConfig.class.getRecordComponents();
    int refused = 0;
    for (int index = 0; index < components.length; index++) {
      Object[] values = values(right);
      String name = components[index].getName();
      if (WRONG.containsKey(name)) {
        values[index] = WRONG.get(name);
        refused++;
        String expected = name.equals("nodeId") ? "node id" : name;
        assertThatThrownBy(() -> constructor().newInstance(values))
            .as(name)
            .isInstanceOf(InvocationTargetException.class)
            .cause()
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(expected);
      }
    }
    assertThat(refused).isEqualTo(WRONG.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65_536})
  void shouldRefuseIdsThatAreNoNodes(int id) {
    assertThatThrownBy(() -> NodeConfig.builder(id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0..65535")
        .hasMessageContaining(String.valueOf(id));
  }

  @Test
  void shouldRefuseWhereTheSettingIsGiven() {
    refuse("ringCapacity must be a power of two", settings -> settings.ringCapacity(100_000));
    refuse("ioThreads must be in 1..64: ioThreads=65", settings -> settings.ioThreads(65));
    refuse("idleTime must be positive", settings -> settings.idleTime(Duration.ZERO));
    refuse("idleTime must be at least 1 ms", settings -> settings.idleTime(Duration.ofNanos(1)));
    Duration forever = ChronoUnit.FOREVER.getDuration();
    refuse("idleTime must be at most 100 years", settings -> settings.idleTime(forever));
    refuse("cluster must have at most 255 bytes", settings -> settings.cluster("é".repeat(128)));
    refuse("cluster must have no unpaired surrogates", settings -> settings.cluster("a\uD800"));
  }

  @Test
  void shouldRefuseABudgetThatHasNoRoomForOneWindow() {
    NodeConfig.Builder settings = NodeConfig.builder(1).window(2 << 20, 4 << 20);
    assertThat(settings.windowBudget(2 << 20).build().windowBudget()).isEqualTo(2 << 20);
    assertThatThrownBy(() -> settings.windowBudget((2 << 20) - 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "windowBudget must not be smaller than initialWindow, or no peer could connect:"
                + " windowBudget=2097151 initialWindow=2097152");
  }

  /** Those that may be null say so: no TLS, no second transport, no address to listen on. */
  @Test
  void shouldRefuseEverySettingThatIsNotThere() throws Exception {
    Map<String, Consumer<NodeConfig.Builder>> settings =
        Map.ofEntries(
            Map.entry("cluster", builder -> builder.cluster(null)),
            Map.entry("authentication", builder -> builder.authentication(null)),
            Map.entry("transport", builder -> builder.transport(null)),
            Map.entry("peers", builder -> builder.peers(null)),
            Map.entry("catalog", builder -> builder.catalog(null)),
            Map.entry("listener", builder -> builder.listener(null)),
            Map.entry("idleStrategy", builder -> builder.idleStrategy(null)),
            Map.entry("drainMode", builder -> builder.drainMode(null)),
            Map.entry("connectTimeout", builder -> builder.connectTimeout(null)),
            Map.entry("sendTimeout", builder -> builder.sendTimeout(null)),
            Map.entry("requestTimeout", builder -> builder.requestTimeout(null)),
            Map.entry("closeTimeout", builder -> builder.closeTimeout(null)),
            Map.entry("encodeTimeout", builder -> builder.encodeTimeout(null)),
            Map.entry("idleTime", builder -> builder.idleTime(null)),
            Map.entry("keepAlive", builder -> builder.keepAlive(null)),
            Map.entry("slowHandlerTime", builder -> builder.slowHandlerTime(null)));
    NodeConfig right = NodeConfig.builder(1).build();
    RecordComponent[] components = NodeConfig.class.getRecordComponents();
    int refused = 0;
    for (int index = 0; index < components.length; index++) {
      String name = components[index].getName();
      Consumer<NodeConfig.Builder> setting = settings.get(name);
      if (setting != null) {
        refused++;
        assertThatThrownBy(() -> setting.accept(NodeConfig.builder(1)))
            .as(name)
            .isInstanceOf(NullPointerException.class)
            .hasMessage(name + " must not be null");
        Object[] values = values(right);
        values[index] = null;
        assertThatThrownBy(() -> constructor().newInstance(values))
            .as(name)
            .cause()
            .isInstanceOf(NullPointerException.class)
            .hasMessage(name + " must not be null");
      }
    }
    assertThat(refused).isEqualTo(settings.size());
    refuse(NullPointerException.class, "lookup must not be null", it -> it.lookup(null));
  }

  @Test
  void shouldChooseSizesByTheTransportUnlessTheyAreGiven() {
    NodeConfig tcp = NodeConfig.builder(1).build();
    NodeConfig memory = NodeConfig.builder(1).transport("shm").build();
    NodeConfig beside = NodeConfig.builder(1).localTransport("shm").build();
    NodeConfig given =
        NodeConfig.builder(1)
            .ringCapacity(64 << 10)
            .window(8 << 10, 16 << 10)
            .transport("shm")
            .build();
    assertThat(tcp.ringCapacity()).isEqualTo(1 << 20);
    assertThat(tcp.maxWindow()).isEqualTo(2 << 20);
    assertThat(memory.ringCapacity()).isEqualTo(2 << 20);
    assertThat(memory.maxWindow()).isEqualTo(4 << 20);
    assertThat(beside.ringCapacity()).isEqualTo(tcp.ringCapacity());
    assertThat(beside.maxWindow()).isEqualTo(tcp.maxWindow());
    assertThat(given.ringCapacity()).isEqualTo(64 << 10);
    assertThat(given.maxWindow()).isEqualTo(16 << 10);
  }

  /** Whether there is one is known when the node is opened. */
  @Test
  void shouldHaveSizesForATransportThatThereIsNot() {
    NodeConfig config = NodeConfig.builder(1).transport("nowhere").build();
    assertThat(config.ringCapacity()).isEqualTo(1 << 20);
    assertThat(config.maxWindow()).isEqualTo(2 << 20);
  }

  private static void refuse(String text, Consumer<NodeConfig.Builder> setting) {
    refuse(IllegalArgumentException.class, text, setting);
  }

  private static void refuse(Class<?> how, String text, Consumer<NodeConfig.Builder> setting) {
    assertThatThrownBy(() -> setting.accept(NodeConfig.builder(1)))
        .isInstanceOf(how)
        .hasMessageContaining(text);
  }

  /** The default must be a value that the setting takes, on any machine. */
  @ParameterizedTest
  @CsvSource({"1, 2", "7, 7", "1024, 1024", "1025, 1024"})
  void shouldHaveAsManyHandlerThreadsAsProcessorsWithinTheRange(int processors, int threads)
      throws Exception {
    String text =
        JavaProgram.run(
            ManyProcessorsProgram.class,
            "-XX:ActiveProcessorCount=" + processors,
            "-XX:+UseSerialGC",
            "-Xmx64m");
    assertThat(text).contains("handlerThreads=" + threads + System.lineSeparator());
  }
}
