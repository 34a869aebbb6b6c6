/* The verbs themselves; what they do is in simulation.h. */
#include "simulation.h"

/* Devices. */

struct ibv_device **ibv_get_device_list(int *count) {
  struct ibv_device **list = calloc(DEVICES + 1, sizeof *list);
  int missing = !whole_lists;
  if (whole_lists > 0) {
    whole_lists--;
  }
  for (int i = missing; i < device_count; i++) {
    sprintf(devices[i].name, "simulated%d", i);
    list[i - missing] = &devices[i];
  }
  *count = device_count - missing;
  return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }

static int poll_cq(struct ibv_cq *verbs, int most, struct ibv_wc *into) {
  pthread_mutex_lock(&lock);
  if (fails(verbs)) {
    pthread_mutex_unlock(&lock);
    return -1;
  }
  struct completion_queue *queue = (struct completion_queue *) verbs;
  int count = queue->count < most ? queue->count : most;
  for (int i = 0; i < count; i++) {
    struct queue_pair *pair = pair_of(queue->entries[i].qp_num);
    into[i] = queue->entries[i];
    if (pair && pair->free < queue->ends[i]) {
      pair->free = queue->ends[i];
    }
  }
  queue->count -= count;
  memmove(queue->entries, queue->entries + count, queue->count * sizeof *into);
  memmove(queue->ends, queue->ends + count, queue->count * sizeof *queue->ends);
  pthread_mutex_unlock(&lock);
  return count;
}

