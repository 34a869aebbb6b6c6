package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.Hints;
import org.ringwire.infiniband.verbs.library.MemoryLock;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsUnavailableException;
import org.ringwire.testing.NodeWatcher;

/** What people are told where something is missing. */
@ExtendWith(NodeWatcher.class)
final class UnavailableTest {

  @Test
  void shouldSayWhetherTheLibraryOrADeviceIsMissing() {
    assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "skipped: there may be a device");
    String missing =
        Devices.isLibraryPresent()
            ? "there is no InfiniBand or RoCE device"
            : "the library libibverbs.so.1 is missing: install rdma-core";
    assertThatThrownBy(() -> Devices.open(""))
        .isInstanceOf(VerbsUnavailableException.class)
        .hasMessageContaining(missing);
    assertThatThrownBy(() -> Devices.open("mlx5_0"))
        .isInstanceOf(VerbsUnavailableException.class)
        .hasMessageContaining(Devices.isLibraryPresent() ? "there is no device mlx5_0" : missing);
  }

  @Test
  void shouldNameTheLimitOfLockedMemoryAndTheCommand() {
    List<String> limits =
        List.of(
            "Limit                     Soft Limit           Hard Limit           Units     ",
            "Max locked memory         8388608              16777216             bytes     ");
    assertThat(MemoryLock.hint(limits, 8_000_000))
        .contains("RLIMIT_MEMLOCK=8388608 bytes")
        .contains("hard limit 16777216")
        .contains("registered=8000000 bytes")
        .contains("`ulimit -l unlimited`")
        .contains("LimitMEMLOCK=infinity");
    assertThat(
            MemoryLock.hint(
                List.of("Max locked memory         unlimited            unlimited   bytes"), 7))
        .contains("not limited")
        .contains("registered=7");
    assertThat(MemoryLock.hint(List.of(), 7)).contains("`ulimit -l unlimited`");
  }

  @Test
  void shouldSayWhatMayHelp() {
    assertThat(Hints.of("ibv_reg_mr", Errno.ENOMEM)).contains("RLIMIT_MEMLOCK");
    assertThat(Hints.of("ibv_open_device", Errno.EACCES)).contains("/dev/infiniband");
    assertThat(Hints.of("ibv_create_qp", Errno.EINVAL)).contains("grants");
    assertThat(Hints.of("ibv_modify_qp", Errno.ETIMEDOUT)).contains("GID");
    assertThat(Hints.of("ibv_dealloc_pd", Errno.EBUSY)).contains("still open");
    assertThat(new VerbsException("ibv_dealloc_pd", Errno.EBUSY, "facts"))
        .hasMessage("ibv_dealloc_pd failed: errno=16 (EBUSY), facts");
  }
}
