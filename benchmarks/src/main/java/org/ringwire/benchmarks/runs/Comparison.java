package org.ringwire.benchmarks.runs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;

/** What the rounds of one target gave. Only figures of the same round are divided. */
public final class Comparison {
  private final Target target;
  private final List<Map<String, Double>> rounds = new ArrayList<>();
  private final Map<String, String> errors = new LinkedHashMap<>();

  public Comparison(Target target) {
    this.target = target;
  }

  public Target target() {
    return target;
  }

  public void startRound() {
    rounds.add(new LinkedHashMap<>());
  }

  public void add(Contender contender, Runs.Run run) {
    if (run.result() == null) {
      errors.put(contender.name(), String.valueOf(run.error()));
      return;
    }
    try {
      rounds.getLast().put(contender.name(), contender.figure().applyAsDouble(run.result()));
    } catch (IllegalArgumentException e) { // a field is missing
      errors.put(contender.name(), String.valueOf(e.getMessage()));
    }
  }

  /** Figures of all rounds that gave one. */
  public List<Double> figures(String contender) {
    List<Double> figures = new ArrayList<>();
    for (Map<String, Double> round : rounds) {
      Double figure = round.get(contender);
      if (figure != null) {
        figures.add(figure);
      }
    }
    return figures;
  }

  /** Subject over contender, round by round. */
  public List<Double> ratios(String contender) {
    return ratios(target.subject().name(), contender);
  }

  /** One contender over another, round by round. */
  public List<Double> ratios(String contender, String versus) {
    List<Double> ratios = new ArrayList<>();
    for (Map<String, Double> round : rounds) {
      Double figure = round.get(versus);
      Double own = round.get(contender);
      if (figure != null && own != null && figure > 0) {
        ratios.add(own / figure);
      }
    }
    return ratios;
  }

  /** What the goal is about: ratios, or the subject's figures. */
  public List<Double> values(Goal goal) {
    String versus = goal.versus();
    return versus == null ? figures(target.subject().name()) : ratios(versus);
  }

  /** Whether the median meets the goal; null when there is nothing to judge. */
  public @Nullable Boolean isMet(Goal goal) {
    List<Double> values = values(goal);
    return values.isEmpty() ? null : goal.isMetBy(Numbers.median(values));
  }

  /** Why a contender has no figures, or fewer than rounds. */
  public Map<String, String> errors() {
    return errors;
  }
}
