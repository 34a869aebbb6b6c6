package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.testing.NodeWatcher;

/** The threads of an engine end links also where there is no heap. */
@ExtendWith(NodeWatcher.class)
class EndsWithoutHeapTest {

  /**
   * A lambda is made where it is first evaluated, and fails for ever if there was no heap for that
   * then; not with an {@code OutOfMemoryError}, so the thread ended. {@code IbNoHeapTest} has the
   * same with a device, now and then.
   */
  @ParameterizedTest
  @ValueSource(classes = {AfterInput.class, LinkRegister.class})
  void shouldHaveNothingToMakeWhenALinkEnds(Class<?> type) {
    assertThat(Stream.of(type.getDeclaredMethods()).filter(Method::isSynthetic))
        .extracting(Method::getName)
        .noneMatch(name -> name.matches("lambda\\$(tell|failAll|forceAll)\\$.*"));
  }
}
