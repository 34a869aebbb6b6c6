package org.ringwire.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Says for each line that it reads how many cores there are, and whether a thread may spin. */
final class CoresProgram {

  private CoresProgram() {}

  public static void main(String... args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Load load = Load.PROCESS;
    long nowNs = System.nanoTime(); // no earlier than the load's own time
    while (in.readLine() != null) {
      load.maySpin(nowNs); // who does not ask is told nothing new
      nowNs += 1_000_000_000; // the next look is due
      load.note(new ActiveThread(), nowNs);
      load.refresh(nowNs);
      System.out.println(load.cores() + " " + load.maySpin(nowNs));
    }
  }
}
