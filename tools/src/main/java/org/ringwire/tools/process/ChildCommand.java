package org.ringwire.tools.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to start: a class with a {@code main} method on the class path of this process, with the JDK
 * of this process, and the options of {@link JvmOptions}.
 *
 * @param name what people call the child, for example {@code node 2}; precedes its error output
 * @param mainClass the class to start; its {@code main} opens a {@link ParentLink} first
 * @param vmOptions options of the child's JVM, for example {@code -Xmx256m}
 * @param arguments what its {@code main} receives
 * @param launcher words that precede the command, for example {@code taskset -c 0}
 */
public record ChildCommand(
    String name,
    Class<?> mainClass,
    List<String> vmOptions,
    List<String> arguments,
    List<String> launcher) {

  /**
   * Where the launcher has an archive of classes for this class path, it says so by this property,
   * and children use it as this process does. What does not fit it, a JVM loads without a word.
   */
  static final String ARCHIVE = "ringwire.archive";

  /** A child makes a record or two of what it is told: code for that would take longer than it. */
  private static final String PLAIN_REFLECTION = "-Djdk.reflect.useNativeAccessorOnly=true";

  /** Copies the lists. */
  public ChildCommand {
    vmOptions = List.copyOf(vmOptions);
    arguments = List.copyOf(arguments);
    launcher = List.copyOf(launcher);
  }

  /** Started directly. */
  public ChildCommand(
      String name, Class<?> mainClass, List<String> vmOptions, List<String> arguments) {
    this(name, mainClass, vmOptions, arguments, List.of());
  }

  /** With the default options of the JVM. */
  public ChildCommand(String name, Class<?> mainClass, String... arguments) {
    this(name, mainClass, List.of(), List.of(arguments));
  }

  /** With these options of the JVM instead. */
  public ChildCommand withVmOptions(String... options) {
    return new ChildCommand(name, mainClass, List.of(options), arguments, launcher);
  }

  /** Started by another program, which must not fork. */
  public ChildCommand withLauncher(List<String> words) {
    return new ChildCommand(name, mainClass, vmOptions, arguments, words);
  }

  /** The words to give to the operating system. */
  List<String> words() {
    List<String> words = new ArrayList<>(launcher);
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The child's standard output belongs to the protocol: warnings of the JVM go elsewhere.
    words.add("-XX:+DisplayVMOutputToStderr");
    words.addAll(List.of(ParentLink.QUICK_END, PLAIN_REFLECTION));
    if (ChildCommand.class.getModule().isNativeAccessEnabled()) {
      words.add("--enable-native-access=ALL-UNNAMED"); // as this process, for InfiniBand
    }
    String archive = System.getProperty(ARCHIVE);
    if (archive != null) {
      words.add("-D" + ARCHIVE + "=" + archive);
      words.add("-XX:SharedArchiveFile=" + archive);
      words.addAll(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    }
    words.addAll(JvmOptions.ofEnvironment());
    words.addAll(vmOptions);
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(mainClass.getName());
    words.addAll(arguments);
    return words;
  }
}
