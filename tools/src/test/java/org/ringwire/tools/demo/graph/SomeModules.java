package org.ringwire.tools.demo.graph;

import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds some modules of the running JDK, for small graphs. */
public final class SomeModules {

  private SomeModules() {}

  /** Finds these modules only. */
  public static ModuleFinder finder(String... names) {
    Set<ModuleReference> modules =
        Arrays.stream(names)
            .map(name -> ModuleFinder.ofSystem().find(name).orElseThrow())
            .collect(Collectors.toSet());
    return new ModuleFinder() {
      @Override
      public Optional<ModuleReference> find(String name) {
        return modules.stream().filter(m -> m.descriptor().name().equals(name)).findFirst();
      }

      @Override
      public Set<ModuleReference> findAll() {
        return modules;
      }
    };
  }
}
