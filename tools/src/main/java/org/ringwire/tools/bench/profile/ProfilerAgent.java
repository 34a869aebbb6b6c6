package org.ringwire.tools.bench.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Problem;
import org.ringwire.tools.process.LockedFolder;

/**
 * The library of async-profiler, unpacked for as long as this is open, and the folder where those
 * leave their profiles that have it.
 *
 * <p>JVMs load it as an agent when they start: one that loads it later needs the right to call
 * native code, which those that are measured are denied.
 */
public final class ProfilerAgent implements AutoCloseable {

  private final LockedFolder unpacked;
  private final Path library;
  private final Path profiles;

  private ProfilerAgent(LockedFolder unpacked, Path profiles) {
    this.unpacked = unpacked;
    this.profiles = profiles;
    library = unpacked.path().resolve("libasyncProfiler.so");
  }

  /**
   * Unpacks the library.
   *
   * @param profiles where profiles go; made if it is missing
   * @throws CommandException if there is none for this system, or files cannot be written
   */
  public static ProfilerAgent open(Path profiles) {
    String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    makeFolder(profiles);
    try {
      ProfilerAgent agent =
          new ProfilerAgent(LockedFolder.create("ringwire-profiler-"), profiles.toAbsolutePath());
      try (InputStream packed =
          AsyncProfiler.class.getResourceAsStream("/" + platform + "/libasyncProfiler.so")) {
        if (packed == null) {
          throw new IOException("async-profiler has no library for " + platform);
        }
        Files.copy(packed, agent.library);
      } catch (IOException e) {
        agent.close();
        throw e;
      }
      return agent;
    } catch (IOException e) {
      throw new CommandException("cannot profile: " + Problem.describe(e), e);
    }
  }

  private static void makeFolder(Path profiles) {
    try {
      Files.createDirectories(profiles);
    } catch (FileAlreadyExistsException e) {
      throw new CommandException("--profile: " + profiles + " is a file; name a folder", e);
    } catch (IOException e) {
      throw new CommandException(
          "--profile: the folder cannot be made: " + Problem.describe(profiles, e), e);
    }
    if (!Files.isWritable(profiles)) {
      throw new CommandException("--profile: the folder " + profiles + " cannot be written to");
    }
  }

  static String platform(String system, String processor) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return "macos";
    }
    if (name.equals("linux") && processor.matches("amd64|x86_64")) {
      return "linux-x64";
    }
    if (name.equals("linux") && processor.equals("aarch64")) {
      return "linux-arm64";
    }
    throw new CommandException(
        "profiles need Linux on x64 or arm64, or macOS, not " + system + " on " + processor);
  }

  /**
   * Options of a JVM that is to be profiled; what one of that name has left before is deleted.
   *
   * @param process what to call it, without what file names do not take
   */
  public List<String> options(String process) {
    try {
      Files.deleteIfExists(stacks(process));
    } catch (IOException e) {
      throw new CommandException("cannot profile the " + process + ": " + Problem.describe(e), e);
    }
    return List.of(
        "-agentpath:" + library,
        // else what is inlined is counted for the next place where the JVM knows where it is
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+DebugNonSafepoints",
        "-D" + Profiler.TARGET + "=" + profiles.resolve(process));
  }

  /** The same, or none where nobody wants a profile. */
  public static List<String> optionsOf(@Nullable ProfilerAgent agent, String process) {
    return agent == null ? List.of() : agent.options(process);
  }

  /**
   * Where the time of a process went.
   *
   * @param messages that it was spent for
   * @throws CommandException if the process has left no profile
   */
  public List<ProfilePart> parts(String process, long messages) {
    try {
      return ProfilePart.of(process, Files.readAllLines(stacks(process)), messages);
    } catch (IOException e) {
      throw new CommandException(
          "there is no profile of the " + process + ": " + Problem.describe(e), e);
    }
  }

  private Path stacks(String process) {
    return profiles.resolve(process + Profiler.STACKS);
  }

  @Override
  public void close() {
    if (!unpacked.delete()) {
      throw new CommandException("cannot delete " + unpacked.path());
    }
  }
}
