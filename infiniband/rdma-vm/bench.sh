#!/usr/bin/env bash
# Ringwire over InfiniBand beside perftest (ib_send_bw, ib_send_lat), in turns.
#
#   bench.sh [OPTION...]          in the virtual machine, with the soft device; the options are those of
#                                 ./ringwire bench verbs, see bench.sh --help
#   bench.sh --host [OPTION...]   on this machine, with its own device
#
# Installs perftest, by apt, and what the virtual machine takes. RINGWIRE_RDMA_LIMIT is the limit of time in seconds
# (3600). Emulation makes everything some thirty times slower: only ratios mean something there.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

if [ "${1:-}" = --host ]; then
  shift
  command -v ib_send_bw >/dev/null || {
    echo "bench.sh: perftest is missing: apt install perftest" >&2
    exit 2
  }
  exec "$root/ringwire" bench verbs "$@"
fi
if [ "${1:-}" = --help ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exec "$root/ringwire" bench verbs --help
fi
"$here/setup.sh" perftest
"$root/ringwire" bench verbs --help >/dev/null # builds: the guest has no Maven
show=()
case $root in /tmp/* | /run/*) show=(-r "$root") ;; esac
# An emulated processor compiles for minutes what a real one does in seconds: the quick compiler only.
exec "$here/run.sh" -m 3072 -t "${RINGWIRE_RDMA_LIMIT:-3600}" ${show[@]+"${show[@]}"} \
  env RINGWIRE_JVM_OPTS=-XX:TieredStopAtLevel=1 "$root/ringwire" bench verbs --vm-options=-XX:TieredStopAtLevel=1 "$@"