static int req_notify_cq(struct ibv_cq *verbs, int solicited) {
  pthread_mutex_lock(&lock);
  ((struct completion_queue *) verbs)->armed = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

static int post_send(struct ibv_qp *verbs, struct ibv_send_wr *first, struct ibv_send_wr **bad) {
  pthread_mutex_lock(&lock);
  struct queue_pair *pair = (struct queue_pair *) verbs;
  int error = 0;
  for (struct ibv_send_wr *each = first; each; each = each->next) {
    if (pair->posted - pair->free >= (uint64_t) most_requests) {
      *bad = each;
      error = ENOMEM;
      break;
    }
    struct send_request request = {
        .id = each->wr_id,
        .end = ++pair->posted,
        .opcode = each->opcode,
        .remote = each->wr.rdma.remote_addr,
        .key = each->wr.rdma.rkey,
        .local = each->num_sge ? (void *) (uintptr_t) each->sg_list[0].addr : NULL,
        .immediate = each->imm_data,
        .signaled = pair->signals_all || each->send_flags & IBV_SEND_SIGNALED};
    if (verbs->qp_type == IBV_QPT_UD) {
      request.destination = each->wr.ud.remote_qpn;
    }
    if (is_atomic(&request)) {
      request.key = each->wr.atomic.rkey;
      request.compare_add = each->wr.atomic.compare_add;
      request.swap = each->wr.atomic.swap;
    }
    request.ranges = malloc(each->num_sge * sizeof *each->sg_list + 1);
    request.range_count = each->num_sge;
    for (int i = 0; i < each->num_sge; i++) {
      request.ranges[i] = each->sg_list[i];
      request.length += each->sg_list[i].length;
    }
    int is_inline = !!(each->send_flags & IBV_SEND_INLINE);
    if (!is_inline && !is_late && verbs->state == IBV_QPS_RTS) {
      require_registered(
          verbs->pd, request.ranges, request.range_count, written_here(&request));
    }
    if (!is_late || is_inline) { /* what is inline is copied at once */
      read_ranges(&request);
      free(request.ranges);
      request.ranges = NULL;
    }
    if (verbs->state == IBV_QPS_ERR || verbs->state == IBV_QPS_SQE) {
      sent(pair, &request, IBV_WC_WR_FLUSH_ERR);
    } else {
      pair->requests[pair->count++] = request;
    }
  }
  run(pair);
  pthread_mutex_unlock(&lock);
  return error;
}

static int post_srq_recv(
    struct ibv_srq *verbs, struct ibv_recv_wr *first, struct ibv_recv_wr **bad) {
  pthread_mutex_lock(&lock);
  if (refused_receives) {
    refused_receives--;
    *bad = first;
    pthread_mutex_unlock(&lock);
    return EINVAL;
  }
  struct receive_queue *queue = (struct receive_queue *) verbs;
  for (struct ibv_recv_wr *each = first; each; each = each->next) {
    struct receive_request *request =
        &queue->requests[(queue->first + queue->count++) % CAPACITY];
    request->id = each->wr_id;
    request->count = each->num_sge;
    memcpy(request->ranges, each->sg_list, each->num_sge * sizeof *each->sg_list);
  }
  run_all();
  pthread_mutex_unlock(&lock);
  return 0;
}

static int post_recv(struct ibv_qp *verbs, struct ibv_recv_wr *first, struct ibv_recv_wr **bad) {
  pthread_mutex_lock(&lock);
  struct queue_pair *pair = (struct queue_pair *) verbs;
  for (struct ibv_recv_wr *each = first; each; each = each->next) {
    struct receive_request *request =
        &pair->own_receives[(pair->own_first + pair->own_count++) % CAPACITY];
    request->id = each->wr_id;
    request->count = each->num_sge;
    memcpy(request->ranges, each->sg_list, each->num_sge * sizeof *each->sg_list);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

struct ibv_context *ibv_open_device(struct ibv_device *device) {
  if (device - devices == forbidden_device) {
    errno = EPERM; /* as of a container's device cgroup */
    return NULL;
  }
  struct context *context = calloc(1, sizeof *context);
  context->verbs.device = device;
  context->verbs.async_fd = eventfd(0, EFD_SEMAPHORE);
  context->verbs.num_comp_vectors = 1;
  context->verbs.ops.poll_cq = poll_cq;
  context->verbs.ops.req_notify_cq = req_notify_cq;
  context->verbs.ops.post_send = post_send;
  context->verbs.ops.post_recv = post_recv;
  context->verbs.ops.post_srq_recv = post_srq_recv;
  pthread_mutex_lock(&lock);
  context->next = contexts;
  contexts = context;
  open_devices++;
  pthread_mutex_unlock(&lock);
  return &context->verbs;
}

int ibv_close_device(struct ibv_context *verbs) {
  pthread_mutex_lock(&lock);
  struct context **each = &contexts;
  while (&(*each)->verbs != verbs) {
    each = &(*each)->next;
  }
  *each = (*each)->next;
  open_devices--;
  close(verbs->async_fd);
  pthread_mutex_unlock(&lock);
  return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
  struct ibv_device_attr own = {
      .max_qp = 1000,
      .max_qp_wr = most_requests,
      .max_sge = 32,
      .max_sge_rd = 32,
      .max_cq = 100,
      .max_cqe = most_completions,
      .max_mr = 1000,
      .max_mr_size = -1,
      .max_srq = shared_queues,
      .max_srq_wr = 1000,
      .max_srq_sge = 32,
      .max_qp_rd_atom = 16,
      .max_qp_init_rd_atom = 16,
      .atomic_cap = has_atomics ? IBV_ATOMIC_HCA : IBV_ATOMIC_NONE,
      .max_ah = 100,
      .max_pkeys = 1,
      .phys_port_cnt = port_count};
  *attributes = own;
  return 0;
}

int ibv_query_port(
    struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attributes) {
  if (context->device - devices == broken_device) {
    return errno = EIO;
  }
  int is_inactive = context->device == devices && port == inactive_port;
  struct ibv_port_attr *own = (struct ibv_port_attr *) attributes;
  own->state = is_inactive ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  own->max_mtu = IBV_MTU_4096;
  own->active_mtu = IBV_MTU_1024;
  own->gid_tbl_len = GIDS;
  own->max_msg_sz = longest_message;
  own->pkey_tbl_len = 1;
  own->link_layer = is_infiniband ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
  own->flags = requires_route ? IBV_QPF_GRH_REQUIRED : 0;
  return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
  static const union ibv_gid address = {.raw = {[10] = 0xff, 0xff, 10, 0, 0, 1}};
  static const union ibv_gid empty;
  *gid = index == gid_index ? address : empty;
  return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *key) {
  *key = 0xffff;
  return 0;
}

int ibv_get_async_event(struct ibv_context *verbs, struct ibv_async_event *event) {
  uint64_t value;
  if (read(verbs->async_fd, &value, sizeof value) < 0) {
    return -1;
  }
  pthread_mutex_lock(&lock);
  struct context *context = (struct context *) verbs;
  *event = context->events[0];
  memmove(context->events, context->events + 1, --context->count * sizeof *event);
  unacknowledged_events++;
  pthread_mutex_unlock(&lock);
  return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event) {
  pthread_mutex_lock(&lock);
  unacknowledged_events--;
  pthread_mutex_unlock(&lock);
}

/* What is made from a device. */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  struct ibv_pd *domain = calloc(1, sizeof *domain);
  domain->context = context;
  return domain;
}

int ibv_dealloc_pd(struct ibv_pd *domain) {
  free(domain);
  return 0;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *domain, void *address, size_t length, int access) {
  if (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)
      && !(access & IBV_ACCESS_LOCAL_WRITE)) {
    errno = EINVAL;
    return NULL;
  }
  struct region *region = calloc(1, sizeof *region);
  pthread_mutex_lock(&lock);
  if (regions >= region_limit) {
    pthread_mutex_unlock(&lock);
    free(region);
    errno = ENOMEM; /* as beyond the limit of locked memory */
    return NULL;
  }
  regions++;
  region->verbs.context = domain->context;
  region->verbs.pd = domain;
  region->verbs.addr = address;
  region->verbs.length = length;
  region->verbs.lkey = region->verbs.rkey = ++last_key;
  region->access = access;
  region->next = registered;
  registered = region;
  pthread_mutex_unlock(&lock);
  return &region->verbs;
}

int ibv_dereg_mr(struct ibv_mr *region) {
  pthread_mutex_lock(&lock);
  if (kept_regions) {
    kept_regions--;
    pthread_mutex_unlock(&lock);
    return EBUSY;
  }
  regions--;
  struct region **each = &registered;
  while (&(*each)->verbs != region) {
    each = &(*each)->next;
  }
  *each = (*each)->next;
  pthread_mutex_unlock(&lock);
  free(region);
  return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
  struct ibv_comp_channel *channel = calloc(1, sizeof *channel);
  channel->context = context;
  channel->fd = eventfd(0, EFD_SEMAPHORE);
  pthread_mutex_lock(&lock);
  if (channel->fd >= DESCRIPTORS || channel_fd_count == DESCRIPTORS) {
    abort();
  }
  channel_fds[channel_fd_count++] = channel->fd;
  pthread_mutex_unlock(&lock);
  return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < channel_fd_count; i++) {
    if (channel_fds[i] == channel->fd) {
      channel_fds[i] = channel_fds[--channel_fd_count];
      break;
    }
  }
  close(channel->fd);
  pthread_mutex_unlock(&lock);
  free(channel);
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **queue, void **context) {
  uint64_t value;
  if (read(channel->fd, &value, sizeof value) < 0) {
    return -1;
  }
  *queue = queue_of_channel[channel->fd];
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq *queue, unsigned int count) {}

