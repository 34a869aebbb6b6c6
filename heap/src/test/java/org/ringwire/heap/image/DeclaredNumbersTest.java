package org.ringwire.heap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.heap.image.classes.DeclaredClasses;
import org.ringwire.testing.NodeWatcher;

/** Classes that are declared where memory ends. */
@ExtendWith(NodeWatcher.class)
class DeclaredNumbersTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1 << 20, 1 << 20, 1 << 20);
  private static final int BLOCK = 4096;

  private boolean hasMemory;

  private record First(int value) {}

  private record Second(int value) {}

  private int[] longer(int[] old) {
    if (!hasMemory) {
      throw new OutOfMemoryError("as if there was no heap");
    }
    return Arrays.copyOf(old, 2 * old.length);
  }

  private static String stream(Encoder encoder, Object graph) {
    StringBuilder image = new StringBuilder();
    encoder.stream(
        graph,
        BLOCK,
        (MemorySegment head, MemorySegment body, boolean isLast) ->
            image.append(
                new String(head.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1)));
    return image.toString();
  }

  @Test
  void shouldGoOnAfterAClassForWhichThereWasNoMemory() {
    DeclaredClasses classes = new DeclaredClasses();
    Encoder encoder = new Encoder(LIMITS, true, classes, new DeclaredNumbers(1, this::longer));
    assertThat(stream(encoder, new First(1))).contains("First");

    assertThatThrownBy(() -> stream(encoder, new Second(2))).isInstanceOf(OutOfMemoryError.class);
    assertThat(stream(encoder, new First(3))).doesNotContain("First");
    hasMemory = true;

    assertThat(stream(encoder, new Second(4))).contains("Second");
    assertThat(stream(encoder, new Second(5))).doesNotContain("Second");
    assertThat(classes.from(0, 3)).hasSize(2);
    assertThat(classes.from(1, 1).getFirst()).contains("Second");
  }

  /** Else a graph would be told to have arrived that nobody can read. */
  @Test
  void shouldDeclareNoMoreClassesThanReceiversHaveNumbersFor() {
    DeclaredNumbers numbers = new DeclaredNumbers();
    for (int number = 0; number < 65_535; number++) {
      assertThat(numbers.add(0)).isEqualTo(number);
    }
    numbers.depart();
    Encoder encoder = new Encoder(LIMITS, true, new DeclaredClasses(), numbers);

    assertThat(stream(encoder, new First(1))).contains("First");
    assertThatThrownBy(() -> stream(encoder, new Second(2)))
        .isInstanceOf(EncodingException.class)
        .hasMessageContaining("limit of classes=65536");
    assertThat(stream(encoder, new First(3))).doesNotContain("First");
  }

  @Test
  void shouldEncodeWholeImagesAfterAClassForWhichThereWasNoMemory() {
    Encoder encoder = new Encoder(LIMITS, true, null, new DeclaredNumbers(1, this::longer));
    Object[] both = {new First(1), new Second(2)};

    assertThatThrownBy(() -> encoder.encodeToArray(both)).isInstanceOf(OutOfMemoryError.class);
    hasMemory = true;

    assertThat(encoder.encodeToArray(both))
        .isEqualTo(new Encoder(LIMITS, true).encodeToArray(both));
  }
}
