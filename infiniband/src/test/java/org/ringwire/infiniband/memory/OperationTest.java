package org.ringwire.infiniband.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;

/** What is said of an operation that ended on the way. */
@ExtendWith(NodeWatcher.class)
class OperationTest {

  /** One of 100 bytes, of which some have landed when it ends. */
  private static RemoteMemoryException ended(int opcode, int landed, Reason reason) {
    Operation operation = new Operation();
    operation.transfer(opcode, null, 0, MemorySegment.ofArray(new byte[100]), null);
    operation.post(landed);
    operation.land(landed);
    operation.fail(7, reason, "revoked", null);
    operation.end();
    return catchThrowableOfType(RemoteMemoryException.class, operation::outcome);
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"STALE", "UNREACHABLE"})
  void shouldNotSayThatNothingWasChangedIfAPartWas(Reason reason) {
    RemoteMemoryException why = ended(SendOpcode.RDMA_WRITE, 40, reason);
    assertThat(why.reason()).isEqualTo(Reason.UNCERTAIN);
    assertThat(why).hasMessageContaining("bytes=40 length=100").hasMessageContaining("of node 7");
    assertThat(ended(SendOpcode.RDMA_WRITE, 0, reason).reason()).isEqualTo(reason);
    assertThat(ended(SendOpcode.RDMA_READ, 40, reason).reason()).isEqualTo(reason);
  }

  @Test
  void shouldSayThatMemoryWasRevokedWhateverHasLanded() {
    assertThat(ended(SendOpcode.RDMA_WRITE, 40, Reason.REFUSED).reason()).isEqualTo(Reason.REFUSED);
  }
}
