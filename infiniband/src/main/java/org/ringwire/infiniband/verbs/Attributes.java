package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringwire.infiniband.verbs.library.Constants;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsLayout;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.infiniband.verbs.types.AtomicSupport;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.LinkLayer;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.PortAttributes;
import org.ringwire.infiniband.verbs.types.PortState;

/** Reads what the library has filled in. */
final class Attributes {

  private static final ValueLayout.OfLong NETWORK_LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private static final long EVENT_TYPE = VerbsLayout.offset(VerbsLayout.ASYNC_EVENT, "event_type");
  private static final long EVENT_PORT =
      VerbsLayout.offset(VerbsLayout.ASYNC_EVENT, "element", "port_num");
  private static final long EVENT_PAIR =
      VerbsLayout.offset(VerbsLayout.ASYNC_EVENT, "element", "qp");
  private static final long PAIR_NUMBER = VerbsLayout.offset(VerbsLayout.QP, "qp_num");

  /** All of the memory. */
  private static final MemorySegment MEMORY = Verbs.at(0, Long.MAX_VALUE);

  private final MemorySegment memory;
  private final StructLayout layout;

  private Attributes(MemorySegment memory, StructLayout layout) {
    this.memory = memory;
    this.layout = layout;
  }

  static DeviceAttributes ofDevice(MemorySegment memory) {
    Attributes of = new Attributes(memory, VerbsLayout.DEVICE_ATTR);
    return new DeviceAttributes(
        memory.getString(of.at("fw_ver")),
        memory.get(NETWORK_LONG, of.at("node_guid")),
        of.number("max_qp"),
        of.number("max_qp_wr"),
        of.number("max_sge"),
        of.number("max_sge_rd"),
        of.number("max_cq"),
        of.number("max_cqe"),
        of.number("max_mr"),
        memory.get(JAVA_LONG, of.at("max_mr_size")),
        of.number("max_srq"),
        of.number("max_srq_wr"),
        of.number("max_srq_sge"),
        of.number("max_qp_rd_atom"),
        of.number("max_qp_init_rd_atom"),
        AtomicSupport.ofCode(of.number("atomic_cap")),
        of.number("max_ah"),
        of.unsignedShort("max_pkeys"),
        of.unsignedByte("phys_port_cnt"));
  }

  static PortAttributes ofPort(int port, MemorySegment memory) {
    Attributes of = new Attributes(memory, VerbsLayout.PORT_ATTR);
    return new PortAttributes(
        port,
        PortState.ofCode(of.number("state")),
        Mtu.ofCode(of.number("max_mtu")),
        Mtu.ofCode(of.number("active_mtu")),
        of.number("gid_tbl_len"),
        of.number("max_msg_sz"),
        of.unsignedShort("pkey_tbl_len"),
        of.unsignedShort("lid"),
        of.unsignedShort("sm_lid"),
        of.unsignedByte("sm_sl"),
        LinkLayer.ofCode(of.unsignedByte("link_layer")),
        (of.unsignedByte("flags") & Constants.QPF_GRH_REQUIRED) != 0,
        of.unsignedByte("phys_state"));
  }

  static int typeOfEvent(MemorySegment memory) {
    return memory.get(JAVA_INT, EVENT_TYPE);
  }

  /** The number of an {@link AsyncEvent}; without heap, so by address. */
  static int numberOfEvent(MemorySegment memory, int code) {
    AsyncEventType type = AsyncEventType.ofCode(code);
    if (type.isOfPort()) {
      return memory.get(JAVA_INT, EVENT_PORT);
    }
    if (type.isOfQueuePair()) { // which cannot end before the event is acknowledged
      return MEMORY.get(JAVA_INT, memory.get(JAVA_LONG, EVENT_PAIR) + PAIR_NUMBER);
    }
    return 0;
  }

  private long at(String member) {
    return VerbsLayout.offset(layout, member);
  }

  private int number(String member) {
    return memory.get(JAVA_INT, at(member));
  }

  private int unsignedShort(String member) {
    return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(member)));
  }

  private int unsignedByte(String member) {
    return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(member)));
  }
}
