/*
 * What memory costs that was used before a sleep, of a second unless told otherwise: lines of the
 * cache that lie together, lines that are each on a page of its own, and those once more. Each load
 * waits for the one before (x86-64). Prints ns per line, for each of eight sleeps.
 *
 *   cc -O2 -o silence silence.c && ./silence [MILLISECONDS]
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A stride that has no divisor in common with the number of lines, so that nothing is fetched ahead. */
enum { LINES = 200, STRIDE = 77, LINE = 64, PAGE = 4096, ROUNDS = 8 };

static volatile uint64_t sink;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char *map(size_t length) {
  char *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("memory");
    exit(1);
  }
  memset(memory, 1, length);
  return memory;
}

/* ns per line; lines are that far from each other, and each at another place within its page. */
static double load(const char *memory, size_t distance) {
  uint64_t sum = 0;
  double began = now_ns();
  for (size_t i = 0; i < LINES; i++) {
    size_t line = i * STRIDE % LINES;
    sum += memory[line * distance + (distance == PAGE ? line * LINE % PAGE : 0)];
    __asm__ volatile("lfence" ::: "memory");
  }
  double took = now_ns() - began;
  sink += sum;
  return took / LINES;
}

int main(int count, char **arguments) {
  int milliseconds = count > 1 ? atoi(arguments[1]) : 1000;
  char *together = map(LINES * LINE);
  char *apart = map((size_t)LINES * PAGE);
  printf("together    apart    again\n");
  for (int round = 0; round < ROUNDS; round++) {
    load(together, LINE);
    load(apart, PAGE);
    usleep((useconds_t)milliseconds * 1000);
    double first = load(together, LINE);
    double second = load(apart, PAGE);
    printf("%8.0f %8.0f %8.0f\n", first, second, load(apart, PAGE));
  }
  return 0;
}
