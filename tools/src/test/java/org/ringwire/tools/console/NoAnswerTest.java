package org.ringwire.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.NodeUnreachableException;

/** The step that is named is the one that helps. */
final class NoAnswerTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "refused by the peer: DUPLICATE_NODE: node 60001 is connected and alive: address=[::1]:9|"
            + "choose another id for this side with --as",
        "the peer claims this node's own id: nodeId=7|choose another id for this side with --as",
        "refused by the peer: AUTHENTICATION: the opener does not know the shared secret|"
            + "check --secret-file",
        "an alert of TLS, which the peer demands|check --tls-identity",
        "the certificate does not lead to one that this node trusts|check --tls-identity",
        "refused by the peer: WRONG_CLUSTER: expected cluster a|check the cluster",
        "Connection refused|check the cluster"
      })
  void shouldNameTheStepThatHelps(String reason, String step) {
    var silence =
        new NodeUnreachableException("cannot reach node: address=secret-tls:1: " + reason);
    assertThat(NoAnswer.of("secret-tls:1", silence, "the cluster").getMessage())
        .startsWith("no answer from secret-tls:1: ")
        .contains("; " + step);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp address must be host:port or [ipv6]:port: address=7401 (no port)",
        "address must be the path of a socket, not host and port: address=\"127.0.0.1:7401\""
      })
  void shouldBlameWhatWasAskedForWhereThatIsNoAddress(String reason) {
    var wrong = new NodeUnreachableException("cannot reach node: address=7401: " + reason);
    assertThat(NoAnswer.of("7401", wrong, "the cluster")).hasMessage(reason);
  }
}
