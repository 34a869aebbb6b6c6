package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.infiniband.verbs.UdQueuePair;
import org.ringwire.infiniband.verbs.types.Access;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.infiniband.verbs.types.AtomicSupport;
import org.ringwire.infiniband.verbs.types.CompletionOpcode;
import org.ringwire.infiniband.verbs.types.Gid;
import org.ringwire.infiniband.verbs.types.LinkLayer;
import org.ringwire.infiniband.verbs.types.Mtu;
import org.ringwire.infiniband.verbs.types.PortState;
import org.ringwire.infiniband.verbs.types.QueuePairState;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.infiniband.verbs.types.WorkStatus;
import org.ringwire.testing.NodeWatcher;

/** Compares every offset, size and constant with what a C compiler makes of the headers. */
@ExtendWith(NodeWatcher.class)
final class VerbsLayoutTest {

  @TempDir private Path folder;

  @Test
  void shouldLayOutStructsAsTheHeadersDo() throws Exception {
    Map<String, Long> expressions = new LinkedHashMap<>();
    for (StructLayout layout : VerbsLayout.WHOLE) {
      expressions.put("sizeof(struct " + name(layout) + ")", layout.byteSize());
      members(expressions, layout, name(layout), "", 0);
    }
    for (StructLayout layout : VerbsLayout.BEGINNINGS) {
      members(expressions, layout, name(layout), "", 0);
    }
    String context = "offsetof(struct verbs_context, context)";
    expressions.put(
        context + " - offsetof(struct verbs_context, query_port)",
        VerbsLayout.QUERY_PORT_BEFORE_CONTEXT);
    expressions.put(
        context + " - offsetof(struct verbs_context, sz)", VerbsLayout.SIZE_BEFORE_CONTEXT);
    expressions.put("sizeof(union ibv_gid)", (long) Gid.LENGTH);
    assertThat(expressions).hasSizeGreaterThan(300);

    assertThat(evaluated(expressions)).containsExactlyEntriesOf(expressions);
  }

  @Test
  void shouldKnowTheConstants() throws Exception {
    Map<String, Long> expressions = new LinkedHashMap<>();
    constants(expressions, Constants.class, "IBV_");
    constants(expressions, SendOpcode.class, "IBV_WR_");
    constants(expressions, SendFlags.class, "IBV_SEND_");
    constants(expressions, Access.class, "IBV_ACCESS_");
    constants(expressions, WorkStatus.class, "IBV_WC_");
    constants(expressions, CompletionOpcode.class, "IBV_WC_");
    enums(expressions, PortState.class, "IBV_PORT_");
    enums(expressions, LinkLayer.class, "IBV_LINK_LAYER_");
    enums(expressions, QueuePairState.class, "IBV_QPS_");
    enums(expressions, AsyncEventType.class, "IBV_EVENT_");
    expressions.remove("IBV_EVENT_UNKNOWN"); // stands for what is newer
    for (Mtu mtu : Mtu.values()) {
      expressions.put("IBV_" + mtu.name(), (long) mtu.code());
    }
    assertThat(AtomicSupport.ofCode(0)).isEqualTo(AtomicSupport.NONE);
    expressions.put("IBV_ATOMIC_NONE", 0L);
    assertThat(AtomicSupport.ofCode(1)).isEqualTo(AtomicSupport.DEVICE);
    expressions.put("IBV_ATOMIC_HCA", 1L);
    assertThat(AtomicSupport.ofCode(2)).isEqualTo(AtomicSupport.GLOBAL);
    expressions.put("IBV_ATOMIC_GLOB", 2L);
    expressions.put("sizeof(struct ibv_grh)", (long) UdQueuePair.ROUTE_BYTES);
    errors(expressions);

    assertThat(evaluated(expressions)).containsExactlyEntriesOf(expressions);
  }

  private static String name(StructLayout layout) {
    return layout.name().orElseThrow();
  }

  private static void members(
      Map<String, Long> expressions, GroupLayout group, String struct, String path, long base) {
    long offset = 0;
    for (MemoryLayout member : group.memberLayouts()) {
      if (!(member instanceof PaddingLayout)) {
        String at = path + member.name().orElseThrow();
        expressions.put("offsetof(struct " + struct + ", " + at + ")", base + offset);
        expressions.put("sizeof(((struct " + struct + " *) 0)->" + at + ")", member.byteSize());
        if (member instanceof GroupLayout inner) {
          members(expressions, inner, struct, at + ".", base + offset);
        }
      }
      if (group instanceof StructLayout) {
        offset += member.byteSize();
      }
    }
  }

  private static void constants(Map<String, Long> expressions, Class<?> type, String prefix)
      throws IllegalAccessException {
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
        expressions.put(prefix + field.getName(), field.getLong(null));
      }
    }
  }

  private static void enums(
      Map<String, Long> expressions, Class<? extends Enum<?>> type, String prefix) {
    long code = 0; // verbs count as Java does
    for (Enum<?> constant : type.getEnumConstants()) {
      expressions.put(prefix + constant.name(), code);
      code++;
    }
  }

  private static void errors(Map<String, Long> expressions) throws IllegalAccessException {
    for (Field field : Errno.class.getDeclaredFields()) {
      if (field.getType() == int.class) {
        expressions.put(field.getName(), field.getLong(null));
        assertThat(Errno.name(field.getInt(null))).isEqualTo(field.getName());
      }
    }
  }

  /** The values of integer expressions, as C computes them. */
  private Map<String, Long> evaluated(Map<String, Long> expressions)
      throws IOException, InterruptedException {
    StringBuilder program = new StringBuilder();
    program.append("#include <errno.h>\n#include <poll.h>\n#include <stddef.h>\n");
    program.append("#include <stdio.h>\n#include <infiniband/verbs.h>\nint main(void) {\n");
    for (String expression : expressions.keySet()) {
      program.append(
          String.format(
              Locale.ROOT,
              "  printf(\"%%s=%%lld\\n\", \"%1$s\", (long long) (%1$s));%n",
              expression));
    }
    program.append("  return 0;\n}\n");
    Path source = Files.writeString(folder.resolve("layout.c"), program);
    Map<String, Long> values = new LinkedHashMap<>();
    for (String line : Headers.compileAndRun(source).lines().toList()) {
      int end = line.lastIndexOf('=');
      values.put(line.substring(0, end), Long.parseLong(line.substring(end + 1)));
    }
    return values;
  }
}
