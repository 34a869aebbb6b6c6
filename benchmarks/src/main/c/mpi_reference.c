/*
 * Open MPI between two processes: numbered messages of a fixed length, without objects.
 *
 *   mpicc -O2 -o mpi_reference mpi_reference.c
 *   mpirun -np 2 ./mpi_reference stream|pingpong BYTES SENDER_CPU RECEIVER_CPU SECONDS WARMUP
 *
 * A stream keeps a window of messages on their way, as the benchmarks of MPI libraries do. Prints
 * one line "name=value name=value ...".
 */
#include "reference.h"

#include <mpi.h>

enum { WINDOW = 64, SENDER = 0, RECEIVER = 1, DATA = 1, REPORT = 2 };

enum { NEXT_ROUND = -2, LAST = -1 }; /* numbers that no message has */

/* What the receiver tells at the end of a round. */
struct report {
  uint64_t handled;
  double cpu;
};

static int streams;
static size_t length;
static char *messages[WINDOW];

static uint64_t number_of(const char *message) {
  uint64_t number;
  memcpy(&number, message, sizeof number);
  return number;
}

/* A window of messages that count from this number, or that all carry it. */
static void send_window(uint64_t number, int counts) {
  MPI_Request requests[WINDOW];
  for (int i = 0; i < WINDOW; i++) {
    uint64_t own = counts ? number + (uint64_t)i : number;
    memcpy(messages[i], &own, sizeof own);
    MPI_Isend(messages[i], (int)length, MPI_CHAR, RECEIVER, DATA, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
}

static void send_one(uint64_t number, int to) {
  memcpy(messages[0], &number, sizeof number);
  MPI_Send(messages[0], (int)length, MPI_CHAR, to, DATA, MPI_COMM_WORLD);
}

static uint64_t receive_one(int from) {
  MPI_Recv(messages[0], (int)length, MPI_CHAR, from, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number_of(messages[0]);
}

static void receive_window(void) {
  MPI_Request requests[WINDOW];
  for (int i = 0; i < WINDOW; i++)
    MPI_Irecv(messages[i], (int)length, MPI_CHAR, SENDER, DATA, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
}

static void receive(void) {
  struct report report = {0};
  for (;;) {
    if (streams) receive_window();
    else receive_one(SENDER);
    uint64_t number = number_of(messages[0]);
    if (number == (uint64_t)LAST) return;
    if (number == (uint64_t)NEXT_ROUND) {
      report.cpu = cpu_seconds();
      MPI_Send(&report, sizeof report, MPI_BYTE, SENDER, REPORT, MPI_COMM_WORLD);
      report.handled = 0;
      continue;
    }
    for (int i = 0; i < (streams ? WINDOW : 1); i++)
      if (number_of(messages[i]) != report.handled++) {
        fprintf(stderr, "mpi: a message is missing\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    if (!streams) send_one(number, SENDER);
  }
}

static struct report next_round(void) {
  struct report report;
  if (streams) send_window((uint64_t)NEXT_ROUND, 0);
  else send_one((uint64_t)NEXT_ROUND, RECEIVER);
  MPI_Recv(&report, sizeof report, MPI_BYTE, RECEIVER, REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return report;
}

static void measure(double seconds, int print) {
  told_cpu_seconds = next_round().cpu;
  struct trips trips = start_trips();
  int64_t deadline = trips.start + (int64_t)(seconds * 1e9);
  uint64_t sent = 0;
  for (int over = 0; !over;) {
    if (streams) {
      send_window(sent, 1);
      sent += WINDOW;
      over = now_ns() >= deadline;
      continue;
    }
    send_one(sent, RECEIVER);
    if (receive_one(RECEIVER) != sent++) {
      fprintf(stderr, "mpi: wrong reply\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    count_trip(&trips);
    over = trips.before >= deadline;
  }
  struct report report = next_round();
  told_cpu_seconds = report.cpu;
  double elapsed = (double)(now_ns() - trips.start) / 1e9;
  if (report.handled != sent) {
    fprintf(stderr, "mpi: messages lost\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (print && streams)
    printf("seconds=%.9f cpu=%.6f messages=%llu\n", elapsed, cpu_seconds() - trips.cpu,
           (unsigned long long)sent);
  else if (print) print_trips(&trips);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (count != 7) {
    fprintf(stderr, "usage: %s stream|pingpong BYTES SENDER_CPU RECEIVER_CPU SECONDS WARMUP\n",
            words[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  streams = strcmp(words[1], "stream") == 0;
  length = strtoul(words[2], NULL, 10);
  if (length < sizeof(uint64_t)) length = sizeof(uint64_t);
  for (int i = 0; i < WINDOW; i++) {
    messages[i] = malloc(length);
    if (messages[i] == NULL) fail("memory");
    memset(messages[i], 7, length);
  }
  if (rank == RECEIVER) {
    pin(atoi(words[4]));
    receive();
  } else {
    watch_input(atoi(words[3])); /* mpirun hands its input to the first process */
    measure(atof(words[6]), 0);
    measure(atof(words[5]), 1);
    fflush(stdout);
    if (streams) send_window((uint64_t)LAST, 0);
    else send_one((uint64_t)LAST, RECEIVER);
  }
  MPI_Finalize();
  return 0;
}
