package org.ringwire.lessons;

import static org.ringwire.testing.Undeclared.undeclared;

import java.io.IOException;
import org.ringwire.MemoryLimitException;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/** A codec that misbehaves as the number in its message says. */
class OddCodec implements Codec<OddCodec.Odd> {

  /** Says how to misbehave. */
  record Odd(int number) {}

  private static final int[] EMPTY = {};

  static final int FINE = 0;
  static final int THROWS = 1;
  static final int TOO_LITTLE = 2;
  static final int TOO_MUCH = 3;
  static final int OUT_OF_BOUNDS = 4;
  static final int ERROR = 5;
  static final int DECODE_OUT_OF_BOUNDS = 6;
  static final int DECODE_ERROR = 7;
  static final int DECODE_NOTHING = 8;
  static final int CHECKED = 9;
  static final int DECODE_CHECKED = 10;
  static final int ERROR_WITHOUT_TEXT = 11;
  static final int UNPRINTABLE = 12;
  static final int NO_MEMORY = 13;

  /** Has nothing to say. */
  static final class MuteError extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Fails itself when it is asked what it has to say. */
  static final class UnprintableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("nor has this one a text, on purpose");
    }
  }

  /** A catalog with this codec in it. */
  static MessageCatalog catalog() {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(7, Odd.class, new OddCodec());
    return catalog;
  }

  @Override
  public int length(Odd message) {
    return 8;
  }

  @Override
  public void encode(Odd message, Writer writer) {
    writer.putInt(message.number());
    switch (message.number()) {
      case THROWS -> throw new IllegalStateException("encode failed on purpose");
      case TOO_LITTLE -> {}
      case TOO_MUCH -> writer.putLong(0);
      case OUT_OF_BOUNDS -> writer.putInt(EMPTY[message.number()]);
      case ERROR -> throw new StackOverflowError("encode failed on purpose");
      case CHECKED -> throw undeclared(new IOException("encode failed on purpose"));
      case ERROR_WITHOUT_TEXT -> throw new MuteError();
      case NO_MEMORY -> throw new MemoryLimitException("encode failed on purpose");
      case UNPRINTABLE -> throw new UnprintableException();
      default -> writer.putInt(0);
    }
  }

  @SuppressWarnings({"DataFlowIssue", "NullAway"}) // what a codec must not do
  private static Odd nothing() {
    return null;
  }

  @Override
  public Odd decode(Reader reader) {
    Odd odd = new Odd(reader.getInt());
    reader.getInt();
    if (odd.number() == DECODE_OUT_OF_BOUNDS) {
      throw new ArrayIndexOutOfBoundsException("decode failed on purpose");
    }
    if (odd.number() == DECODE_ERROR) {
      throw new StackOverflowError("decode failed on purpose");
    }
    if (odd.number() == DECODE_CHECKED) {
      throw undeclared(new IOException("decode failed on purpose"));
    }
    return odd.number() == DECODE_NOTHING ? nothing() : odd;
  }
}
