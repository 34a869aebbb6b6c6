package org.ringwire.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.JavaProgram;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class TcpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:7401,127.0.0.1,7401",
    "node-7.example:1,node-7.example,1",
    "[::1]:65535,::1,65535",
    "[fe80::1%eth0]:0,fe80::1%eth0,0"
  })
  void shouldReadWhatItPrints(String text, String host, int port) {
    TcpAddress address = TcpAddress.parse(text);
    assertThat(address).isEqualTo(new TcpAddress(host, port));
    assertThat(address).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host",
        ":1",
        "host:",
        "host:x",
        "host:-1",
        "host:65536",
        "host:99999999999",
        "::1:80",
        "[::1]",
        "[::1",
        "[]:1",
        "[host]:1",
        " :1",
        "host:1 ",
        "a]:1:2"
      })
  void shouldSayWhichFormIsExpected(String text) {
    assertThatThrownBy(() -> TcpAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tcp address must be host:port or [ipv6]:port: address=" + text);
  }

  @ParameterizedTest
  @CsvSource({
    "host,no port",
    "[::1],no port",
    ":7400,no host",
    "[host]:1,no host",
    "::1:80,an IPv6 address needs brackets",
    "http://host:80,it begins with a scheme; leave http:// away",
    "http://[::1]:80/path,it begins with a scheme; leave http:// away",
    "ringwire://host,it begins with a scheme; leave ringwire:// away",
    "host:x,the port is not a number",
    "host:65536,the port is not in 0..65535"
  })
  void shouldSayWhatIsWrong(String text, String why) {
    assertThatThrownBy(() -> TcpAddress.parse(text)).hasMessageEndingWith("(" + why + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1", "[::1]:1", "[fe80::1]:1"})
  void shouldAskNobodyForALiteral(String text) {
    assertThat(TcpAddress.parse(text).isLiteral()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:1", "host.example:1", "1.2.3.4.example:1"})
  void shouldAskForAName(String text) {
    assertThat(TcpAddress.parse(text).isLiteral()).isFalse();
  }

  @Test
  void shouldNameHostThatIsUnknown() {
    TcpAddress address = TcpAddress.parse("no-such-host.invalid:80");
    assertThatThrownBy(address::resolve)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown host: address=no-such-host.invalid:80");
  }

  @Test
  void shouldNameAddressOfIpv6WhereThereIsNone() throws Exception {
    assertThat(JavaProgram.run(WithoutIpv6Program.class, "-Djava.net.preferIPv4Stack=true"))
        .contains("cannot connect: address=[::1]:7400: ")
        .contains("cannot listen: address=[::1]:7400: ");
  }
}
