package org.ringwire.infiniband.verbs.library;

/** What probably helps when a verb fails. */
public final class Hints {

  private Hints() {}

  /** A sentence without an end, or none, for a verb that has failed with an error number. */
  public static String of(String verb, int errno) {
    return switch (verb) {
      case "ibv_reg_mr" -> ofRegistration(errno);
      case "ibv_open_device" -> ofOpening(errno);
      case "ibv_create_cq", "ibv_create_srq", "ibv_create_qp", "ibv_create_ah" ->
          ofCreation(verb, errno);
      case "ibv_modify_qp" -> ofModification(errno);
      case "ibv_get_device_list" ->
          errno == Errno.ENOSYS
              ? "the kernel has no RDMA: load the driver of the device, or rdma_rxe"
              : "";
      default -> errno == Errno.EBUSY ? "something that was made from it is still open" : "";
    };
  }

  private static String ofRegistration(int errno) {
    return switch (errno) {
      case Errno.ENOMEM, Errno.EAGAIN, Errno.EPERM -> MemoryLock.hint();
      case Errno.EINVAL -> "the memory is empty, or remote access lacks Access.LOCAL_WRITE";
      case Errno.EACCES -> "the memory is mapped read-only";
      default -> "";
    };
  }

  private static String ofOpening(int errno) {
    return switch (errno) {
      case Errno.EACCES, Errno.EPERM ->
          "no permission for /dev/infiniband/uverbs*:"
              + " add the user to the group that owns it (ls -l /dev/infiniband)";
      case Errno.ENOENT, Errno.ENODEV ->
          "/dev/infiniband/uverbs* is missing: load the module ib_uverbs"
              + " (in a container, pass the devices: --device /dev/infiniband)";
      default -> "";
    };
  }

  private static String ofCreation(String verb, int errno) {
    return switch (errno) {
      case Errno.EINVAL -> "more than the device grants: see Device.attributes()";
      case Errno.ENOMEM -> "out of what the device has, or: " + MemoryLock.hint();
      case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH ->
          "no way to the address" + (verb.equals("ibv_create_ah") ? " of the peer" : "");
      default -> "";
    };
  }

  private static String ofModification(int errno) {
    return switch (errno) {
      case Errno.EINVAL -> "the device refuses this transition or one of its values";
      case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH ->
          "no way to the GID of the peer: check addresses, routes and the GID index";
      case Errno.ENODEV -> "the GID index is empty, or its interface is down";
      default -> "";
    };
  }
}
