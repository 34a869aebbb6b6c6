package org.ringwire.heap;

import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;

/**
 * What {@link ReloadTest} starts: three lives of an application, each with a class loader of its
 * own, of which nothing may be left when it has closed its nodes. The library is loaded by a class
 * loader below it, or by the same one.
 */
final class ReloadingProgram {
  private static final int LIVES = 3;
  private static final long PATIENCE_NS = 60_000_000_000L;

  private ReloadingProgram() {}

  public static void main(String[] words) throws Exception {
    URL application = url(OtherJvm.testClasses());
    URL[] library = {
      url(OtherJvm.placeOf(Node.class)), url(OtherJvm.placeOf(HeapCodec.class)),
    };
    boolean isLibraryReloaded = words[0].equals("everything");
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    ClassLoader parent = isLibraryReloaded ? platform : new URLClassLoader(library, platform);
    URL[] urls =
        isLibraryReloaded
            ? new URL[] {library[0], library[1], application}
            : new URL[] {application};
    List<WeakReference<ClassLoader>> lives = new ArrayList<>();
    for (int life = 0; life < LIVES; life++) {
      lives.add(live(urls, parent, words[1].equals("ownThread")));
    }
    long startNs = System.nanoTime();
    while (collected(lives) < LIVES && System.nanoTime() - startNs < PATIENCE_NS) {
      System.gc();
      // Between two looks of a loop that ends by what it sees, or after PATIENCE_NS: how long this
      // is decides nothing, but threads that were told to end need a core, and collections take
      // one.
      Thread.sleep(10);
    }
    System.out.println("collected: " + collected(lives) + " of " + LIVES);
  }

  /** One life of the application, from its first class to its last. */
  private static WeakReference<ClassLoader> live(URL[] urls, ClassLoader parent, boolean ownThread)
      throws Exception {
    try (URLClassLoader loader = new URLClassLoader(urls, parent)) {
      Runnable application =
          Class.forName(ReloadedProgram.class.getName(), true, loader)
              .asSubclass(Runnable.class)
              .getDeclaredConstructor()
              .newInstance();
      if (ownThread) {
        Thread thread = new Thread(application);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
      } else {
        application.run();
      }
      return new WeakReference<>(loader);
    }
  }

  private static int collected(List<WeakReference<ClassLoader>> lives) {
    return (int) lives.stream().filter(life -> life.refersTo(null)).count();
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }
}
