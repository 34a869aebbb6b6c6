package org.ringwire.infiniband.verbs.library;

/** Error numbers of Linux, the same on x86-64 and aarch64. */
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;
  public static final int ENETUNREACH = 101;
  public static final int ETIMEDOUT = 110;
  public static final int EHOSTUNREACH = 113;

  private Errno() {}

  static String name(int errno) {
    return switch (errno) {
      case 0 -> "no error number";
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EINTR -> "EINTR";
      case 5 -> "EIO";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EACCES -> "EACCES";
      case 14 -> "EFAULT";
      case EBUSY -> "EBUSY";
      case ENODEV -> "ENODEV";
      case EINVAL -> "EINVAL";
      case 24 -> "EMFILE";
      case 28 -> "ENOSPC";
      case ENOSYS -> "ENOSYS";
      case 71 -> "EPROTO";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case ENETUNREACH -> "ENETUNREACH";
      case ETIMEDOUT -> "ETIMEDOUT";
      case EHOSTUNREACH -> "EHOSTUNREACH";
      default -> "see errno.h";
    };
  }
}
