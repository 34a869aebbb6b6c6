package org.ringwire.infiniband.verbs.library;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The structs of {@code infiniband/verbs.h}, member by member under their C names, for 64-bit Linux
 * (x86-64 and aarch64). Pointers are {@code long}. A test compiles a C program against the
 * installed headers and compares every offset and size.
 */
public final class VerbsLayout {

  /** {@code pthread_mutex_t} is the one type here whose size depends on the processor. */
  private static final long MUTEX = System.getProperty("os.arch").equals("aarch64") ? 48 : 40;

  /** Bytes of a GID; in memory in network order. */
  public static final long GID_BYTES = 16;

  private static final GroupLayout GID =
      MemoryLayout.unionLayout(
          MemoryLayout.sequenceLayout(GID_BYTES, JAVA_BYTE).withName("raw"),
          struct(longs("subnet_prefix", "interface_id")).withName("global"));

  public static final StructLayout DEVICE_ATTR =
      named(
          "ibv_device_attr",
          List.of(MemoryLayout.sequenceLayout(64, JAVA_BYTE).withName("fw_ver")),
          longs("node_guid", "sys_image_guid", "max_mr_size", "page_size_cap"),
          ints("vendor_id", "vendor_part_id", "hw_ver", "max_qp", "max_qp_wr"),
          ints("device_cap_flags", "max_sge", "max_sge_rd", "max_cq", "max_cqe", "max_mr"),
          ints("max_pd", "max_qp_rd_atom", "max_ee_rd_atom", "max_res_rd_atom"),
          ints("max_qp_init_rd_atom", "max_ee_init_rd_atom", "atomic_cap", "max_ee", "max_rdd"),
          ints("max_mw", "max_raw_ipv6_qp", "max_raw_ethy_qp", "max_mcast_grp"),
          ints("max_mcast_qp_attach", "max_total_mcast_qp_attach", "max_ah", "max_fmr"),
          ints("max_map_per_fmr", "max_srq", "max_srq_wr", "max_srq_sge"),
          shorts("max_pkeys"),
          bytes("local_ca_ack_delay", "phys_port_cnt"));

  public static final StructLayout PORT_ATTR =
      named(
          "ibv_port_attr",
          ints("state", "max_mtu", "active_mtu", "gid_tbl_len", "port_cap_flags", "max_msg_sz"),
          ints("bad_pkey_cntr", "qkey_viol_cntr"),
          shorts("pkey_tbl_len", "lid", "sm_lid"),
          bytes("lmc", "max_vl_num", "sm_sl", "subnet_timeout", "init_type_reply"),
          bytes("active_width", "active_speed", "phys_state", "link_layer", "flags"),
          shorts("port_cap_flags2"));

  static final StructLayout GLOBAL_ROUTE =
      named(
          "ibv_global_route",
          List.of(GID.withName("dgid")),
          ints("flow_label"),
          bytes("sgid_index", "hop_limit", "traffic_class"));

  public static final StructLayout AH_ATTR =
      named(
          "ibv_ah_attr",
          List.of(GLOBAL_ROUTE.withName("grh")),
          shorts("dlid"),
          bytes("sl", "src_path_bits", "static_rate", "is_global", "port_num"));

  public static final StructLayout SRQ_ATTR =
      named("ibv_srq_attr", ints("max_wr", "max_sge", "srq_limit"));

  public static final StructLayout SRQ_INIT_ATTR =
      named("ibv_srq_init_attr", longs("srq_context"), List.of(SRQ_ATTR.withName("attr")));

  static final StructLayout QP_CAP =
      named(
          "ibv_qp_cap",
          ints("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data"));

  public static final StructLayout QP_INIT_ATTR =
      named(
          "ibv_qp_init_attr",
          longs("qp_context", "send_cq", "recv_cq", "srq"),
          List.of(QP_CAP.withName("cap")),
          ints("qp_type", "sq_sig_all"));

