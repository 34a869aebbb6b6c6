package org.ringwire.benchmarks.heap.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.heap.Graph;
import org.ringwire.benchmarks.runs.Numbers;

/** Measures one figure for one shape. */
final class FigureRun {
  static final List<String> SHAPES = List.of("floats", "points", "pairs");
  static final List<String> NAMES =
      List.of("latency", "throughput", "stages", "streaming", "pipelining", "traversal");

  private static final int LEAST_ELEMENTS = 64;
  private static final int STEP = 4;
  private static final int STAGE_ELEMENTS = 1024;
  private static final int STAGE_FLOATS = 8192;
  private static final int STAGE_BATCHES =
      10; // a process counts its time in hundredths of a second
  private static final List<Integer> BLOCKS = List.of(1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22);
  private static final int FRAME = 256; // so that a block and its frame are a power of two
  private static final long WARM_UP_NS = 1_000_000_000;
  private static final long BATCH_NS = 100_000_000;
  private static final int MOST_BATCH = 20_000;

  private final String figure;
  private final String shape;
  private final int elements;
  private final int rounds;
  private final List<Point> points = new ArrayList<>();

  FigureRun(String figure, String shape, int elements, int rounds) {
    this.figure = figure;
    this.shape = shape;
    this.elements = elements;
    this.rounds = rounds;
  }

  static List<String> shapesOf(String figure) {
    return switch (figure) {
      case "streaming", "pipelining" -> List.of("points", "pairs");
      case "traversal" -> Traversal.STRUCTURES;
      default -> SHAPES;
    };
  }

  /** What is measured once per round. */
  private final class Point {
    private final int x;
    private final String serializer;
    private final String unit;
    private final LongSupplier figureOfRound;
    private final double[] values = new double[rounds];

    /**
     * A point.
     *
     * @param figureOfRound measures once; nanoseconds, or thousandths of what the unit says
     */
    Point(int x, String serializer, String unit, LongSupplier figureOfRound) {
      this.x = x;
      this.serializer = serializer;
      this.unit = unit;
      this.figureOfRound = figureOfRound;
    }

    void measure(int round) {
      values[round] = figureOfRound.getAsLong() / 1e3;
    }

    FigureLine line(Map<String, Double> more) {
      return FigureLine.of(figure, shape, x, serializer, unit, values, more);
    }
  }

  void measure(Consumer<FigureLine> lines) throws IOException {
    switch (figure) {
      case "latency" -> overSizes(lines, false);
      case "throughput" -> overSizes(lines, true);
      case "stages" -> stages(lines);
      case "streaming" -> streaming(lines);
      case "pipelining" -> pipelining(lines);
      default -> traversal(lines);
    }
  }

