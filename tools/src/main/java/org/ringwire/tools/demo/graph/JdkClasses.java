package org.ringwire.tools.demo.graph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ringwire.tools.console.CommandException;

/**
 * The class files of the running JDK (its {@code jrt:/} image), numbered in the order of their
 * names, so that every process on the same JDK gives every class the same number. Module
 * descriptors are no classes and are left out. Immutable.
 */
public final class JdkClasses {

  private static final String SUFFIX = ".class";

  private record Entry(String internalName, ModuleReference module) {}

  private final List<Entry> entries;
  private final Map<String, Integer> numbers;

  private JdkClasses(List<Entry> entries) {
    this.entries = entries;
    numbers = HashMap.newHashMap(entries.size());
    for (int vertex = 0; vertex < entries.size(); vertex++) {
      numbers.put(entries.get(vertex).internalName(), vertex);
    }
  }

  /** Lists all classes of all modules of the running JDK; reads names only. */
  public static JdkClasses list() {
    return list(ModuleFinder.ofSystem());
  }

  /** Lists all classes of the modules that are found. */
  public static JdkClasses list(ModuleFinder finder) {
    return list(finder.findAll());
  }

  /**
   * Lists all classes of some modules of the running JDK.
   *
   * @param names of the modules; empty for all
   * @throws CommandException if there is no such module
   */
  public static JdkClasses ofModules(List<String> names) {
    if (names.isEmpty()) {
      return list();
    }
    ModuleFinder system = ModuleFinder.ofSystem();
    return list(
        names.stream()
            .map(name ->
                system
                    .find(name)
                    .orElseThrow(() ->
                        new CommandException("--modules: this JDK has no module '" + name + "'")))
            .toList());
  }

  private static JdkClasses list(Collection<ModuleReference> modules) {
    List<Entry> entries = new ArrayList<>();
    for (ModuleReference module : modules) {
      try (ModuleReader reader = module.open();
          Stream<String> resources = reader.list()) {
        resources
            .filter(name -> name.endsWith(SUFFIX) && !name.endsWith("module-info.class"))
            .map(name -> name.substring(0, name.length() - SUFFIX.length()))
            .forEach(name -> entries.add(new Entry(name, module)));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot list the classes of " + module.descriptor(), e);
      }
    }
    entries.sort((one, other) -> one.internalName().compareTo(other.internalName()));
    return new JdkClasses(entries);
  }

  /** Number of classes. */
  public int count() {
    return entries.size();
  }

  /** The name of a class as people write it: {@code java.util.Map$Entry}. */
  public String name(int vertex) {
    return entries.get(vertex).internalName().replace('/', '.');
  }

  /** The number of a class by its internal name, or {@link ClassReferences#UNKNOWN}. */
  public int number(String internalName) {
    return numbers.getOrDefault(internalName, ClassReferences.UNKNOWN);
  }

  /** The names of all classes as people write them, in the order of their numbers. */
  Stream<String> names() {
    return entries.stream().map(entry -> entry.internalName().replace('/', '.'));
  }

  /** A number that differs, in all likelihood, when another JDK's classes were listed. */
  public long fingerprint() {
    long hash = 1125899906842597L;
    for (Entry entry : entries) {
      hash = 31 * hash + entry.internalName().hashCode();
    }
    return hash;
  }

  /** Opens the image for reading; for one thread. */
  Image open() {
    return new Image();
  }

  /** Reads class files; for one thread. A module is opened once and closed with this. */
  final class Image implements AutoCloseable {

    private final Map<ModuleReference, ModuleReader> readers = new HashMap<>();

    private Image() {}

    /** The bytes of one class file. */
    byte[] read(int vertex) throws IOException {
      Entry entry = entries.get(vertex);
      ModuleReader reader = readers.get(entry.module());
      if (reader == null) {
        reader = entry.module().open();
        readers.put(entry.module(), reader);
      }
      ByteBuffer content =
          reader
              .read(entry.internalName() + SUFFIX)
              .orElseThrow(() -> new IOException("class file is gone: " + entry.internalName()));
      try {
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
      } finally {
        reader.release(content);
      }
    }

    @Override
    public void close() throws IOException {
      for (ModuleReader reader : readers.values()) {
        reader.close();
      }
    }
  }
}
