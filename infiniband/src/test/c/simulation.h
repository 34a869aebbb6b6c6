/*
 * A libibverbs.so.1 in memory, for tests of what adapters do and Soft-RoCE does not: see
 * docs/infiniband.md. All queue pairs are of one process. What it models is said beside each part;
 * what no test needs is missing, so an error of a verb that is not asked for is not checked.
 */
#include <infiniband/verbs.h>
#undef ibv_query_port
#undef ibv_reg_mr

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { DEVICES = 4, PORTS = 2, CAPACITY = 4096, RANGES = 64, DESCRIPTORS = 1 << 16, GIDS = 4 };
enum { LATE_MOST = 4, LATE_PAUSES = 4, LATE_PAUSE_US = 100 }; /* of a device that is late */
enum { ROUTE = 40 }; /* bytes before a datagram in the memory of its receive request */
enum { UNDEFINED = 0x55555555 };

struct receive_request {
  uint64_t id;
  int count;
  struct ibv_sge ranges[RANGES];
};

struct completion_queue {
  struct ibv_cq verbs;
  struct ibv_wc entries[CAPACITY];
  uint64_t ends[CAPACITY]; /* of a send request that is completed: how many were posted up to it */
  int count;
  int armed;
};

struct receive_queue {
  struct ibv_srq verbs;
  struct receive_request requests[CAPACITY]; /* from the first on */
  int first;
  int count;
};

struct send_request {
  uint64_t id;
  enum ibv_wr_opcode opcode;
  uint64_t remote; /* of what is one-sided, as the next */
  uint32_t key;
  void *local; /* of a read or an atomic */
  uint64_t compare_add; /* of an atomic, as the next */
  uint64_t swap;
  uint32_t immediate;
  uint32_t destination; /* of a datagram */
  int signaled;
  int length;
  char *data;
  struct ibv_sge *ranges; /* in place of data, which is read when the request is run */
  int range_count;
  uint64_t end; /* how many were posted up to this one */
};

struct queue_pair {
  struct ibv_qp verbs;
  struct queue_pair *next;
  uint32_t destination;
  int access;
  int signals_all;
  int has_taken; /* a receive request of a message that has not arrived to its end */
  uint64_t taken_id;
  int is_held; /* in its error state, and has given no receive request back yet */
  struct send_request requests[CAPACITY];
  int count;
  uint64_t posted; /* send requests */
  uint64_t free; /* of these, those before have room for others: a completion of them was polled */
  struct receive_request own_receives[CAPACITY]; /* of a pair for datagrams, from the first on */
  int own_first;
  int own_count;
};

struct region {
  struct ibv_mr verbs;
  int access;
  struct region *next;
};

