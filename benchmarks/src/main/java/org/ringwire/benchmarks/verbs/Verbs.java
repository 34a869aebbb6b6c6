package org.ringwire.benchmarks.verbs;

/**
 * Calls of the verbs of both processes, and what they were for; they do not depend on how fast the
 * device is.
 *
 * @param calls all of them
 * @param posts that posted send requests
 * @param requests send requests
 * @param polls of both kinds of completions
 * @param notifications events asked for
 * @param bytes that the send requests carried
 */
record Verbs(long calls, long posts, long requests, long polls, long notifications, long bytes) {

  static final Verbs NONE = new Verbs(0, 0, 0, 0, 0, 0);

  static Verbs of(Peer.Counters counters) {
    return new Verbs(
        counters.verb("calls"),
        counters.verb("sendPosts"),
        counters.verb("sendRequests"),
        counters.verb("sendPolls") + counters.verb("receivePolls"),
        counters.verb("sendNotifications") + counters.verb("receiveNotifications"),
        counters.verb("sendBytes"));
  }

  Verbs plus(Verbs other) {
    return new Verbs(
        calls + other.calls,
        posts + other.posts,
        requests + other.requests,
        polls + other.polls,
        notifications + other.notifications,
        bytes + other.bytes);
  }

  Verbs since(Verbs before) {
    return new Verbs(
        calls - before.calls,
        posts - before.posts,
        requests - before.requests,
        polls - before.polls,
        notifications - before.notifications,
        bytes - before.bytes);
  }
}
