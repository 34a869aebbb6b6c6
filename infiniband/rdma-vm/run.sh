#!/usr/bin/env bash
# Runs a command in a throw-away virtual machine with the soft RDMA device rxe0; ends with the command's status.
#
#   run.sh [-w DIR]... [-r DIR]... [-m MB] [-c CPUS] [-t SECONDS] COMMAND [ARGUMENT...]
#
#   -w DIR   the command may write to this folder of the host, which has the same path in the guest
#   -r DIR   a folder below /tmp or /run, which are empty in the guest otherwise; read-only
#            (paths with spaces do not work for these two)
#   -m MB    memory (2048)        -c CPUS  processors (2)        -t SECONDS  limit for all of it (600)
#
# The guest sees the host's root read-only, with memory above it; it has no network but its own. Both outputs of the
# command come out on standard output. Status 124: time limit; 125: the machine itself failed, its console follows.
# Needs what setup.sh makes. RINGWIRE_RDMA_CONSOLE names a file for the console. The processor is emulated;
# RINGWIRE_RDMA_ACCEL=kvm is many times faster where /dev/kvm works.
set -uo pipefail
cache=${RINGWIRE_RDMA_VM:-${XDG_CACHE_HOME:-$HOME/.cache}/ringwire-rdma-vm}
memory=2048
cpus=2
limit=600
writable=()
readable=()
while getopts w:r:m:c:t: option; do
  case $option in
    w) writable+=("$(realpath "$OPTARG")") ;;
    r) readable+=("$(realpath "$OPTARG")") ;;
    m) memory=$OPTARG ;;
    c) cpus=$OPTARG ;;
    t) limit=$OPTARG ;;
    *) exit 125 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || {
  sed -n '2,15s/^# \{0,1\}//p' "$0"
  exit 125
}
job=$(mktemp -d "${TMPDIR:-/tmp}/rdma-vm.XXXXXX")
trap 'rm -rf "$job"' EXIT
cat >"$job/folders" <<END
WRITABLE='${writable[*]:-}'
READABLE='${readable[*]:-}'
END
{
  printf 'export PATH=%q:/usr/sbin:/usr/bin:/sbin:/bin HOME=%q LANG=C.UTF-8\n' "$PATH" "$HOME"
  [ -z "${JAVA_HOME:-}" ] || printf 'export JAVA_HOME=%q\n' "$JAVA_HOME"
  printf 'ulimit -l unlimited\ncd %q 2>/dev/null || cd /\n' "$PWD"
  printf '%q ' "$@"
  echo
} >"$job/command"

shares=()
share() { # id, folder, further options
  shares+=(-fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap${3:-}"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
share host / ,readonly=on
share job "$job"
i=0
for folder in ${writable[@]+"${writable[@]}"}; do
  share "writable$i" "$folder"
  i=$((i + 1))
done

case ${RINGWIRE_RDMA_ACCEL:-tcg} in
  kvm) processor=(-accel kvm -cpu host) ;;
  *) processor=(-accel tcg,thread=multi,tb-size=512 -cpu max,la57=off) ;;
esac

# The machine ends with this script, however that ends.
setpriv --pdeathsig TERM timeout -k 5 "$limit" qemu-system-x86_64 \
  -M q35,smm=off,hpet=off -nodefaults -no-user-config -display none -no-reboot -nic none \
  "${processor[@]}" -smp "$cpus" -m "$memory" \
  -kernel "$cache/vmlinuz" -initrd "$cache/initrd.img" \
  -append "console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off tsc=reliable no_timer_check random.trust_cpu=on" \
  -chardev "file,id=console,path=$job/console" -serial chardev:console \
  -device virtio-serial-pci -chardev file,id=out,path=/dev/stdout -device virtserialport,chardev=out,name=out \
  "${shares[@]}" </dev/null 2>"$job/qemu" | cat
ended=${PIPESTATUS[0]}

[ -z "${RINGWIRE_RDMA_CONSOLE:-}" ] || cp "$job/console" "$RINGWIRE_RDMA_CONSOLE"
if [ "$ended" = 124 ] || [ "$ended" = 137 ]; then
  echo "rdma-vm: the time limit of $limit s is over; the console ends with:" >&2
  tail -n 20 "$job/console" >&2
  exit 124
fi
status=$(cat "$job/status" 2>/dev/null)
[ -z "$status" ] || exit "$status"
echo "rdma-vm: the machine ended without a status (qemu: $ended):" >&2
cat "$job/qemu" >&2
tail -n 40 "$job/console" >&2
exit 125
