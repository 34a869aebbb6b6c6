package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;

/** What can be said of requests without a device; the tests with one show what becomes of them. */
@Tag("rdma-classes")
@ExtendWith(NodeWatcher.class)
final class RequestsTest {

  @Test
  void shouldRefuseWhatDoesNotFit() {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests sends = new SendRequests(arena, 2, 3);
      assertThatThrownBy(() -> sends.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.add(SendOpcode.SEND, 7, 0)).isZero();
      sends.addRange(1, 2, 3);
      sends.addRange(1, 20, 3);
      sends.addRange(1, 200, 3);
      assertThatThrownBy(() -> sends.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.bytes(0)).isEqualTo(222);
      assertThat(sends.isFull()).isFalse();
      assertThat(sends.add(SendOpcode.SEND, -8, 0)).isEqualTo(1);
      assertThat(sends.isFull()).isTrue();
      assertThat(sends.bytes(1)).isZero();
      assertThat(sends.id(1)).isEqualTo(-8);
      assertThatThrownBy(() -> sends.add(SendOpcode.SEND, 9, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(sends.count()).isEqualTo(2);
      sends.clear();
      assertThat(sends.count()).isZero();
      assertThat(sends.capacity()).isEqualTo(2);
      assertThat(sends.maxRanges()).isEqualTo(3);
    }
  }

  @Test
  void shouldRefuseReceiveRequestsThatDoNotFit() {
    try (Arena arena = Arena.ofConfined()) {
      ReceiveRequests receives = new ReceiveRequests(arena, 1, 1);
      assertThatThrownBy(() -> receives.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(receives.add(1)).isZero();
      receives.addRange(1, 2, 3);
      assertThatThrownBy(() -> receives.addRange(1, 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> receives.add(2)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(receives.count()).isEqualTo(1);
      assertThat(receives.isFull()).isTrue();
      assertThat(receives.id(0)).isEqualTo(1);
    }
  }

  /** As a provider does: what comes before the bad request was posted, and stays so. */
  @SuppressWarnings("unused") // by its name
  private static int refuseThird(long queue, long requests, long bad) {
    long size = VerbsLayout.SEND_WR.byteSize();
    boolean third = at(requests).get(JAVA_LONG, 0) == 3; // the id of the first in the list
    at(bad).set(JAVA_LONG, 0, third ? requests : requests + 2 * size);
    return Errno.EINVAL;
  }

  @SuppressWarnings("restricted")
  private static MemorySegment at(long address) {
    return MemorySegment.ofAddress(address).reinterpret(Long.BYTES);
  }

  @Test
  void shouldSayWhatWasPostedBeforeOneThatIsRefused() throws ReflectiveOperationException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment function = upcall(arena, MethodHandles.lookup(), "refuseThird");
      SendRequests sends = new SendRequests(arena, 4, 1);
      for (int id = 1; id <= 4; id++) {
        sends.add(SendOpcode.SEND, id, 0);
      }
      assertThat(sends.post(function, 1, 0)).isEqualTo(2);
      assertThat(sends.postedRequests()).isEqualTo(2);
      assertThatThrownBy(() -> sends.post(function, 1, 2))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("EINVAL")
          .hasMessageContaining("request=2");
      assertThat(sends.postedRequests()).isEqualTo(2);
    }
  }

  @SuppressWarnings("restricted")
  private static MemorySegment upcall(Arena arena, MethodHandles.Lookup lookup, String name)
      throws ReflectiveOperationException {
    MethodHandle handle =
        lookup.findStatic(
            RequestsTest.class,
            name,
            MethodType.methodType(int.class, long.class, long.class, long.class));
    return Linker.nativeLinker()
        .upcallStub(
            handle, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), arena);
  }

  @Test
  void shouldPostNothingOfAnEmptyChain() {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests sends = new SendRequests(arena, 1, 1);
      assertThat(sends.post(MemorySegment.NULL, 1, 0)).isZero();
      sends.add(SendOpcode.SEND, 1, 0);
      assertThat(sends.post(MemorySegment.NULL, 1, 1)).isEqualTo(1);
      assertThat(sends.posts()).isZero();
    }
  }
}
