package org.ringwire.testing;

/** Throws what the compiler would not let it throw, as other languages do. */
public final class Undeclared {

  private Undeclared() {}

  /** Throws this, whatever the caller declares. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // which is the point
  public static <T extends Throwable> RuntimeException undeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
