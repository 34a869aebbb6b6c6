package org.ringwire.benchmarks.reference.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.benchmarks.reference.c.CFigures;
import org.ringwire.benchmarks.reference.c.CSource;
import org.ringwire.benchmarks.reference.harness.Contender;
import org.ringwire.benchmarks.reference.harness.Cores;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.tools.console.CommandException;

/** Open MPI: a program in C with one process to send and one to receive. */
public final class MpiProgram implements Contender {
  private static final String COMPILER = "mpicc";
  private static final String STARTER = "mpirun";

  private final String medium;
  private final String transports;

  private MpiProgram(String medium, String transports) {
    this.medium = medium;
    this.transports = transports;
  }

  /** Over TCP, which it does not use within a host unless it is told. */
  public static MpiProgram tcp() {
    return new MpiProgram("tcp", "self,tcp");
  }

  /** Over shared memory: all but TCP, since the name of that transport differs by version. */
  public static MpiProgram shm() {
    return new MpiProgram("shm", "^tcp");
  }

  @Override
  public String medium() {
    return medium;
  }

  /** Its processes ask for messages all the time, whether there are any or not. */
  @Override
  public Mode defaultMode(Kind kind) {
    return Mode.SPIN;
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.kind() != Kind.REQUESTS,
        "mpi has no requests of threads that share a connection; use stream or pingpong");
    Settings.require(settings.threads() == 1, "mpi has one thread, whatever is compared with it");
    Settings.require(settings.pauseSeconds() == 0, "mpi has no --pause");
    Settings.require(settings.mode() == Mode.SPIN, "mpi cannot park; use --mode spin");
  }

  @Override
  public Result run(Settings settings, Launch launch) throws Exception {
    if (CSource.find(List.of(COMPILER)).isEmpty() || CSource.find(List.of(STARTER)).isEmpty()) {
      throw new CommandException(
          "Open MPI is not installed: looked for mpicc and mpirun on the path (Debian: sudo apt"
              + " install openmpi-bin libopenmpi-dev)");
    }
    String line =
        new CSource("mpi_reference").run(settings, COMPILER, program -> command(program, settings));
    return new CFigures(line).result(settings, medium, launch.cpus());
  }

  private List<String> command(Path program, Settings settings) {
    Cores cores = Cores.of(settings.pin());
    List<String> command = new ArrayList<>();
    command.addAll(List.of(STARTER, "-np", "2"));
    // The program binds itself, like all others; two processes may share a core, and who starts
    // them may be root in a container.
    command.addAll(List.of("--bind-to", "none", "--oversubscribe", "--allow-run-as-root"));
    // The plain engine over the transport that is asked for, and no other that it would prefer.
    command.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", transports));
    command.addAll(List.of("--mca", "btl_tcp_if_include", "lo"));
    command.add(program.toString());
    command.add(settings.kind().label());
    command.add(Integer.toString(Sample.frameLength(settings.payloadLength())));
    command.add(Integer.toString(cores.sender()));
    command.add(Integer.toString(cores.receiver()));
    command.add(Double.toString(settings.durationSeconds()));
    command.add(Double.toString(settings.warmup().seconds()));
    return command;
  }
}