  private List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = Math.min(LEAST_ELEMENTS, elements); size <= elements; size *= STEP) {
      sizes.add(size);
    }
    return sizes;
  }

  private List<String> ways() {
    List<String> ways = new ArrayList<>(FigureSession.WAYS);
    if (!shape.equals("floats")) {
      ways.add(1, FigureSession.ELEMENTS);
    }
    return ways;
  }

  private void inTurns(Consumer<FigureLine> lines) {
    for (int round = 0; round < rounds; round++) {
      for (Point point : points) {
        point.measure(round);
      }
    }
    points.forEach(point -> lines.accept(point.line(Map.of())));
    points.clear();
  }

  /** One graph after the other, each when the one before was decoded; or as fast as they go. */
  private void overSizes(Consumer<FigureLine> lines, boolean isStream) throws IOException {
    try (FigureSession session = new FigureSession(shape, elements, null)) {
      for (int size : sizes()) {
        for (String way : ways()) {
          Object[] graph = {FigureSession.prepared(way, Graph.of(shape, size))};
          int batch =
              warmUp(count ->
                  isStream
                      ? session.streamNs(way, graph, count)
                      : trips(session, way, graph[0], count));
          points.add(
              isStream
                  ? new Point(
                      size,
                      way,
                      "graphs/s",
                      () -> perSecond(session.streamNs(way, graph, batch), batch))
                  : new Point(size, way, "us", () -> trips(session, way, graph[0], batch) / batch));
        }
        inTurns(lines);
      }
    }
  }

  private static long trips(FigureSession session, String way, Object graph, int count) {
    long tookNs = 0;
    for (int i = 0; i < count; i++) {
      tookNs += session.tripNs(way, graph);
    }
    return tookNs;
  }

  /** In thousandths. */
  private static long perSecond(long tookNs, int count) {
    return (long) (count * 1e12 / tookNs);
  }

  /** Nanoseconds for so many graphs. */
  private interface Batch {
    long tookNs(int count);
  }

  /** Sends until it is warm; returns how many make a batch. */
  private int warmUp(Batch graphs) {
    long spentNs = 0;
    int batch = 1;
    while (spentNs < WARM_UP_NS * Math.min(1, rounds / 3)) {
      long tookNs = Math.max(1, graphs.tookNs(batch));
      spentNs += tookNs;
      batch = Math.clamp(BATCH_NS * batch / tookNs, 1, MOST_BATCH);
    }
    return batch;
  }

  private void stages(Consumer<FigureLine> lines) throws IOException {
    int size = Math.min(elements, shape.equals("floats") ? STAGE_FLOATS : STAGE_ELEMENTS);
    try (FigureSession session = new FigureSession(shape, size, null)) {
      List<Map<String, double[]>> stages = new ArrayList<>();
      for (String way : ways()) {
        Object[] graph = {FigureSession.prepared(way, Graph.of(shape, size))};
        int batch = STAGE_BATCHES * warmUp(count -> session.streamNs(way, graph, count));
        Map<String, double[]> of = new LinkedHashMap<>();
        int[] round = new int[1];
        points.add(
            new Point(
                size,
                way,
                "us",
                () -> {
                  FigureSession.Usage before = session.usage();
                  long tookNs = session.streamNs(way, graph, batch);
                  put(of, round[0]++, before, session.usage(), batch);
                  return tookNs / batch;
                }));
        stages.add(of);
      }
      for (int round = 0; round < rounds; round++) {
        for (Point point : points) {
          point.measure(round);
        }
      }
      for (int i = 0; i < stages.size(); i++) {
        Map<String, Double> medians = new LinkedHashMap<>();
        stages.get(i).forEach((name, values) -> medians.put(name, Numbers.median(values)));
        lines.accept(points.get(i).line(medians));
      }
    }
  }

  private void put(
      Map<String, double[]> stages,
      int round,
      FigureSession.Usage before,
      FigureSession.Usage after,
      int graphs) {
    double encodeNs = after.encodeNs() - before.encodeNs();
    double decodeNs = after.decodeNs() - before.decodeNs();
    double[] figures = {
      encodeNs / 1e3,
      (after.senderNs() - before.senderNs() - encodeNs) / 1e3,
      (after.receiverNs() - before.receiverNs() - decodeNs) / 1e3,
      decodeNs / 1e3,
      after.bytesSent() - before.bytesSent()
    };
    List<String> names =
        List.of("encodeMicros", "sendMicros", "receiveMicros", "decodeMicros", "bytes");
    for (int i = 0; i < figures.length; i++) {
      stages.computeIfAbsent(names.get(i), _ -> new double[rounds])[round] = figures[i] / graphs;
    }
  }

  private void streaming(Consumer<FigureLine> lines) throws IOException {
    try (FigureSession session = new FigureSession(shape, elements, null)) {
      Object[] all = (Object[]) Graph.of(shape, elements);
      for (int size : sizes()) {
        for (String way : FigureSession.WAYS) {
          Object[] chunks = new Object[all.length / size];
          Arrays.setAll(
              chunks,
              i -> FigureSession.prepared(way, Arrays.copyOfRange(all, i * size, (i + 1) * size)));
          session.streamNs(way, chunks, chunks.length);
          points.add(
              new Point(size, way, "us", () -> session.streamNs(way, chunks, chunks.length)));
        }
        inTurns(lines);
      }
    }
  }

  private void pipelining(Consumer<FigureLine> lines) throws IOException {
    List<FigureSession> sessions = new ArrayList<>();
    try {
      Object graph = Graph.of(shape, elements);
      for (int block : BLOCKS) {
        sessions.add(addPipelined(graph, FigureSession.CHANNEL, block));
      }
      FigureSession others = sessions.getFirst();
      for (String way : FigureSession.WAYS.subList(1, FigureSession.WAYS.size())) {
        add(others, FigureSession.prepared(way, graph), way, 0);
      }
      inTurns(lines);
    } finally {
      sessions.forEach(FigureSession::close);
    }
  }

  private FigureSession addPipelined(Object graph, String way, int block) throws IOException {
    FigureSession session = new FigureSession(shape, elements, block - FRAME);
    add(session, graph, way, block);
    return session;
  }

  private void add(FigureSession session, @Nullable Object graph, String way, int block) {
    Object[] graphs = {graph};
    int _ = warmUp(count -> session.streamNs(way, graphs, 1) * count);
    points.add(new Point(block, way, "us", () -> session.streamNs(way, graphs, 1)));
  }

  private void traversal(Consumer<FigureLine> lines) {
    List<Integer> blocks = new ArrayList<>();
    for (String order : Traversal.ORDERS) {
      Traversal traversal = new Traversal(shape);
      blocks.add(traversal.blocks(order));
      int batch = warmUp(count -> runs(traversal, order, count));
      points.add(
          new Point(Traversal.ELEMENTS, order, "us", () -> runs(traversal, order, batch) / batch));
    }
    for (int round = 0; round < rounds; round++) {
      for (Point point : points) {
        point.measure(round);
      }
    }
    for (int i = 0; i < blocks.size(); i++) {
      lines.accept(points.get(i).line(Map.of("blocks", (double) blocks.get(i))));
    }
  }

  private static long runs(Traversal traversal, String order, int count) {
    long startNs = System.nanoTime();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += traversal.run(order);
    }
    long tookNs = System.nanoTime() - startNs;
    if (bytes == 0) {
      throw new IllegalStateException("nothing was copied");
    }
    return tookNs;
  }
}
