package org.ringwire.discovery;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeDirectory;

/**
 * Addresses in a JSON file that is read again when it changes: {@code {"1": "host:port", "2":
 * "host:port"}}. A file that is gone or malformed changes nothing: the addresses read before stay,
 * and the problem is logged once.
 *
 * <p>The file is looked at once per interval, links followed, so that a file that is replaced and
 * one that a link leads to are both found. Who writes it should write another file and move it over
 * this one. Connections that exist are left alone when a node moves or disappears.
 *
 * <p>Any thread may call all methods. Until it is closed, it owns a daemon thread.
 */
public final class FileDirectory implements NodeDirectory, AutoCloseable {
  private static final int MAX_LENGTH = 16 << 20;
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Path file;
  private final Refresher refresher;

  // Of what was read last; used by one load at a time.
  private byte @Nullable [] bytes;
  private Map<Integer, String> addresses = Map.of();
  private @Nullable IllegalArgumentException malformed;

  private FileDirectory(Path file) {
    this.file = file;
    refresher = new Refresher("file " + file, this::load);
  }

  /**
   * Reads a file, and looks at it every second from now on.
   *
   * @param file at most 16 MiB
   * @return the directory, to be closed when no node uses it any more
   * @throws UncheckedIOException if the file cannot be read now
   * @throws IllegalArgumentException if it is malformed now; says where
   */
  public static FileDirectory watch(Path file) {
    return watch(file, INTERVAL);
  }

  /**
   * Reads a file, and looks at it regularly from now on.
   *
   * @param file at most 16 MiB
   * @param interval between two looks, more than 0 and at most a year
   * @return the directory, to be closed when no node uses it any more
   * @throws UncheckedIOException if the file cannot be read now
   * @throws IllegalArgumentException if it is malformed now, and says where; or the interval is
   *     wrong
   */
  public static FileDirectory watch(Path file, Duration interval) {
    Objects.requireNonNull(file, "file must not be null");
    Intervals.check(interval);
    FileDirectory directory = new FileDirectory(file);
    try {
      directory.refresher.require();
    } catch (IOException e) {
      directory.close();
      throw new UncheckedIOException("file " + file + " cannot be read: " + e.getMessage(), e);
    } catch (Exception e) {
      directory.close();
      throw new IllegalArgumentException("file " + file + " is malformed: " + e.getMessage(), e);
    }
    directory.refresher.start(interval);
    return directory;
  }

  private Map<Integer, String> load() throws IOException {
    byte[] now;
    try (InputStream in = Files.newInputStream(file)) {
      now = in.readNBytes(MAX_LENGTH + 1);
    } catch (IOException e) {
      throw explained(file, e);
    }
    if (!Arrays.equals(now, bytes)) {
      read(now);
      bytes = now;
    }
    if (malformed != null) {
      throw malformed;
    }
    return addresses;
  }

  /** Says what has happened where the text of the failure is the name of the file alone. */
  static IOException explained(Path file, IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> new IOException("there is no file " + file, failure);
      case AccessDeniedException _ ->
          new IOException("this process has no right to read " + file, failure);
      default -> failure;
    };
  }

  private void read(byte[] now) {
    try {
      if (now.length > MAX_LENGTH) {
        throw new IllegalArgumentException("longer than " + MAX_LENGTH + " bytes");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(now)).toString();
      addresses = AddressFile.parse(text);
      malformed = null;
    } catch (IllegalArgumentException e) {
      malformed = e;
    } catch (CharacterCodingException e) {
      malformed = new IllegalArgumentException("not UTF-8", e);
    }
  }

  @Override
  public @Nullable String address(int nodeId) {
    return refresher.addresses().get(nodeId);
  }

  /**
   * All addresses of the last good state of the file.
   *
   * @return an immutable map
   */
  public Map<Integer, String> addresses() {
    return refresher.addresses();
  }

  /**
   * What is wrong with the file now.
   *
   * @return text for people, or null if all is well
   */
  public @Nullable String problem() {
    return refresher.problem();
  }

  /** Reads no more; the addresses stay. */
  @Override
  public void close() {
    refresher.close();
  }
}
