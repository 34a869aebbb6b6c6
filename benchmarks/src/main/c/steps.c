/*
 * What a thread of a JVM executes when something wakes it after a silence, instruction by
 * instruction: how many, on how many lines of the cache and pages, and in which functions (x86-64).
 *
 *   jcmd PID Compiler.perfmap names.map
 *   cc -O2 -o steps steps.c && ./steps THREAD names.map [SLEEPS]
 *
 * THREAD is the id of the thread in /proc/PID/task. It runs on until it has slept for more than a
 * tenth of a second SLEEPS times (default 2), then one instruction at a time until it sleeps again,
 * or 100,000 instructions. What is not in the map counts for the file that its memory is of: the
 * interpreter and compiled code are in the map, libjvm.so is the virtual machine itself. Prints a
 * line for each stay in a function, in order: instructions, lines of the cache, name.
 *
 * The thread needs many times its time, so that its peers may find it late, and the process may end
 * afterwards: flags that the virtual machine saved meanwhile have the one that traps.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_STEPS = 100000, LINE_BITS = 6, PAGE_BITS = 12, NAME = 160 };

struct range {
  uint64_t begin, end;
  char name[NAME];
};

static struct range *ranges;
static size_t range_count, range_room;
static uint64_t steps[MOST_STEPS];

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void add(uint64_t begin, uint64_t end, const char *name) {
  if (range_count == range_room) {
    range_room = range_room == 0 ? 1024 : 2 * range_room;
    ranges = realloc(ranges, range_room * sizeof *ranges);
    if (ranges == NULL) {
      fail("memory for names");
    }
  }
  struct range *range = &ranges[range_count++];
  range->begin = begin;
  range->end = end;
  snprintf(range->name, NAME, "%s", name);
  range->name[strcspn(range->name, "\n")] = 0;
}

/* First the names of compiled code, which lies within memory that /proc names for nobody. */
static void read_names(const char *map) {
  FILE *file = fopen(map, "r");
  if (file == NULL) {
    fail(map);
  }
  char line[4096];
  while (fgets(line, sizeof line, file) != NULL) {
    uint64_t begin, size;
    int name;
    if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &begin, &size, &name) == 2) {
      add(begin, begin + size, line + name);
    }
  }
  fclose(file);
}

static void read_files(pid_t thread) {
  char path[64], line[4096];
  snprintf(path, sizeof path, "/proc/%d/maps", (int)thread);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fail(path);
  }
  while (fgets(line, sizeof line, file) != NULL) {
    uint64_t begin, end;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) == 2) {
      const char *name = strrchr(line, '/');
      add(begin, end, name == NULL ? "other memory" : name + 1);
    }
  }
  fclose(file);
}

static const char *name_of(uint64_t address) {
  static size_t last;
  if (last < range_count && address >= ranges[last].begin && address < ranges[last].end) {
    return ranges[last].name;
  }
  for (size_t i = 0; i < range_count; i++) {
    if (address >= ranges[i].begin && address < ranges[i].end) {
      last = i;
      return ranges[i].name;
    }
  }
  return "unknown";
}

/* The signal to pass on with the next request: not what only says that the thread has stopped. */
static int signal_of(int status) {
  int signal = WSTOPSIG(status);
  return signal == SIGTRAP || signal == (SIGTRAP | 0x80) || status >> 16 != 0 ? 0 : signal;
}

/* Lets the thread go on as far as asked, and returns the seconds that it took. */
static double proceed(pid_t thread, enum __ptrace_request how, int *status) {
  double began = now_s();
  if (ptrace(how, thread, 0, signal_of(*status)) != 0) {
    fail("ptrace");
  }
  if (waitpid(thread, status, __WALL) < 0 || !WIFSTOPPED(*status)) {
    fprintf(stderr, "the thread has ended\n");
    exit(1);
  }
  return now_s() - began;
}

static int compare(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

static size_t distinct(const uint64_t *from, size_t count, int bits) {
  static uint64_t sorted[MOST_STEPS];
  for (size_t i = 0; i < count; i++) {
    sorted[i] = from[i] >> bits;
  }
  qsort(sorted, count, sizeof *sorted, compare);
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    found += i == 0 || sorted[i] != sorted[i - 1];
  }
  return found;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: steps THREAD names.map [SLEEPS]\n");
    return 2;
  }
  pid_t thread = (pid_t)atoi(arguments[1]);
  int sleeps = count > 3 ? atoi(arguments[3]) : 2;
  read_names(arguments[2]);
  read_files(thread);
  int status = 0;
  if (ptrace(PTRACE_SEIZE, thread, 0, (void *)PTRACE_O_TRACESYSGOOD) != 0) {
    fail("a thread to trace");
  }
  ptrace(PTRACE_INTERRUPT, thread, 0, 0);
  waitpid(thread, &status, __WALL);
  while (sleeps > 0) {
    sleeps -= proceed(thread, PTRACE_SYSCALL, &status) > 0.1;
  }
  size_t taken = 0;
  do {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, thread, 0, &registers);
    steps[taken++] = registers.rip;
  } while (taken < MOST_STEPS && proceed(thread, PTRACE_SINGLESTEP, &status) < 0.05);
  ptrace(PTRACE_DETACH, thread, 0, 0);

  for (size_t i = 0; i < taken;) {
    const char *name = name_of(steps[i]);
    size_t end = i + 1;
    while (end < taken && strcmp(name_of(steps[end]), name) == 0) {
      end++;
    }
    printf("%7zu %5zu %s\n", end - i, distinct(steps + i, end - i, LINE_BITS), name);
    i = end;
  }
  printf("%zu instructions on %zu lines of %zu pages\n", taken, distinct(steps, taken, LINE_BITS),
         distinct(steps, taken, PAGE_BITS));
  return 0;
}
