package org.ringwire.tools.console;

import org.ringwire.MessagingException;

/** What a command says of a node that it does not reach. */
public final class NoAnswer {

  private NoAnswer() {}

  /**
   * Without what everybody knows: that this node could not be reached, and which kind of refusal.
   */
  public static String describe(String address, MessagingException e) {
    String cause =
        Problem.describe(e)
            .replaceFirst("^cannot reach node: (nodeId|address)=\\S+: ", "")
            .replaceFirst("^refused by the peer: [A-Z_]+: ", "it refuses: ");
    return cause.contains("address must be ") ? cause : "no answer from " + address + ": " + cause;
  }

  /**
   * With what to do about it.
   *
   * @param toCheck what may be wrong, if nothing says what is
   */
  public static CommandException of(String address, MessagingException e, String toCheck) {
    String why = describe(address, e);
    return new CommandException(why + hint(why, e, toCheck), e);
  }

  private static String hint(String why, MessagingException e, String toCheck) {
    String cause =
        Problem.describe(e).replaceFirst("^cannot reach node: (nodeId|address)=\\S+: ", "");
    String step;
    if (!why.startsWith("no answer")) {
      return ""; // the words of the command were wrong
    } else if (cause.contains("TLS") || cause.contains("certificate")) {
      step = "check --tls-identity, whose certificate is for this side's own id, and --tls-trust";
    } else if (cause.contains("claims this node's own id")
        || cause.contains("is connected and alive")) {
      step = "choose another id for this side with --as";
    } else if (cause.contains(": AUTHENTICATION: ") || cause.contains("secret")) {
      step = "check --secret-file: both sides have the same secret, or none";
    } else {
      step = "check " + toCheck;
    }
    return "; " + step;
  }
}
