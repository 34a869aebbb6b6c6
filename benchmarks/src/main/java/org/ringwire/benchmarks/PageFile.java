package org.ringwire.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ringwire.tools.console.Problem;

/**
 * The file of a page with plots, or a table. It is opened before anything is measured, since who
 * has waited for an hour should not hear then that there is no place for what was found. What the
 * file had stays until the page is written; a file that was made for it goes if no page is.
 */
public final class PageFile implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private final boolean isNew;
  private boolean isWritten;

  private PageFile(Path file, FileChannel channel, boolean isNew) {
    this.file = file;
    this.channel = channel;
    this.isNew = isNew;
  }

  /**
   * Opens it.
   *
   * @throws IOException if it cannot be written to, with a message for people
   */
  public static PageFile open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder; name a file in it");
    }
    boolean isNew = Files.notExists(file);
    try {
      return new PageFile(
          file, FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), isNew);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no folder for " + file + " that can be written to", e);
    } catch (IOException e) {
      throw new IOException("cannot be written: " + Problem.describe(file, e), e);
    }
  }

  /**
   * Replaces what is in the file.
   *
   * @throws IOException if there is no room for all of it, with a message for people
   */
  public void write(String page) throws IOException {
    try {
      if (!isNew && Files.isRegularFile(file)) {
        channel.truncate(0); // a pipe has no length
      }
      ByteBuffer bytes = ByteBuffer.wrap(page.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      isWritten = true;
    } catch (IOException e) { // which does not say of which file
      throw new IOException("cannot be written: " + Problem.describe(file, e), e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (isNew && !isWritten) {
      Files.deleteIfExists(file);
    }
  }
}
