package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.testing.NodeWatcher;

/** Enums whose constants are not there yet, or never will be. */
@ExtendWith(NodeWatcher.class)
class UninitialisedEnumTest {
  private static final HeapCodec CODEC =
      HeapCodec.builder().acceptPackage("org.ringwire.heap").build();

  private static final CompletableFuture<byte[]> FIRST = new CompletableFuture<>();

  enum Sending {
    ONE,
    TWO;

    Sending() {
      try {
        FIRST.complete(CODEC.encode(this));
      } catch (EncodingException e) {
        FIRST.completeExceptionally(e);
      }
    }
  }

  @Test
  void shouldSendAnEnumThatCouldNotBeSentWhenItWasInitialised() {
    byte[] image = CODEC.encode(List.of(Sending.TWO));

    assertThat(CODEC.decode(image)).isEqualTo(List.of(Sending.TWO));
    assertThat(FIRST.exceptionNow())
        .isInstanceOf(EncodingException.class)
        .hasMessageContainingAll("is being initialised", Sending.class.getName());
  }

  enum Ready1 {
    ONE
  }

  enum Broken {
    ONE;

    static final int LENGTH = Integer.parseInt("no number");
  }

  @Test
  void shouldRefuseCollectionsOfAnEnumThatCannotBeInitialised() {
    for (Object empty : List.of(EnumSet.noneOf(Ready1.class), new EnumMap<>(Ready1.class))) {
      byte[] image = Images.replace(CODEC.encode(empty), "$Ready1", "$Broken");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> CODEC.decode(image))
            .isInstanceOf(DecodingException.class)
            .hasMessageContainingAll("cannot be initialised", Broken.class.getName());
      }
    }
  }
}
