package org.ringwire.tools.console;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints, for every command. */
public final class Version implements IVersionProvider {

  private static final String[] LINES = {"ringwire 0.1.0-SNAPSHOT"};

  /** For picocli. */
  public Version() {}

  @Override
  public String[] getVersion() {
    return LINES.clone();
  }
}