struct ibv_cq *ibv_create_cq(
    struct ibv_context *context, int entries, void *own, struct ibv_comp_channel *channel,
    int vector) {
  struct completion_queue *queue = calloc(1, sizeof *queue);
  queue->verbs.context = context;
  queue->verbs.channel = channel;
  queue->verbs.cqe = entries;
  if (channel) {
    queue_of_channel[channel->fd] = &queue->verbs;
  }
  return &queue->verbs;
}

int ibv_destroy_cq(struct ibv_cq *queue) {
  free(queue);
  return 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *domain, struct ibv_srq_init_attr *attributes) {
  if (!shared_queues) {
    errno = EOPNOTSUPP;
    return NULL;
  }
  struct receive_queue *queue = calloc(1, sizeof *queue);
  queue->verbs.context = domain->context;
  pthread_mutex_lock(&lock);
  if (!first_receive_queue) {
    first_receive_queue = queue;
  }
  pthread_mutex_unlock(&lock);
  return &queue->verbs;
}

int ibv_modify_srq(struct ibv_srq *queue, struct ibv_srq_attr *attributes, int mask) { return 0; }

int ibv_destroy_srq(struct ibv_srq *queue) {
  pthread_mutex_lock(&lock);
  if (first_receive_queue == (struct receive_queue *) queue) {
    first_receive_queue = NULL;
  }
  pthread_mutex_unlock(&lock);
  free(queue);
  return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *domain, struct ibv_qp_init_attr *attributes) {
  if (refused_pairs) {
    refused_pairs--;
    errno = ENOMEM;
    return NULL;
  }
  struct queue_pair *pair = calloc(1, sizeof *pair);
  pair->verbs.context = domain->context;
  pair->verbs.pd = domain;
  pair->verbs.send_cq = attributes->send_cq;
  pair->verbs.recv_cq = attributes->recv_cq;
  pair->verbs.srq = attributes->srq;
  pair->verbs.qp_type = attributes->qp_type;
  pair->signals_all = attributes->sq_sig_all;
  pthread_mutex_lock(&lock);
  pair->verbs.qp_num = ++last_number;
  pair->next = queue_pairs;
  queue_pairs = pair;
  pairs++;
  pthread_mutex_unlock(&lock);
  return &pair->verbs;
}

