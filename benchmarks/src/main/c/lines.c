/*
 * What cache lines cost between two cores: how long one takes there and back, beside a turn of a
 * loop that needs no memory, on both cores at once; and what each line of a ring costs that one
 * core writes and the other reads. The writer tells of what it has written in parts; with a locked
 * instruction after each line, as the next claim is, or without; and as it finds the lines, or
 * after it has written to all of them that the reader is done with.
 *
 *   cc -O2 -pthread -o lines lines.c && ./lines
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64, PAIR_OF_LINES = 128, WORDS = LINE / 8, TURNS = 200000, LINES = 1 << 23, LOOP = 1 << 25 };
enum { LARGEST = 64 << 20, PARTS = 3, RINGS = 3 };

static const int64_t parts[PARTS] = {4 << 10, 16 << 10, 64 << 10};
static const int64_t rings[RINGS] = {1 << 20, 2 << 20, LARGEST};

static struct {
  _Alignas(PAIR_OF_LINES) _Atomic int64_t turn;
  _Alignas(PAIR_OF_LINES) _Atomic int64_t written;
  _Alignas(PAIR_OF_LINES) _Atomic int64_t read;
  _Alignas(PAIR_OF_LINES) _Atomic int64_t claimed;
  _Alignas(PAIR_OF_LINES) volatile int64_t sum;
} shared;

static unsigned char *ring;
static int64_t length;
static int64_t part;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void use_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) != 0) perror("sched_setaffinity");
}

static pthread_t start(void *(*what)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, what, NULL) != 0) {
    perror("pthread_create");
    exit(1);
  }
  return thread;
}

static void *answers(void *argument) {
  use_core(1);
  for (int64_t i = 0; i < TURNS; i++) {
    while (atomic_load_explicit(&shared.turn, memory_order_acquire) != 2 * i + 1) {}
    atomic_store_explicit(&shared.turn, 2 * i + 2, memory_order_release);
  }
  return argument;
}

static double there_and_back(void) {
  atomic_store(&shared.turn, 0);
  pthread_t other = start(answers);
  int64_t begin = now_ns();
  for (int64_t i = 0; i < TURNS; i++) {
    atomic_store_explicit(&shared.turn, 2 * i + 1, memory_order_release);
    while (atomic_load_explicit(&shared.turn, memory_order_acquire) != 2 * i + 2) {}
  }
  int64_t end = now_ns();
  pthread_join(other, NULL);
  return (double)(end - begin) / TURNS;
}

static void *calculates(void *argument) {
  use_core(argument == NULL);
  uint64_t a = 1, b = 2, c = 3;
  int64_t begin = now_ns();
  for (int64_t i = 0; i < LOOP; i++) {
    a = a * 3 + 1;
    b ^= b << 3;
    c += c >> 1;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c));
  }
  double *result = argument;
  if (result != NULL) *result = (double)(now_ns() - begin) / LOOP;
  return argument;
}

static double turn_of_a_loop(void) {
  double result = 0;
  pthread_t other = start(calculates);
  calculates(&result);
  pthread_join(other, NULL);
  return result;
}

static int64_t *line_at(int64_t position) { return (int64_t *)(ring + (position & (length - 1))); }

static void *reads(void *argument) {
  use_core(1);
  int64_t position = 0, sum = 0;
  while (position < (int64_t)LINES * LINE) {
    int64_t end = atomic_load_explicit(&shared.written, memory_order_acquire);
    while (position < end) {
      const int64_t *line = line_at(position);
      for (int i = 0; i < WORDS; i++) sum += line[i];
      position += LINE;
      if ((position & (parts[PARTS - 1] - 1)) == 0) {
        atomic_store_explicit(&shared.read, position, memory_order_release);
      }
    }
  }
  shared.sum = sum;
  return argument;
}

static double per_line(int locked, int taken) {
  atomic_store(&shared.written, 0);
  atomic_store(&shared.read, 0);
  pthread_t other = start(reads);
  int64_t free_end = length, begin = now_ns();
  for (int64_t position = 0; position < (int64_t)LINES * LINE; position += LINE) {
    while (position == free_end) {
      int64_t end = atomic_load_explicit(&shared.read, memory_order_acquire) + length;
      for (int64_t line = free_end; taken && line < end; line += LINE) {
        *(volatile int64_t *)line_at(line) = 0;
      }
      free_end = end;
    }
    int64_t *line = line_at(position);
    for (int i = 0; i < WORDS; i++) line[i] = position;
    if (locked) atomic_fetch_add(&shared.claimed, LINE);
    if (((position + LINE) & (part - 1)) == 0) {
      atomic_store_explicit(&shared.written, position + LINE, memory_order_release);
    }
  }
  int64_t end = now_ns();
  pthread_join(other, NULL);
  return (double)(end - begin) / LINES;
}

int main(void) {
  ring = aligned_alloc(2 << 20, LARGEST);
  if (ring == NULL) {
    perror("aligned_alloc");
    return 1;
  }
  memset(ring, 1, LARGEST);
  use_core(0);
  printf("a turn of a loop: %.2f ns; a line there and back: %.0f ns before,", turn_of_a_loop(),
         there_and_back());
  char table[RINGS * PARTS * 160];
  int used = 0;
  for (int r = 0; r < RINGS; r++) {
    for (int p = 0; p < PARTS; p++) {
      length = rings[r];
      part = parts[p];
      double plain = per_line(0, 0), taken = per_line(0, 1);
      double locked = per_line(1, 0), locked_taken = per_line(1, 1);
      used += snprintf(table + used, sizeof table - (size_t)used,
                       "%5lld KiB %7lld KiB %10.1f %10.1f %10.1f %10.1f\n",
                       (long long)length >> 10, (long long)part >> 10, plain, taken, locked,
                       locked_taken);
    }
  }
  printf(" %.0f ns after\n", there_and_back());
  printf("ns per line\n     ring        part      plain      taken     locked     and taken\n%s", table);
  return 0;
}
