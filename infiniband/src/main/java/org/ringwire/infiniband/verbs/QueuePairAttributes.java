package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.Path;

/** Attributes for one change of state of a queue pair, and the mask of those that are set. */
final class QueuePairAttributes {

  private static final StructLayout LAYOUT = VerbsLayout.QP_ATTR;

  private final MemorySegment memory;
  private int mask;

  /**
   * For a change to a state.
   *
   * @param state one of the {@code QPS_} {@link Constants}
   */
  QueuePairAttributes(Arena arena, int state) {
    memory = arena.allocate(LAYOUT);
    set("qp_state", state, Constants.QP_STATE);
  }

  MemorySegment memory() {
    return memory;
  }

  int mask() {
    return mask;
  }

  /** Sets a member of four bytes. */
  QueuePairAttributes set(String member, int value, int bit) {
    memory.set(JAVA_INT, VerbsLayout.offset(LAYOUT, member), value);
    mask |= bit;
    return this;
  }

  /** Sets a member of one byte. */
  QueuePairAttributes setByte(String member, int value, int bit) {
    memory.set(JAVA_BYTE, VerbsLayout.offset(LAYOUT, member), (byte) value);
    mask |= bit;
    return this;
  }

  QueuePairAttributes port(Path path) {
    memory.set(JAVA_SHORT, VerbsLayout.offset(LAYOUT, "pkey_index"), (short) path.pkeyIndex());
    return setByte("port_num", path.port(), Constants.QP_PORT | Constants.QP_PKEY_INDEX);
  }

  QueuePairAttributes address(Path path, Gid gid, int lid) {
    long at = VerbsLayout.offset(LAYOUT, "ah_attr");
    address(memory.asSlice(at, VerbsLayout.AH_ATTR.byteSize()), path, gid, lid);
    mask |= Constants.QP_AV;
    return set("path_mtu", path.mtu().code(), Constants.QP_PATH_MTU);
  }

  /** Fills an {@code ibv_ah_attr}. */
  static void address(MemorySegment memory, Path path, Gid gid, int lid) {
    StructLayout layout = VerbsLayout.AH_ATTR;
    memory.set(JAVA_SHORT, VerbsLayout.offset(layout, "dlid"), (short) lid);
    memory.set(JAVA_BYTE, VerbsLayout.offset(layout, "sl"), (byte) path.serviceLevel());
    memory.set(JAVA_BYTE, VerbsLayout.offset(layout, "port_num"), (byte) path.port());
    if (path.global()) {
      memory.set(JAVA_BYTE, VerbsLayout.offset(layout, "is_global"), (byte) 1);
      gid.write(memory, VerbsLayout.offset(layout, "grh", "dgid"));
      memory.set(JAVA_INT, VerbsLayout.offset(layout, "grh", "flow_label"), path.flowLabel());
      setRoute(memory, "sgid_index", path.gidIndex());
      setRoute(memory, "hop_limit", path.hopLimit());
      setRoute(memory, "traffic_class", path.trafficClass());
    }
  }

  private static void setRoute(MemorySegment memory, String member, int value) {
    memory.set(JAVA_BYTE, VerbsLayout.offset(VerbsLayout.AH_ATTR, "grh", member), (byte) value);
  }
}
