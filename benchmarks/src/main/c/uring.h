/*
 * As much of io_uring as a stream and a ping-pong need, by its system calls: one ring of one
 * thread, of which the kernel does its work when that thread waits.
 */
#ifndef RINGWIRE_URING_H
#define RINGWIRE_URING_H

#include "reference.h"

#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

enum { UNUSABLE = 2 }; /* exit status: nothing is wrong but the place */

#ifdef IORING_SETUP_DEFER_TASKRUN

enum { URING_ENTRIES = 256 }; /* more than are ever outstanding */

static uint64_t uring_untold; /* writes without a copy of which the kernel has not told yet */

static struct {
  int fd;
  unsigned *submission_tail, *completion_head, *completion_tail, submission_mask, completion_mask;
  unsigned waiting; /* prepared, and not yet handed to the kernel */
  struct io_uring_sqe *submissions;
  struct io_uring_cqe *completions;
} uring;

static void *uring_map(size_t length, off_t offset) {
  void *memory =
      mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, uring.fd, offset);
  if (memory == MAP_FAILED) fail("mapping of io_uring");
  return memory;
}

/* By the thread that uses it, and once in a process. */
static void uring_open(void) {
  struct io_uring_params params = {
      .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
  uring.fd = (int)syscall(SYS_io_uring_setup, URING_ENTRIES, &params);
  if (uring.fd < 0) { /* forbidden, as in most containers, or older than the flags */
    fprintf(stderr, "c: io_uring is not to be had here: %s\n", strerror(errno));
    exit(UNUSABLE);
  }
  size_t length = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
  char *rings = uring_map(length, IORING_OFF_SQ_RING);
  uring.submission_tail = (unsigned *)(rings + params.sq_off.tail);
  uring.submission_mask = *(unsigned *)(rings + params.sq_off.ring_mask);
  uring.completion_head = (unsigned *)(rings + params.cq_off.head);
  uring.completion_tail = (unsigned *)(rings + params.cq_off.tail);
  uring.completion_mask = *(unsigned *)(rings + params.cq_off.ring_mask);
  uring.completions = (struct io_uring_cqe *)(rings + params.cq_off.cqes);
  unsigned *order = (unsigned *)(rings + params.sq_off.array);
  for (unsigned i = 0; i < params.sq_entries; i++) order[i] = i;
  uring.submissions =
      uring_map(params.sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

/* What is done with a socket next; flags are those of an entry. */
static void uring_prepare(int operation, int fd, char *data, size_t length, unsigned flags) {
  unsigned tail = *uring.submission_tail;
  struct io_uring_sqe *entry = &uring.submissions[tail & uring.submission_mask];
  memset(entry, 0, sizeof *entry);
  entry->opcode = (uint8_t)operation;
  entry->flags = (uint8_t)flags;
  entry->fd = fd;
  entry->addr = (uint64_t)(uintptr_t)data;
  entry->len = (uint32_t)length;
  entry->msg_flags = MSG_WAITALL; /* all of it, in one completion */
  __atomic_store_n(uring.submission_tail, tail + 1, __ATOMIC_RELEASE);
  uring.waiting++;
}

/* What the kernel says of an operation: bytes or an error, and flags. */
struct uring_result {
  int bytes;
  unsigned flags;
};

/* Hands over what is prepared, waits for a completion, and takes it. */
static struct uring_result uring_complete(void) {
  unsigned head = *uring.completion_head;
  while (uring.waiting > 0 || __atomic_load_n(uring.completion_tail, __ATOMIC_ACQUIRE) == head) {
    long n = syscall(SYS_io_uring_enter, uring.fd, uring.waiting, 1, IORING_ENTER_GETEVENTS, NULL, 0);
    if (n < 0 && errno != EINTR) fail("io_uring_enter");
    if (n > 0) uring.waiting -= (unsigned)n;
  }
  const struct io_uring_cqe *completion = &uring.completions[head & uring.completion_mask];
  struct uring_result result = {completion->res, completion->flags};
  __atomic_store_n(uring.completion_head, head + 1, __ATOMIC_RELEASE);
  if (result.bytes < 0) {
    errno = -result.bytes;
    fail("io_uring");
  }
  return result;
}

/* Takes one completion. Those of writes without a copy tell that the pages are free again. */
static int uring_take(void) {
  struct uring_result result = uring_complete();
  if (result.flags & IORING_CQE_F_NOTIF) uring_untold--;
  return result.flags & IORING_CQE_F_NOTIF ? -1 : result.bytes;
}

/* Until no more than some are untold. */
static void uring_await_told(uint64_t most_untold) {
  while (uring_untold > most_untold) uring_take();
}

/* Sends all; without a copy if some writes may be untold. */
static void uring_send(int fd, char *data, size_t length, uint64_t most_untold) {
  uring_prepare(most_untold > 0 ? IORING_OP_SEND_ZC : IORING_OP_SEND, fd, data, length, 0);
  if (most_untold > 0) uring_untold++;
  int sent;
  while ((sent = uring_take()) < 0) continue;
  if (sent != (int)length) fail("not all was sent by io_uring");
  uring_await_told(most_untold);
}

/* Sends and waits for what comes next, in one call of the kernel; returns 0 at the end. */
static int uring_exchange(int fd, char *data, size_t length) {
  uring_prepare(IORING_OP_SEND, fd, data, length, IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS);
  uring_prepare(IORING_OP_RECV, fd, data, length, 0);
  int received = uring_take();
  if (received != 0 && received != (int)length) fail("not all was received by io_uring");
  return received != 0;
}

#else

static void uring_open(void) {
  fprintf(stderr, "c: io_uring of Linux 6.1 or later is needed where this is compiled\n");
  exit(UNUSABLE);
}

static void uring_await_told(uint64_t most_untold) { (void)most_untold; }

static void uring_send(int fd, char *data, size_t length, uint64_t most_untold) {
  (void)fd, (void)data, (void)length, (void)most_untold;
}

static int uring_exchange(int fd, char *data, size_t length) {
  (void)fd, (void)data, (void)length;
  return 0;
}

#endif

#endif
