package org.ringwire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class NativeMemoryTest {

  @Test
  void shouldCountWhatIsOpen() {
    long scopes = NativeMemory.openScopes();
    long bytes = NativeMemory.openBytes();

    NativeMemory.Scope scope = NativeMemory.open("the test");
    MemorySegment memory = scope.allocate(1000, 64);

    assertThat(NativeMemory.openScopes()).isEqualTo(scopes + 1);
    assertThat(NativeMemory.openBytes()).isEqualTo(bytes + 1000);
    assertThat(NativeMemory.openOwners()).contains("the test");
    assertThat(memory.address() % 64).isZero();
    assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isZero();

    scope.close();
    scope.close();

    assertThat(NativeMemory.openScopes()).isEqualTo(scopes);
    assertThat(NativeMemory.openBytes()).isEqualTo(bytes);
    assertThat(NativeMemory.openOwners()).doesNotContain("the test");
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_LONG, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldLetAnyThreadUseTheMemory() throws InterruptedException {
    try (NativeMemory.Scope scope = NativeMemory.open("the test")) {
      MemorySegment memory = scope.allocate(8, 8);
      Thread thread = Thread.ofPlatform().start(() -> memory.set(ValueLayout.JAVA_LONG, 0, 5));
      thread.join();
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(5);
    }
  }

  /** Else whoever keeps one of a node that was closed would keep all that were ever beside it. */
  @Test
  void shouldNotKeepOthersByOneThatIsClosed() {
    NativeMemory.Scope kept = NativeMemory.open("kept");
    NativeMemory.Scope beside = NativeMemory.open("beside it");
    WeakReference<NativeMemory.Scope> reference = new WeakReference<>(beside);
    kept.close();
    beside.close();
    beside = null;

    await(
        "nobody has the other one",
        () -> {
          System.gc();
          return reference.refersTo(null);
        });
    assertThat(kept.owner()).isEqualTo("kept");
  }
}
