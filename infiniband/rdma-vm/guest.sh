#!/bin/bash
# In the guest: runs a command, then tells what the device has counted; fails if nothing went over it.
counters=/sys/class/infiniband/rxe0/ports/1/hw_counters
before=$(cat $counters/sent_pkts)
up() { cut -d' ' -f1 /proc/uptime; }
started=$(up)
"$@"
status=$?
echo "rdma-vm: the guest was up after $started s, the tests ended after $(up) s"
echo "rdma-vm: rxe0$(for counter in sent_pkts rcvd_pkts rdma_sends rdma_recvs duplicate_request rcvd_rnr_err send_err; do
  printf ' %s=%s' "$counter" "$(cat $counters/$counter)"
done)"
if [ "$status" = 0 ] && [ "$(cat $counters/sent_pkts)" -le "$before" ]; then
  echo "rdma-vm: no packet went over the device"
  exit 1
fi
exit "$status"
