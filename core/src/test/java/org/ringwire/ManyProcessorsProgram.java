package org.ringwire;

/** Says how many handler threads a node has by default. */
final class ManyProcessorsProgram {

  private ManyProcessorsProgram() {}

  public static void main(String[] arguments) {
    System.out.println("handlerThreads=" + NodeConfig.builder(1).build().handlerThreads());
  }
}
