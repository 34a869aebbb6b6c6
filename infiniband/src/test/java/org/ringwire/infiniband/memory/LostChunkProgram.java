package org.ringwire.infiniband.memory;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.ringwire.infiniband.verbs.SendRequests;
import org.ringwire.testing.MutantLoader;

/** Runs the scenario with requests that end the stack of a thread; says whether all went on. */
final class LostChunkProgram {

  private static final ClassDesc SCENARIO = ClassDesc.of(LostChunkScenario.class.getName());

  private LostChunkProgram() {}

  public static void main(String... args) throws ReflectiveOperationException {
    MutantLoader shallow =
        new MutantLoader(
            Map.of(
                SendRequests.class.getName(),
                MutantLoader.method("remote", LostChunkProgram::endTheStack)));
    Thread.currentThread().setContextClassLoader(shallow); // providers are of the same library
    System.out.println("goes on: " + shallow.run(LostChunkScenario.class));
    System.exit(0); // threads of what does not
  }

  private static boolean endTheStack(CodeBuilder code, CodeElement element) {
    if (!(element instanceof ReturnInstruction)) {
      return false;
    }
    code.invokestatic(SCENARIO, "made", MethodTypeDesc.of(ConstantDescs.CD_void));
    code.with(element);
    return true;
  }
}
