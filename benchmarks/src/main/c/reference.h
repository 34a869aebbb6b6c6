/*
 * What the programs in C share: clock, processor time, pinning, a histogram, and the end of both
 * processes with the one that started them.
 */
#ifndef RINGWIRE_REFERENCE_H
#define RINGWIRE_REFERENCE_H

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "c: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The second process, if this one has started it. */
static pid_t child;

/* Processor time of the second process, if that one tells. */
static double told_cpu_seconds;

/* Processor time of both processes, in seconds. */
static double cpu_seconds(void) {
  struct timespec own, its = {0};
  clockid_t clock;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  if (child > 0 && (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &its) != 0))
    fail("clock of the child");
  return (double)(own.tv_sec + its.tv_sec) + (double)(own.tv_nsec + its.tv_nsec) / 1e9 +
         told_cpu_seconds;
}

static void pin(int cpu) {
  if (cpu < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity");
}

/* 128 buckets for each power of two: a value is known to better than 1 %. */
enum { SUB_BITS = 7, BUCKETS = (64 - SUB_BITS + 1) << SUB_BITS };
static uint64_t histogram[BUCKETS];

static unsigned bucket_of(uint64_t value) {
  if (value < (1u << SUB_BITS)) return (unsigned)value;
  unsigned shift = 63u - (unsigned)__builtin_clzll(value) - SUB_BITS;
  return ((shift + 1) << SUB_BITS) + (unsigned)((value >> shift) & ((1u << SUB_BITS) - 1));
}

static double value_of(unsigned bucket) {
  if (bucket < (1u << SUB_BITS)) return bucket;
  unsigned shift = (bucket >> SUB_BITS) - 1;
  uint64_t low = (uint64_t)((1u << SUB_BITS) | (bucket & ((1u << SUB_BITS) - 1))) << shift;
  return (double)low + (double)(1ull << shift) / 2;
}

static double percentile_us(uint64_t count, double percent) {
  uint64_t rank = (uint64_t)((double)count * percent / 100), seen = 0;
  for (unsigned b = 0; b < BUCKETS; b++) {
    seen += histogram[b];
    if (seen > rank) return value_of(b) / 1e3;
  }
  return 0;
}

/* What a measurement of round trips has seen. */
struct trips {
  uint64_t count;
  int64_t start, before, largest;
  double sum, cpu;
};

static struct trips start_trips(void) {
  struct trips trips = {0};
  memset(histogram, 0, sizeof histogram);
  trips.cpu = cpu_seconds();
  trips.start = trips.before = now_ns();
  return trips;
}

static void count_trip(struct trips *trips) {
  int64_t after = now_ns(), took = after - trips->before;
  histogram[bucket_of((uint64_t)took)]++;
  trips->sum += (double)took;
  if (took > trips->largest) trips->largest = took;
  trips->before = after;
  trips->count++;
}

static void print_trips(const struct trips *trips) {
  printf("seconds=%.9f cpu=%.6f messages=%llu mean=%.3f p50=%.3f p90=%.3f p99=%.3f p999=%.3f "
         "max=%.3f\n",
         (double)(trips->before - trips->start) / 1e9, cpu_seconds() - trips->cpu,
         (unsigned long long)trips->count, trips->sum / (double)trips->count / 1e3,
         percentile_us(trips->count, 50), percentile_us(trips->count, 90),
         percentile_us(trips->count, 99), percentile_us(trips->count, 99.9),
         (double)trips->largest / 1e3);
}

static void *exit_at_end_of_input(void *unused) {
  char ignored[64];
  while (read(0, ignored, sizeof ignored) > 0) {
  }
  _exit(1);
  return unused;
}

/* Starts the child, which ends with its parent; returns 0 in it. */
static pid_t fork_child(int cpu_of_child) {
  pid_t parent = getpid();
  child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); /* it ended before the line above */
    pin(cpu_of_child);
  }
  return child;
}

/* In the parent: pinned, then a watcher that sleeps. */
static void watch_input(int cpu) {
  pin(cpu);
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, exit_at_end_of_input, NULL) != 0) fail("thread");
}

#endif
