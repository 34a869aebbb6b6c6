package org.ringwire.engine.outbound.encoding;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.ringwire.codec.Codec;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/**
 * A message whose bytes exist already, to be copied into the rings of several receivers.
 *
 * @param memory where they are
 * @param length how many
 * @param unwanted whether who has begun this wants no more that it is sent; asked once it has its
 *     place in the order, before it is copied, so that what that one sends afterwards has no place
 *     before it
 */
public record EncodedMessage(MemorySegment memory, int length, BooleanSupplier unwanted) {

  /** One that whoever has begun it waits for. */
  public EncodedMessage(MemorySegment memory, int length) {
    this(memory, length, () -> false);
  }

  /** Copies the bytes. */
  public static final Codec<EncodedMessage> COPY =
      new Codec<>() {
        @Override
        public int length(EncodedMessage message) {
          return message.length;
        }

        @Override
        public void encode(EncodedMessage message, Writer writer) {
          if (message.unwanted.getAsBoolean()) {
            throw new CancellationException("nobody waits any more for what is sent to several");
          }
          writer.putBytes(message.memory, 0, message.length);
        }

        @Override
        public EncodedMessage decode(Reader reader) {
          throw new IllegalStateException("encoded messages are only sent");
        }
      };

  /** Whether a codec is the one that copies. */
  @SuppressWarnings("ReferenceEquality") // there is one
  public static boolean isCopy(Codec<?> codec) {
    return codec == COPY;
  }
}
