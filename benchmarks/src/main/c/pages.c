/*
 * What huge pages would do for a ring: frames of 72 bytes are written into it and read back, a batch
 * of 64 KiB at a time, as a sender and its write would do, over memory of small and of huge pages in
 * turns. Prints ns per frame for both and the ratio of each round.
 *
 *   cc -O2 -o pages pages.c && ./pages
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { FRAME = 72, BATCH = 64 << 10, ROUNDS = 9, HUGE_PAGE = 2 << 20 };

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Aligned, touched, and with the advice or against it. */
static char *ring(size_t length, int huge) {
  char *all = mmap(NULL, length + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) exit(1);
  char *start = (char *)(((uintptr_t)all + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
  if (madvise(start, length, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) != 0) perror("madvise");
  memset(start, 1, length);
  return start;
}

static double pass(char *memory, size_t length, char *target) {
  static const char frame[FRAME] = {3};
  int64_t start = now_ns();
  long frames = 0;
  for (int lap = 0; lap < (int)((64u << 20) / length); lap++)
    for (size_t batch = 0; batch + BATCH <= length; batch += BATCH) {
      for (size_t at = 0; at + FRAME <= BATCH; at += FRAME, frames++)
        memcpy(memory + batch + at, frame, FRAME);
      memcpy(target, memory + batch, BATCH);
      __asm__ volatile("" ::: "memory");
    }
  return (double)(now_ns() - start) / (double)frames;
}

int main(void) {
  char *target = malloc(BATCH);
  for (size_t length = 1 << 20; length <= 64 << 20; length *= 8) {
    char *small = ring(length, 0), *huge = ring(length, 1);
    pass(small, length, target), pass(huge, length, target);
    printf("ring of %zu MiB, small pages / huge pages, ns per frame:", length >> 20);
    for (int round = 0; round < ROUNDS; round++) {
      double one = pass(small, length, target), two = pass(huge, length, target);
      printf(" %.2f/%.2f=%.2f", one, two, one / two);
    }
    printf("\n");
  }
  free(target);
  return 0;
}
