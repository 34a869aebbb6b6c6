package org.ringwire.tools.console;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What has gone wrong, for people. */
public final class Problem {

  private Problem() {}

  /** One line: the message that was made for people, or the error itself if there is none. */
  public static String describe(Throwable error) {
    String message = error.getMessage();
    boolean forPeople =
        error instanceof IllegalArgumentException
            || error.getClass() == IOException.class
            || error.getClass() == FileSystemException.class
            || error.getClass().getName().startsWith("org.ringwire.");
    if (error instanceof NoSuchFileException missing) {
      message = "there is no file " + missing.getFile();
    } else if (error instanceof AccessDeniedException denied) {
      message = "no permission for " + denied.getFile();
    } else if (error instanceof CharacterCodingException) {
      message = "it is no text in UTF-8";
    } else if (error instanceof InternalError
        && message != null
        && message.contains("memory access")) {
      message = "a file that is used as memory has lost its room: is its disk full?"; // a ledger
    } else if (message == null || message.isBlank()) {
      message = error.getClass().getSimpleName();
    } else if (!forPeople) {
      message = error.getClass().getSimpleName() + ": " + message;
    }
    Throwable cause = error.getCause();
    if (error instanceof Error && cause != null && !(cause instanceof ClassNotFoundException)) {
      message += ": " + describe(cause); // why the JVM could not load or initialise something
    }
    return message.replaceAll("\\s*(?:\\R|\\p{Cntrl})+\\s*", " ").strip();
  }

  /** Why a file could not be used: the system leaves out which one it was, now and then. */
  public static String describe(Path file, IOException error) {
    String text = describe(error);
    return text.contains(file.toString()) ? text : file + ": " + text;
  }
}