  public static final StructLayout QP_ATTR =
      named(
          "ibv_qp_attr",
          ints("qp_state", "cur_qp_state", "path_mtu", "path_mig_state", "qkey", "rq_psn"),
          ints("sq_psn", "dest_qp_num", "qp_access_flags"),
          List.of(
              QP_CAP.withName("cap"), AH_ATTR.withName("ah_attr"), AH_ATTR.withName("alt_ah_attr")),
          shorts("pkey_index", "alt_pkey_index"),
          bytes("en_sqd_async_notify", "sq_draining", "max_rd_atomic", "max_dest_rd_atomic"),
          bytes("min_rnr_timer", "port_num", "timeout", "retry_cnt", "rnr_retry"),
          bytes("alt_port_num", "alt_timeout"),
          ints("rate_limit"));

  public static final StructLayout SGE = named("ibv_sge", longs("addr"), ints("length", "lkey"));

  public static final StructLayout SEND_WR =
      named(
          "ibv_send_wr",
          longs("wr_id", "next", "sg_list"),
          ints("num_sge", "opcode", "send_flags", "imm_data"),
          List.of(
              MemoryLayout.unionLayout(
                      struct(longs("remote_addr"), ints("rkey")).withName("rdma"),
                      struct(longs("remote_addr", "compare_add", "swap"), ints("rkey"))
                          .withName("atomic"),
                      struct(longs("ah"), ints("remote_qpn", "remote_qkey")).withName("ud"))
                  .withName("wr"),
              struct(List.of(struct(ints("remote_srqn")).withName("xrc"))).withName("qp_type"),
              struct(
                      longs("mw"),
                      ints("rkey"),
                      List.of(
                          struct(longs("mr", "addr", "length"), ints("mw_access_flags"))
                              .withName("bind_info")))
                  .withName("bind_mw")));

  public static final StructLayout RECV_WR =
      named("ibv_recv_wr", longs("wr_id", "next", "sg_list"), ints("num_sge"));

  public static final StructLayout WC =
      named(
          "ibv_wc",
          longs("wr_id"),
          ints("status", "opcode", "vendor_err", "byte_len", "imm_data", "qp_num", "src_qp"),
          ints("wc_flags"),
          shorts("pkey_index", "slid"),
          bytes("sl", "dlid_path_bits"));

  public static final StructLayout MR =
      named("ibv_mr", longs("context", "pd", "addr", "length"), ints("handle", "lkey", "rkey"));

  /** Only its beginning. */
  public static final StructLayout QP =
      named(
          "ibv_qp",
          longs("context", "qp_context", "pd", "send_cq", "recv_cq", "srq"),
          ints("handle", "qp_num", "state", "qp_type"));

  /** Only its beginning. */
  public static final StructLayout CQ =
      named("ibv_cq", longs("context", "channel", "cq_context"), ints("handle", "cqe"));

  public static final StructLayout COMP_CHANNEL =
      named("ibv_comp_channel", longs("context"), ints("fd", "refcnt"));

  public static final StructLayout ASYNC_EVENT =
      named(
          "ibv_async_event",
          List.of(
              MemoryLayout.unionLayout(
                      JAVA_LONG.withName("cq"),
                      JAVA_LONG.withName("qp"),
                      JAVA_LONG.withName("srq"),
                      JAVA_INT.withName("port_num"))
                  .withName("element")),
          ints("event_type"));

  /** The hot verbs are inline functions of the header, which call through these pointers. */
  static final StructLayout CONTEXT_OPS =
      named(
          "ibv_context_ops",
          longs("_compat_query_device", "_compat_query_port", "_compat_alloc_pd"),
          longs("_compat_dealloc_pd", "_compat_reg_mr", "_compat_rereg_mr", "_compat_dereg_mr"),
          longs("alloc_mw", "bind_mw", "dealloc_mw", "_compat_create_cq", "poll_cq"),
          longs("req_notify_cq", "_compat_cq_event", "_compat_resize_cq", "_compat_destroy_cq"),
          longs("_compat_create_srq", "_compat_modify_srq", "_compat_query_srq"),
          longs("_compat_destroy_srq", "post_srq_recv", "_compat_create_qp", "_compat_query_qp"),
          longs("_compat_modify_qp", "_compat_destroy_qp", "post_send", "post_recv"),
          longs("_compat_create_ah", "_compat_destroy_ah", "_compat_attach_mcast"),
          longs("_compat_detach_mcast", "_compat_async_event"));

