package org.ringwire.tools.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that somebody probably meant. */
public final class Nearest {

  private Nearest() {}

  /** The candidate with the smallest edit distance, if at least half of the word is right. */
  public static Optional<String> of(String word, Collection<String> candidates) {
    return candidates.stream()
        .min(Comparator.comparingInt((String c) -> distance(word, c)).thenComparing(c -> c))
        .filter(best -> distance(word, best) <= word.length() / 2);
  }

  /** Number of characters to insert, remove or replace. */
  public static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
