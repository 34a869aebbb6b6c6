package org.ringwire.tools.bench.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a part of a process has cost: a package of Ringwire with all that it calls outside of
 * Ringwire but the kernel, a call of the kernel, or something of the virtual machine.
 *
 * @param process which of the processes
 * @param part a package below {@code org.ringwire}, {@code kernel: CALL} with what the C library
 *     does for it, {@code compilers}, {@code garbage collector}, {@code virtual machine}, or {@code
 *     JDK}
 * @param nanosPerMessage processor time
 */
public record ProfilePart(String process, String part, double nanosPerMessage) {

  private static final String OURS = "org/ringwire/";

  /** Functions of the C library that do little more than to call the kernel. */
  private static final Pattern CALL =
      Pattern.compile(
          "_*(?:GI_+|libc_+)?(writev?|readv?|send|sendmsg|recv|recvmsg|poll|epoll_wait|sched_yield|ioctl)");

  /** And those by which threads wait for each other and wake each other. */
  private static final Pattern FUTEX = Pattern.compile("_*(?:GI_+)?(?:futex|pthread|lll_lock)_.*");

  /** Of the whole; what is less is not worth a line of a table. */
  private static final double LEAST_SHARE = 0.005;

  /**
   * Adds up.
   *
   * @param lines of async-profiler's collapsed format: {@code [thread];frame;...;frame COUNT}, the
   *     count in nanoseconds
   * @return the dearest first
   */
  static List<ProfilePart> of(String process, List<String> lines, long messages) {
    Map<String, Long> nanos = new HashMap<>();
    for (String line : lines) {
      int count = line.lastIndexOf(' ');
      if (count > 0) {
        String[] frames = line.substring(0, count).split(";", -1);
        nanos.merge(partOf(frames), Long.parseLong(line.substring(count + 1)), Long::sum);
      }
    }
    List<ProfilePart> parts = new ArrayList<>();
    nanos.forEach((part, sum) ->
        parts.add(new ProfilePart(process, part, (double) sum / Math.max(1, messages))));
    parts.sort(Comparator.comparingDouble(ProfilePart::nanosPerMessage).reversed());
    return List.copyOf(parts);
  }

  private static String partOf(String... frames) {
    String innermost = frames[frames.length - 1];
    if (FUTEX.matcher(innermost).matches()) {
      return "kernel: futex";
    }
    Matcher call = CALL.matcher(innermost);
    if (call.matches()) {
      return "kernel: " + call.group(1);
    }
    for (int i = frames.length - 1; i > 0; i--) {
      if (frames[i].startsWith(OURS)) {
        return packageOf(frames[i]);
      }
    }
    return threadOf(frames);
  }

  /** From {@code org/ringwire/engine/outbound/OutboundPipe.claim_[j]}. */
  private static String packageOf(String frame) {
    int end = frame.lastIndexOf('/', frame.indexOf('.'));
    return end < OURS.length() ? "Node" : frame.substring(OURS.length(), end).replace('/', '.');
  }

  private static String threadOf(String... frames) {
    String thread = frames[0].substring(1);
    if (thread.startsWith("C1 Compiler") || thread.startsWith("C2 Compiler")) {
      return "compilers";
    }
    if (thread.startsWith("GC ") || thread.startsWith("ParGC") || thread.startsWith("G1 ")) {
      return "garbage collector";
    }
    for (String frame : frames) {
      if (frame.startsWith("java/") || frame.startsWith("jdk/") || frame.startsWith("sun/")) {
        return "JDK";
      }
    }
    return "virtual machine";
  }

  /** A table for people: a row for each part, a column for each process, the dearest first. */
  public static List<String> table(List<ProfilePart> parts) {
    Set<String> processes = new LinkedHashSet<>();
    Map<String, Map<String, Double>> rows = new HashMap<>();
    for (ProfilePart each : parts) {
      processes.add(each.process);
      rows.computeIfAbsent(each.part, _ -> new HashMap<>()).put(each.process, each.nanosPerMessage);
    }
    List<String> lines = new ArrayList<>();
    StringBuilder heading = new StringBuilder(line("  processor time, ns per message"));
    processes.forEach(process -> heading.append(String.format(Locale.ROOT, "%12s", process)));
    lines.add(heading.toString());
    Map<String, Double> all = new HashMap<>();
    parts.forEach(each -> all.merge(each.process, each.nanosPerMessage, Double::sum));
    double least = LEAST_SHARE * sum(all);
    Map<String, Double> rest = new HashMap<>();
    rows.entrySet().stream()
        .sorted(Comparator.comparingDouble(row -> -sum(row.getValue())))
        .forEach(row -> {
          if (sum(row.getValue()) >= least) {
            lines.add(line(row.getKey(), row.getValue(), processes));
          } else {
            row.getValue().forEach((process, nanos) -> rest.merge(process, nanos, Double::sum));
          }
        });
    lines.add(line("less than 1 in 200 each", rest, processes));
    lines.add(line("all", all, processes));
    return lines;
  }

  private static double sum(Map<String, Double> row) {
    return row.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static String line(String part, Map<String, Double> row, Set<String> processes) {
    StringBuilder line = new StringBuilder(line("    " + part));
    for (String process : processes) {
      line.append(String.format(Locale.ROOT, "%12.2f", row.getOrDefault(process, 0.0)));
    }
    return line.toString();
  }

  private static String line(String first) {
    return String.format(Locale.ROOT, "%-40s", first);
  }
}
