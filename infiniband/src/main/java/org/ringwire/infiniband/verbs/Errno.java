package org.ringwire.infiniband.verbs;

/** Error numbers of Linux, the same on x86-64 and aarch64. */
final class Errno {

  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;
  static final int ENETUNREACH = 101;
  static final int ETIMEDOUT = 110;
  static final int EHOSTUNREACH = 113;

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
