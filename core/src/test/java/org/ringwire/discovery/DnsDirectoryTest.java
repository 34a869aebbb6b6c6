package org.ringwire.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
@ExpectedErrors("is not usable")
class DnsDirectoryTest {
  private static final String SERVICE = "_ringwire._tcp.example.org";
  private static final Duration OFTEN = Duration.ofMillis(20);

  private final NameServer server = new NameServer(SERVICE);

  DnsDirectoryTest() throws IOException {}

  @AfterEach
  void end() {
    server.close();
  }

  private DnsDirectory open() {
    return DnsDirectory.services(SERVICE, "node-{id}", OFTEN, server.address());
  }

  @Test
  void shouldFollowServiceRecords() {
    server.set(List.of("0 0 7001 node-1.example.org", "0 0 7002 node-2.example.org"));
    try (DnsDirectory directory = open()) {
      assertThat(directory.problem()).isNull();
      assertThat(directory.addresses())
          .isEqualTo(Map.of(1, "node-1.example.org:7001", 2, "node-2.example.org:7002"));
      assertThat(directory.address(3)).isNull();
      server.set(List.of("0 0 7003 node-3.example.org", "0 0 7009 node-2.example.org"));
      await("the new records", () -> directory.address(3) != null);
      assertThat(directory.addresses())
          .isEqualTo(Map.of(3, "node-3.example.org:7003", 2, "node-2.example.org:7009"));
    }
  }

  @Test
  void shouldPreferLowPriorityNumbersThenHighWeightsAndPassOtherHosts() {
    server.set(
        List.of(
            "2 9 7001 node-1.example.org",
            "1 1 7002 node-1.example.org",
            "1 5 7003 node-1.example.org",
            "0 0 7004 mail.example.org"));
    try (DnsDirectory directory = open()) {
      assertThat(directory.addresses()).isEqualTo(Map.of(1, "node-1.example.org:7003"));
    }
  }

  @Test
  void shouldKeepTheLastGoodAnswer() {
    server.set(List.of("0 0 7001 node-1.example.org"));
    try (DnsDirectory directory = open()) {
      server.set(List.of()); // no such name
      await("an error", () -> directory.problem() != null);
      assertThat(directory.address(1)).isEqualTo("node-1.example.org:7001");
      server.set(List.of("0 0 7001 mail.example.org"));
      await("another error", () -> String.valueOf(directory.problem()).contains("no target is"));
      assertThat(directory.address(1)).isEqualTo("node-1.example.org:7001");
      server.set(List.of("0 0 0 .")); // says that there is no service
      await("the empty answer", () -> directory.addresses().isEmpty());
      await("all is well", () -> directory.problem() == null);
    }
  }

  @Test
  void shouldRefuseARecordWithoutAPort() {
    server.set(List.of("0 0 0 node-1.example.org", "0 0 7002 node-2.example.org"));
    try (DnsDirectory directory = open()) {
      assertThat(directory.problem())
          .contains("an SRV record of a node without a port: target=node-1.example.org port=0");
      assertThat(directory.addresses()).isEmpty();
      server.set(List.of("0 0 7001 node-1.example.org"));
      await("the corrected record", () -> directory.address(1) != null);
    }
  }

  @Test
  void shouldBeEmptyUntilTheServerAnswers() {
    server.set(null);
    try (DnsDirectory directory = open()) {
      assertThat(directory.addresses()).isEmpty();
      assertThat(directory.problem()).isNotNull();
      server.set(List.of("0 0 7001 node-1.example.org"));
      await("the answer", () -> directory.address(1) != null);
      await("all is well", () -> directory.problem() == null);
    }
  }

  /** The JDK's text for it is "DNS error". */
  @Test
  void shouldSayWhyThereIsNoAnswer() {
    String nobody = server.address();
    server.close();
    try (DnsDirectory directory = DnsDirectory.services(SERVICE, "node-{id}", OFTEN, nobody)) {
      assertThat(directory.problem())
          .startsWith("no answer from dns://" + nobody + ": ")
          .contains("Exception");
    }
  }

  @Test
  void shouldRefuseNamesThatAreNone() {
    for (String name : List.of("", "ldap://example.org/x", "a b", "rmi:x")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DnsDirectory.services(name, "node-{id}", OFTEN))
          .withMessageContaining("not the name of a service");
    }
    for (Duration interval : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(999))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DnsDirectory.services(SERVICE, "node-{id}", interval))
          .withMessageContaining("interval");
    }
  }

  /** A process of its own, with few modules. */
  static final class Program {

    private Program() {}

    public static void main(String... args) {
      try (DnsDirectory directory = DnsDirectory.services(SERVICE, "node-{id}", OFTEN)) {
        System.out.println(directory.addresses());
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void shouldSayWhichModuleOfTheJdkIsMissing() throws Exception {
    assertThat(JavaProgram.run(Program.class, "--limit-modules", "java.base").lines())
        .containsExactly(
            "SRV records need the modules java.naming and jdk.naming.dns: add \"requires"
                + " java.naming;\" to the application's module, or --add-modules"
                + " java.naming,jdk.naming.dns");
  }

  /** Which is what jlink makes for an application that requires java.naming. */
  @Test
  void shouldSayThatAnImageHasNotTheModuleForDns() throws Exception {
    assertThat(JavaProgram.run(Program.class, "--limit-modules", "java.base,java.naming").lines())
        .containsExactly(
            "SRV records need the modules java.naming and jdk.naming.dns, of which the latter is"
                + " missing: add --add-modules jdk.naming.dns, for jlink where the program runs in"
                + " an image");
  }
}
