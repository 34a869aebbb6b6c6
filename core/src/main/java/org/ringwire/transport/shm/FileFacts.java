package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/**
 * What the system says of a file, whose links are not followed. Whose it is, is the number of a
 * user: to ask for the name, as the JDK does for who asks it for an owner, may be to ask a
 * directory service over the network, and a thread that maps the ring of a peer serves all others
 * of its transport.
 *
 * @param userId of the owner
 * @param mode its type and rights (st_mode)
 * @param modifiedMs when it was written last, by the clock
 */
record FileFacts(int userId, int mode, long modifiedMs) {

  private static final String ASKED = "unix:uid,mode,lastModifiedTime";

  /** What of a mode says which type it is (S_IFMT), and the types that there are here. */
  private static final int TYPE = 0xF000;

  private static final int SOCKET = 0xC000;
  private static final int REGULAR = 0x8000;
  private static final int FOLDER = 0x4000;

  /** What of a mode says who may do what, and all rights for the owner alone (0700). */
  private static final int RIGHTS = 0x1FF;

  private static final int ALL_OF_OWNER = 0x1C0;

  /** Of a file that is there. */
  static FileFacts of(Path file) throws IOException {
    Map<String, Object> found = Files.readAttributes(file, ASKED, LinkOption.NOFOLLOW_LINKS);
    FileTime modified = (FileTime) Objects.requireNonNull(found.get("lastModifiedTime"));
    return new FileFacts(number(found, "uid"), number(found, "mode"), modified.toMillis());
  }

  private static int number(Map<String, Object> found, String name) {
    return (int) Objects.requireNonNull(found.get(name));
  }

  boolean isSocket() {
    return (mode & TYPE) == SOCKET;
  }

  /** Whether it is a regular file of a user. */
  boolean isFileOf(int user) {
    return (mode & TYPE) == REGULAR && userId == user;
  }

  /** Whether it is a folder of a user, which nobody else may look into or change. */
  boolean isFolderOf(int user) {
    return (mode & TYPE) == FOLDER && (mode & RIGHTS) == ALL_OF_OWNER && userId == user;
  }
}
