package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.ringwire.testing.NodeWatcher;

/** Every test class of this module is watched for what it leaves behind, without naming it. */
class WatchedTestsTest {

  private Optional<String> detection = Optional.empty();

  @RegisterExtension
  private final BeforeEachCallback settings =
      context ->
          detection =
              context.getConfigurationParameter("junit.jupiter.extensions.autodetection.enabled");

  @Test
  void shouldFindTheWatcherByItself() {
    assertThat(detection).contains("true");
    assertThat(ServiceLoader.load(Extension.class)).hasAtLeastOneElementOfType(NodeWatcher.class);
  }
}