  public static final StructLayout CONTEXT =
      named(
          "ibv_context",
          longs("device"),
          List.of(CONTEXT_OPS.withName("ops")),
          ints("cmd_fd", "async_fd", "num_comp_vectors"),
          List.of(MemoryLayout.sequenceLayout(MUTEX / 8, JAVA_LONG).withName("mutex")),
          longs("abi_compat"));

  /**
   * The context of an extended provider is the last member of a {@code verbs_context}, which grows
   * at its front: what is older keeps its distance from the context. {@code query_port} stands so
   * many bytes before it, the size of the whole {@link #SIZE_BEFORE_CONTEXT}.
   */
  public static final long QUERY_PORT_BEFORE_CONTEXT = 320;

  public static final long SIZE_BEFORE_CONTEXT = 8;

  public static final StructLayout POLLFD =
      named("pollfd", ints("fd"), shorts("events", "revents"));

  /** Those that are described to their end. */
  static final List<StructLayout> WHOLE =
      List.of(
          DEVICE_ATTR,
          PORT_ATTR,
          GLOBAL_ROUTE,
          AH_ATTR,
          SRQ_ATTR,
          SRQ_INIT_ATTR,
          QP_CAP,
          QP_INIT_ATTR,
          QP_ATTR,
          SGE,
          SEND_WR,
          RECV_WR,
          WC,
          MR,
          COMP_CHANNEL,
          ASYNC_EVENT,
          CONTEXT_OPS,
          CONTEXT,
          POLLFD);

  /** Those of which only the beginning is described. */
  static final List<StructLayout> BEGINNINGS = List.of(QP, CQ);

  private VerbsLayout() {}

  /** Offset of a member, or of a member of members. */
  public static long offset(StructLayout layout, String... path) {
    return layout.byteOffset(
        Arrays.stream(path).map(name -> groupElement(name)).toArray(PathElement[]::new));
  }

  private static List<MemoryLayout> longs(String... names) {
    return members(JAVA_LONG, names);
  }

  private static List<MemoryLayout> ints(String... names) {
    return members(JAVA_INT, names);
  }

  private static List<MemoryLayout> shorts(String... names) {
    return members(JAVA_SHORT, names);
  }

  private static List<MemoryLayout> bytes(String... names) {
    return members(JAVA_BYTE, names);
  }

  private static List<MemoryLayout> members(MemoryLayout type, String... names) {
    return Arrays.stream(names).map(type::withName).toList();
  }

  @SafeVarargs
  private static StructLayout named(String name, List<? extends MemoryLayout>... members) {
    return struct(members).withName(name);
  }

  /** Members in order, each at the next offset that suits it, as C lays them out. */
  @SafeVarargs
  private static StructLayout struct(List<? extends MemoryLayout>... members) {
    List<MemoryLayout> all = new ArrayList<>();
    long offset = 0;
    long alignment = 1;
    for (List<? extends MemoryLayout> some : members) {
      for (MemoryLayout member : some) {
        offset += pad(all, offset, member.byteAlignment());
        all.add(member);
        offset += member.byteSize();
        alignment = Math.max(alignment, member.byteAlignment());
      }
    }
    pad(all, offset, alignment);
    return MemoryLayout.structLayout(all.toArray(MemoryLayout[]::new));
  }

  private static long pad(List<MemoryLayout> members, long offset, long alignment) {
    long gap = -offset & (alignment - 1);
    if (gap > 0) {
      members.add(MemoryLayout.paddingLayout(gap));
    }
    return gap;
  }
}