/* Remote atomics are refused where there are none, as by the kernel's driver mlx5. */
int ibv_modify_qp(struct ibv_qp *verbs, struct ibv_qp_attr *attributes, int mask) {
  pthread_mutex_lock(&lock);
  struct queue_pair *pair = (struct queue_pair *) verbs;
  int error = 0;
  if (mask & IBV_QP_ACCESS_FLAGS) {
    pair->access = attributes->qp_access_flags;
  }
  if (mask & IBV_QP_DEST_QPN) {
    pair->destination = attributes->dest_qp_num;
  }
  if (mask & IBV_QP_MAX_DEST_RD_ATOMIC && pair->access & IBV_ACCESS_REMOTE_ATOMIC
      && !has_atomics) {
    error = EOPNOTSUPP;
  } else if ((int) attributes->qp_state == refused_state) {
    refused_state = -1;
    error = ENOMEM;
  } else if (attributes->qp_state == IBV_QPS_ERR) {
    to_error(pair);
  } else {
    verbs->state = attributes->qp_state;
    if (verbs->state == IBV_QPS_RESET) {
      pair->free = pair->posted;
      pair->own_count = 0; /* what is complete already stays in its queue, as with Soft-RoCE */
    }
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int ibv_query_qp(
    struct ibv_qp *pair, struct ibv_qp_attr *attributes, int mask,
    struct ibv_qp_init_attr *initial) {
  attributes->qp_state = pair->state;
  return 0;
}

static void drop_completions(struct ibv_cq *verbs, uint32_t number) {
  struct completion_queue *queue = (struct completion_queue *) verbs;
  int kept = 0;
  for (int i = 0; i < queue->count; i++) {
    if (queue->entries[i].qp_num != number) {
      queue->ends[kept] = queue->ends[i];
      queue->entries[kept++] = queue->entries[i];
    }
  }
  queue->count = kept;
}

/*
 * Takes its completions out of both queues, as mlx5_destroy_qp() does: what it had taken of a
 * shared receive queue, or had completed there, never comes back.
 */
int ibv_destroy_qp(struct ibv_qp *verbs) {
  pthread_mutex_lock(&lock);
  if (kept_pairs) {
    kept_pairs--;
    pthread_mutex_unlock(&lock);
    return EBUSY;
  }
  pairs--;
  struct queue_pair **each = &queue_pairs;
  while (&(*each)->verbs != verbs) {
    each = &(*each)->next;
  }
  *each = (*each)->next;
  struct queue_pair *pair = (struct queue_pair *) verbs;
  for (int i = 0; i < pair->count; i++) {
    forget(&pair->requests[i]);
  }
  drop_completions(verbs->send_cq, verbs->qp_num);
  drop_completions(verbs->recv_cq, verbs->qp_num);
  struct context *context = (struct context *) verbs->context;
  int kept = 0;
  for (int i = 0; i < context->count; i++) {
    if (context->events[i].element.qp != verbs) {
      context->events[kept++] = context->events[i];
    } else {
      uint64_t value;
      if (read(context->verbs.async_fd, &value, sizeof value) < 0) {
        abort();
      }
    }
  }
  context->count = kept;
  run_all();
  pthread_mutex_unlock(&lock);
  free(verbs);
  return 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *domain, struct ibv_ah_attr *attributes) {
  last_handle_gid = attributes->grh.sgid_index;
  last_handle_is_global = attributes->is_global;
  return calloc(1, sizeof(struct ibv_ah));
}

int ibv_destroy_ah(struct ibv_ah *handle) {
  free(handle);
  return 0;
}
