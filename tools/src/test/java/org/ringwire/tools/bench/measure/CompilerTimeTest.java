package org.ringwire.tools.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompilerTimeTest {

  @TempDir private Path tasks;

  private void task(String id, String name, String times) throws IOException {
    Path folder = Files.createDirectory(tasks.resolve(id));
    Files.writeString(folder.resolve("comm"), name + "\n");
    Files.writeString(folder.resolve("schedstat"), times + "\n");
  }

  @Test
  void shouldAddUpTheThreadsOfBothCompilers() throws IOException {
    task("11", "C2 CompilerThre", "3000000 7 9");
    task("12", "C1 CompilerThre", "2000000 7 9");
    task("13", "C2 CompilerThre", "1500000 7 9");
    task("14", "main", "900000000 7 9");

    assertThat(CompilerTime.millis(tasks, "11", "12", "13", "14")).isEqualTo(6);
  }

  @Test
  void shouldLeaveOutWhatHasEndedOrSaysNothing() throws IOException {
    task("11", "C2 CompilerThre", "3000000 7 9");
    task("12", "C1 CompilerThre", "");

    assertThat(CompilerTime.millis(tasks, "11", "12", "13")).isEqualTo(3);
  }

  @Test
  void shouldCountWhatTheCompilersOfThisProcessDo() {
    assertThat(CompilerTime.millis()).isPositive(); // this far they have compiled something
  }
}