struct context {
  struct ibv_context verbs;
  struct ibv_async_event events[CAPACITY];
  int count;
  struct context *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER; /* to a device that is late */
static struct ibv_device devices[DEVICES];
static struct context *contexts;
static struct queue_pair *queue_pairs;
static struct region *registered;
static struct receive_queue *first_receive_queue;
static struct ibv_cq *queue_of_channel[DESCRIPTORS];
static uint32_t last_number = 16;
static uint32_t last_key = 7;

/* What tests set. */
static int device_count = 1;
static int broken_device = -1;    /* its queries fail */
static int forbidden_device = -1; /* it may not be opened */
static int port_count = 1;
static int inactive_port; /* of the first device */
static int has_atomics = 1;
static int gid_index; /* where the only address stands */
static int refused_state = -1; /* no pair gets into it, once */
static int held_pair; /* its requests wait */
static int is_silent; /* tells of no last request */
static int holds_flushes; /* receive requests come back late, as those that an adapter fetched */
static int region_limit = CAPACITY;
static int failing_status; /* of the next request that is run, unless it is 0 */
static int is_removed; /* the device: no event can be had */
static int longest_message = 1 << 30; /* of each port; of longer ones the first fails */
static int kept_pairs; /* of those that are destroyed next, so many stay */
static int kept_regions; /* of those that are given back next, so many stay */
static int polled_pair; /* only polls of its queues fail, unless it is 0 */
static int failed_send_polls; /* so many polls for what was sent fail, as the next for what came */
static int failed_receive_polls;
static int failed_flush_polls; /* so many for what was sent, of a pair that is in its error state */
static int whole_lists = -1; /* so many lists of devices have the first, if it is not negative */
static int refused_pairs; /* so many are not made */
static int refused_receives; /* so many chains are not posted to a shared queue */
static int most_requests = 1000; /* of a pair; beyond, it is full */
static int most_completions = CAPACITY - 1;
static int shared_queues = 10;
static int is_infiniband; /* the ports, not Ethernet */
static int requires_route; /* of packets, each port */
static int lost_flushes; /* so many receive requests of a pair of its own never come back */
static int is_late; /* requests are run by a thread of its own, one now and one then */

/* What tests ask for. */
static int open_devices;
static int regions;
static int channel_fds[DESCRIPTORS];
static int channel_fd_count;
static int pairs;
static int unacknowledged_events;
static int last_handle_gid = -1;
static int last_handle_is_global = -1;

static void tell(struct context *context, struct ibv_async_event event) {
  uint64_t one = 1;
  context->events[context->count++] = event;
  if (write(context->verbs.async_fd, &one, sizeof one) < 0) {
    abort();
  }
}

/* What no program may do; a device would end its queue pairs, or use memory that is not its own. */
static void misused(const char *how) {
  fprintf(stderr, "simulated device: %s\n", how);
  abort();
}

static void complete(struct ibv_cq *verbs, struct ibv_wc completion, uint64_t end) {
  struct completion_queue *queue = (struct completion_queue *) verbs;
  if (queue->count == verbs->cqe) {
    misused("a completion queue overflows");
  }
  if (completion.status != IBV_WC_SUCCESS) { /* the specification defines nothing else of it */
    completion.opcode = UNDEFINED;
    completion.byte_len = UNDEFINED;
    completion.imm_data = UNDEFINED;
    completion.src_qp = UNDEFINED;
    completion.wc_flags = UNDEFINED;
  }
  queue->ends[queue->count] = end;
  queue->entries[queue->count++] = completion;
  if (queue->armed && verbs->channel && !is_removed) {
    uint64_t one = 1;
    queue->armed = 0;
    if (write(verbs->channel->fd, &one, sizeof one) < 0) {
      abort();
    }
  }
}

/* Whether a poll fails, as of mlx5 that has found something it does not know. */
static int fails(struct ibv_cq *queue) {
  for (struct queue_pair *pair = queue_pairs; pair; pair = pair->next) {
    if (polled_pair && polled_pair != (int) pair->verbs.qp_num) {
      continue;
    }
    if (pair->verbs.send_cq == queue && failed_send_polls) {
      failed_send_polls--;
      return 1;
    }
    if (pair->verbs.send_cq == queue && failed_flush_polls && pair->verbs.state == IBV_QPS_ERR) {
      failed_flush_polls--;
      return 1;
    }
    if (pair->verbs.recv_cq == queue && failed_receive_polls) {
      failed_receive_polls--;
      return 1;
    }
  }
  return 0;
}

static void forget(struct send_request *request) {
  free(request->data);
  free(request->ranges);
}

static void sent(struct queue_pair *pair, struct send_request *request, enum ibv_wc_status status) {
  if (request->signaled || status != IBV_WC_SUCCESS) {
    struct ibv_wc completion = {
        .wr_id = request->id, .status = status, .qp_num = pair->verbs.qp_num};
    complete(pair->verbs.send_cq, completion, request->end);
  }
  forget(request);
}

/*
 * The receive request that was taken comes back. That nothing more of the shared queue will be
 * taken is an event: InfiniBand specification, 10.3.1.
 */
static void give_back(struct queue_pair *pair) {
  pair->is_held = 0;
  if (pair->has_taken && !is_silent) {
    struct ibv_wc completion = {.wr_id = pair->taken_id,
                                .status = IBV_WC_WR_FLUSH_ERR,
                                .qp_num = pair->verbs.qp_num};
    complete(pair->verbs.recv_cq, completion, 0);
  }
  pair->has_taken = 0;
  if (pair->verbs.srq && !is_silent) {
    struct ibv_async_event event = {.event_type = IBV_EVENT_QP_LAST_WQE_REACHED,
                                    .element.qp = &pair->verbs};
    tell((struct context *) pair->verbs.context, event);
  }
}

static struct receive_request *take_own(struct queue_pair *pair) {
  struct receive_request *first = &pair->own_receives[pair->own_first];
  pair->own_first = (pair->own_first + 1) % CAPACITY;
  pair->own_count--;
  return first;
}

static void flush_own_receives(struct queue_pair *pair) {
  while (pair->own_count) {
    struct receive_request *request = take_own(pair);
    if (lost_flushes) {
      lost_flushes--;
      continue;
    }
    struct ibv_wc completion = {.wr_id = request->id,
                                .status = IBV_WC_WR_FLUSH_ERR,
                                .qp_num = pair->verbs.qp_num};
    complete(pair->verbs.recv_cq, completion, 0);
  }
}

/* All requests come back. */
static void to_error(struct queue_pair *pair) {
  if (pair->verbs.state == IBV_QPS_ERR) {
    return;
  }
  pair->verbs.state = IBV_QPS_ERR;
  for (int i = 0; i < pair->count; i++) {
    sent(pair, &pair->requests[i], IBV_WC_WR_FLUSH_ERR);
  }
  pair->count = 0;
  flush_own_receives(pair);
  pair->is_held = holds_flushes;
  if (!holds_flushes) {
    give_back(pair);
  }
}

static struct queue_pair *pair_of(uint32_t number) {
  struct queue_pair *pair = queue_pairs;
  while (pair && pair->verbs.qp_num != number) {
    pair = pair->next;
  }
  return pair;
}

/* As adapters do with a pair for datagrams of which a request has failed: it receives, and that is all. */
static void to_send_error(struct queue_pair *pair) {
  pair->verbs.state = IBV_QPS_SQE;
  for (int i = 0; i < pair->count; i++) {
    sent(pair, &pair->requests[i], i ? IBV_WC_WR_FLUSH_ERR : IBV_WC_LOC_PROT_ERR);
  }
  pair->count = 0;
}

static void release_flushes(void) {
  for (struct queue_pair *pair = queue_pairs; pair; pair = pair->next) {
    if (pair->is_held) {
      give_back(pair);
    }
  }
}

static struct receive_request take(struct receive_queue *queue) {
  struct receive_request first = queue->requests[queue->first];
  queue->first = (queue->first + 1) % CAPACITY;
  queue->count--;
  return first;
}

static int is_atomic(struct send_request *request) {
  return request->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD
         || request->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;
}

static int is_registered(struct ibv_pd *domain, struct ibv_sge range, int access) {
  for (struct region *each = registered; each; each = each->next) {
    uint64_t start = (uintptr_t) each->verbs.addr;
    if (each->verbs.lkey == range.lkey && each->verbs.pd == domain
        && (each->access & access) == access && range.addr >= start
        && range.addr - start <= each->verbs.length
        && each->verbs.length - (range.addr - start) >= range.length) {
      return 1;
    }
  }
  return 0;
}

/* As long as the device may use them. */
static void require_registered(
    struct ibv_pd *domain, struct ibv_sge *ranges, int count, int access) {
  for (int i = 0; i < count; i++) {
    if (!is_registered(domain, ranges[i], access)) {
      misused("a request names memory that is not registered");
    }
  }
}

static int written_here(struct send_request *request) {
  int writes = request->opcode == IBV_WR_RDMA_READ || is_atomic(request);
  return writes ? IBV_ACCESS_LOCAL_WRITE : 0;
}

static void read_ranges(struct send_request *request) {
  request->data = malloc(request->length + 1);
  int done = 0;
  for (int i = 0; i < request->range_count; i++) {
    struct ibv_sge range = request->ranges[i];
    memcpy(request->data + done, (void *) (uintptr_t) range.addr, range.length);
    done += range.length;
  }
}

/* What uses up no receive request. */
static int is_one_sided(struct send_request *request) {
  return request->opcode == IBV_WR_RDMA_WRITE || request->opcode == IBV_WR_RDMA_READ
         || is_atomic(request);
}

static int needed_access(struct send_request *request) {
  switch (request->opcode) {
    case IBV_WR_RDMA_READ:
      return IBV_ACCESS_REMOTE_READ;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      return IBV_ACCESS_REMOTE_WRITE;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
    case IBV_WR_ATOMIC_CMP_AND_SWP:
      return IBV_ACCESS_REMOTE_ATOMIC;
    default:
      return 0;
  }
}

/* Whether a region of the same domain has all of the memory, with the right that is needed. */
static int is_accessible(struct queue_pair *to, struct send_request *request) {
  for (struct region *each = registered; each; each = each->next) {
    uint64_t start = (uintptr_t) each->verbs.addr;
    if (each->verbs.rkey == request->key && each->verbs.pd == to->verbs.pd
        && each->access & needed_access(request) && request->remote >= start
        && request->remote - start <= each->verbs.length
        && each->verbs.length - (request->remote - start) >= (uint64_t) request->length) {
      return 1;
    }
  }
  return 0;
}

/*
 * What the responder says to a request that it does not carry out: InfiniBand specification, 9.7.4
 * and 9.4.5. The key of what has no length is not looked at.
 */
static enum ibv_wc_status refusal(struct queue_pair *to, struct send_request *request) {
  int needed = needed_access(request);
  if ((to->access & needed) != needed || (is_atomic(request) && request->remote % 8)) {
    return IBV_WC_REM_INV_REQ_ERR;
  }
  return needed && request->length && !is_accessible(to, request) ? IBV_WC_REM_ACCESS_ERR
                                                                  : IBV_WC_SUCCESS;
}

/* Atomic among the requests of all queue pairs: they are run with the lock. */
static void run_atomic(struct send_request *request) {
  uint64_t *word = (uint64_t *) (uintptr_t) request->remote;
  uint64_t before = *word;
  if (request->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    *word = before + request->compare_add;
  } else if (before == request->compare_add) {
    *word = request->swap;
  }
  memcpy(request->local, &before, sizeof before);
}

/* Writes what has arrived over the ranges of a request, from an offset on; returns what fits. */
static int scatter(struct receive_request *into, int offset, struct send_request *request) {
  int done = 0;
  for (int i = 0; i < into->count && done < request->length; i++) {
    int length = (int) into->ranges[i].length;
    int skipped = offset < length ? offset : length;
    int left = request->length - done;
    int part = left < length - skipped ? left : length - skipped;
    char *to = (char *) (uintptr_t) into->ranges[i].addr;
    memcpy(to + skipped, request->data + done, part);
    offset -= skipped;
    done += part;
  }
  return done;
}

static void deliver(
    struct queue_pair *from, struct queue_pair *to, struct send_request *request) {
  int is_write = request->opcode == IBV_WR_RDMA_WRITE
                 || request->opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  if (request->ranges) {
    require_registered(
        from->verbs.pd, request->ranges, request->range_count, written_here(request));
    read_ranges(request);
  }
  if (request->opcode == IBV_WR_RDMA_READ) {
    memcpy(request->local, (void *) (uintptr_t) request->remote, request->length);
  }
  if (is_atomic(request)) {
    run_atomic(request);
  }
  if (is_write) {
    memcpy((void *) (uintptr_t) request->remote, request->data, request->length);
  }
  if (is_one_sided(request)) {
    return;
  }
  struct receive_request into = take((struct receive_queue *) to->verbs.srq);
  require_registered(to->verbs.pd, into.ranges, into.count, IBV_ACCESS_LOCAL_WRITE);
  if (!is_write) {
    scatter(&into, 0, request);
  }
  struct ibv_wc completion = {.wr_id = into.id,
                              .opcode = is_write ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV,
                              .byte_len = request->length,
                              .imm_data = request->immediate,
                              .wc_flags = IBV_WC_WITH_IMM,
                              .qp_num = to->verbs.qp_num};
  complete(to->verbs.recv_cq, completion, 0);
}

/*
 * One that finds no receiver, or no receive request there, is lost. One that is longer than the
 * request that it finds ends the receiver's queue pair, as with Soft-RoCE.
 */
static void deliver_datagram(struct queue_pair *from, struct send_request *request) {
  struct queue_pair *to = pair_of(request->destination);
  if (request->ranges) {
    require_registered(from->verbs.pd, request->ranges, request->range_count, 0);
    read_ranges(request);
  }
  if (!to || !to->own_count || to->verbs.state < IBV_QPS_RTR || to->verbs.state == IBV_QPS_ERR) {
    return;
  }
  struct receive_request *into = take_own(to);
  require_registered(to->verbs.pd, into->ranges, into->count, IBV_ACCESS_LOCAL_WRITE);
  int fits = scatter(into, ROUTE, request) == request->length;
  struct ibv_wc completion = {.wr_id = into->id,
                              .status = fits ? IBV_WC_SUCCESS : IBV_WC_LOC_QP_OP_ERR,
                              .opcode = IBV_WC_RECV,
                              .byte_len = request->length + ROUTE,
                              .qp_num = to->verbs.qp_num,
                              .src_qp = from->verbs.qp_num};
  complete(to->verbs.recv_cq, completion, 0);
  if (!fits) {
    to_error(to);
  }
}

static struct send_request take_first(struct queue_pair *pair) {
  struct send_request first = pair->requests[0];
  memmove(pair->requests, pair->requests + 1, --pair->count * sizeof first);
  return first;
}

/* Delivers the first request if it has a receiver that is ready; whether it was run. */
static int run_one(struct queue_pair *pair) {
  if (!pair->count || pair->verbs.state != IBV_QPS_RTS
      || held_pair == (int) pair->verbs.qp_num) {
    return 0;
  }
  if (pair->verbs.qp_type == IBV_QPT_UD) {
    struct send_request datagram = take_first(pair);
    deliver_datagram(pair, &datagram);
    sent(pair, &datagram, IBV_WC_SUCCESS);
    return 1;
  }
  struct queue_pair *to = pair_of(pair->destination);
  struct receive_queue *queue = to ? (struct receive_queue *) to->verbs.srq : NULL;
  int has_room = is_one_sided(&pair->requests[0]) || (queue && queue->count);
  if (to && (to->verbs.state == IBV_QPS_ERR || !has_room)) {
    return 0;
  }
  struct send_request request = take_first(pair);
  enum ibv_wc_status status = to ? failing_status : IBV_WC_RETRY_EXC_ERR;
  if (to && request.length > longest_message) {
    status = IBV_WC_LOC_LEN_ERR;
  }
  failing_status = IBV_WC_SUCCESS;
  if (status == IBV_WC_SUCCESS) {
    status = refusal(to, &request);
    if (status == IBV_WC_SUCCESS) {
      deliver(pair, to, &request);
    } else {
      to_error(to); /* and carries out nothing that follows */
    }
  }
  sent(pair, &request, status);
  if (status != IBV_WC_SUCCESS) {
    to_error(pair);
  }
  return 1;
}

/* Delivers in order what has a receiver that is ready. */
static void run(struct queue_pair *pair) {
  if (is_late) {
    pthread_cond_signal(&posted);
    return;
  }
  while (run_one(pair)) {
  }
}

static void run_all(void) {
  for (struct queue_pair *pair = queue_pairs; pair; pair = pair->next) {
    run(pair);
  }
}

/* Some of each pair, then a pause in which others post and poll. */
static void *run_late(void *nothing) {
  unsigned state = 1;
  pthread_mutex_lock(&lock);
  while (1) {
    int any = 0;
    for (struct queue_pair *pair = queue_pairs; pair; pair = pair->next) {
      int left = 1 + rand_r(&state) % LATE_MOST;
      while (left-- && run_one(pair)) {
        any = 1;
      }
    }
    if (!any) {
      pthread_cond_wait(&posted, &lock);
    }
    pthread_mutex_unlock(&lock);
    if (rand_r(&state) % LATE_PAUSES == 0) {
      usleep(rand_r(&state) % LATE_PAUSE_US);
    } else {
      sched_yield();
    }
    pthread_mutex_lock(&lock);
  }
  return nothing;
}

static void begin_late(void) {
  pthread_t thread;
  if (!is_late && pthread_create(&thread, NULL, run_late, NULL)) {
    abort();
  }
  is_late = 1;
}

/* The first packet of a message has arrived at each queue pair of the first shared queue. */
static void begin_messages(void) {
  for (struct queue_pair *pair = queue_pairs; pair; pair = pair->next) {
    struct receive_queue *queue = (struct receive_queue *) pair->verbs.srq;
    if (queue && queue == first_receive_queue && queue->count && !pair->has_taken
        && (pair->verbs.state == IBV_QPS_RTR || pair->verbs.state == IBV_QPS_RTS)) {
      pair->has_taken = 1;
      pair->taken_id = take(queue).id;
    }
  }
}

/*
 * What the kernel does when a driver goes: there is an event that says so, and of each completion
 * channel poll(2) says POLLERR from then on, and read(2) fails.
 */
static void remove_device(void) {
  is_removed = 1;
  int ends[2];
  if (pipe(ends) < 0) {
    abort();
  }
  close(ends[0]); /* poll of the other end: POLLERR; read: an error */
  struct ibv_async_event event = {.event_type = IBV_EVENT_DEVICE_FATAL};
  for (int i = 0; i < channel_fd_count; i++) {
    uint64_t one = 1; /* wakes who is in poll(2) */
    if (write(channel_fds[i], &one, sizeof one) < 0) {
      abort();
    }
    dup2(ends[1], channel_fds[i]);
  }
  for (struct context *context = contexts; context; context = context->next) {
    tell(context, event);
  }
}

static void tell_of_addresses(int count) {
  struct ibv_async_event event = {.event_type = IBV_EVENT_GID_CHANGE, .element.port_num = 1};
  for (struct context *context = contexts; context; context = context->next) {
    for (int i = 0; i < count; i++) {
      tell(context, event);
    }
  }
}

/* For tests. */

void simulated_set(const char *name, int value) {
  pthread_mutex_lock(&lock);
  if (!strcmp(name, "devices")) {
    device_count = value;
  } else if (!strcmp(name, "broken device")) {
    broken_device = value;
  } else if (!strcmp(name, "forbidden device")) {
    forbidden_device = value;
  } else if (!strcmp(name, "ports")) {
    port_count = value;
  } else if (!strcmp(name, "inactive port")) {
    inactive_port = value;
  } else if (!strcmp(name, "atomics")) {
    has_atomics = value;
  } else if (!strcmp(name, "gid index")) {
    gid_index = value;
  } else if (!strcmp(name, "refused state")) {
    refused_state = value;
  } else if (!strcmp(name, "held pair")) {
    held_pair = value;
    run_all();
  } else if (!strcmp(name, "pair that only receives")) {
    to_send_error(pair_of(value));
  } else if (!strcmp(name, "longest message")) {
    longest_message = value;
  } else if (!strcmp(name, "silent")) {
    is_silent = value;
  } else if (!strcmp(name, "held flushes")) {
    holds_flushes = value;
    if (!value) {
      release_flushes();
    }
  } else if (!strcmp(name, "more regions")) {
    region_limit = regions + value;
  } else if (!strcmp(name, "failing status")) {
    failing_status = value;
  } else if (!strcmp(name, "kept pairs")) {
    kept_pairs = value;
  } else if (!strcmp(name, "kept regions")) {
    kept_regions = value;
  } else if (!strcmp(name, "pair whose polls fail")) {
    polled_pair = value;
  } else if (!strcmp(name, "failed send polls")) {
    failed_send_polls = value;
  } else if (!strcmp(name, "failed flush polls")) {
    failed_flush_polls = value;
  } else if (!strcmp(name, "failed receive polls")) {
    failed_receive_polls = value;
  } else if (!strcmp(name, "whole lists")) {
    whole_lists = value;
  } else if (!strcmp(name, "refused pairs")) {
    refused_pairs = value;
  } else if (!strcmp(name, "refused receives")) {
    refused_receives = value;
  } else if (!strcmp(name, "requests of a pair")) {
    most_requests = value;
  } else if (!strcmp(name, "completions of a queue")) {
    most_completions = value;
  } else if (!strcmp(name, "shared queues")) {
    shared_queues = value;
  } else if (!strcmp(name, "InfiniBand")) {
    is_infiniband = value;
  } else if (!strcmp(name, "required route")) {
    requires_route = value;
  } else if (!strcmp(name, "lost flushes")) {
    lost_flushes = value;
  } else if (!strcmp(name, "late")) {
    begin_late();
  } else if (!strcmp(name, "address events")) {
    tell_of_addresses(value);
  } else if (!strcmp(name, "removed")) {
    remove_device();
  } else if (!strcmp(name, "begun messages")) {
    begin_messages();
  } else {
    abort();
  }
  pthread_mutex_unlock(&lock);
}

int simulated_get(const char *name) {
  pthread_mutex_lock(&lock);
  int value = -1;
  if (!strcmp(name, "open devices")) {
    value = open_devices;
  } else if (!strcmp(name, "pairs")) {
    value = pairs;
  } else if (!strcmp(name, "posted")) {
    value = first_receive_queue ? first_receive_queue->count : 0;
  } else if (!strcmp(name, "posted to last pair")) {
    value = queue_pairs ? queue_pairs->own_count : 0;
  } else if (!strcmp(name, "handle's gid index")) {
    value = last_handle_gid;
  } else if (!strcmp(name, "handle's route")) {
    value = last_handle_is_global;
  } else if (!strcmp(name, "last pair")) {
    value = (int) last_number;
  } else if (!strcmp(name, "unacknowledged events")) {
    value = unacknowledged_events;
  } else if (!strcmp(name, "kept pairs")) {
    value = kept_pairs;
  } else if (!strcmp(name, "regions")) {
    value = regions;
  } else if (!strcmp(name, "failed polls")) { /* that are to come */
    value = failed_send_polls + failed_receive_polls + failed_flush_polls;
  }
  pthread_mutex_unlock(&lock);
  return value;
}

