package org.ringwire.infiniband;

import java.nio.file.Path;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/** Asks for what needs the library, in a process that finds one that is too old. */
public final class OldLibraryProgram {

  private OldLibraryProgram() {}

  /**
   * Prints what it is told.
   *
   * @param args the folder that the diagnosis takes for the system's
   */
  public static void main(String... args) {
    for (int i = 0; i < 2; i++) {
      try (Node node = Node.open(NodeConfig.builder(1).transport("ib").build())) {
        System.out.println("opened: " + node);
      } catch (MessagingException e) {
        System.out.println("transport: " + e.getMessage());
      }
    }
    DiagnosisLines.print(Path.of(args[0]));
  }
}
