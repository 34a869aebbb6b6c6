#!/usr/bin/env bash
# Makes a virtual machine with a soft RDMA device possible here: programs and the user space of RDMA by apt (root or
# sudo), Debian's stock kernel unpacked but not installed, and an initial file system with the modules that are needed.
# Does nothing when all is there. What it makes is in $RINGWIRE_RDMA_VM, by default ~/.cache/ringwire-rdma-vm (20 MB).
#
#   setup.sh [PACKAGE...]     further packages that the caller needs
#
# Status 3 if it cannot be had on this machine; the last line of standard error says why.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
cache=${RINGWIRE_RDMA_VM:-${XDG_CACHE_HOME:-$HOME/.cache}/ringwire-rdma-vm}

impossible() {
  echo "$*" >&2
  exit 3
}

[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || impossible "the virtual machine is for Linux on x86-64"
command -v apt-get >/dev/null || impossible "there is no apt-get: not a Debian machine"

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

update() {
  [ -e "$cache/updated.$$" ] && return
  apt update >&2 || impossible "apt-get update failed"
  touch "$cache/updated.$$"
}
trap 'rm -f "$cache"/updated.*' EXIT

missing=()
for package in qemu-system-x86 busybox-static kmod iproute2 libibverbs1 ibverbs-providers "$@"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root true 2>/dev/null || impossible "these packages are missing, and this user may not install them: ${missing[*]}"
  update
  apt install -y --no-install-recommends "${missing[@]}" >&2 || impossible "cannot install ${missing[*]}"
fi

# The kernel and its initial file system are made again when what makes them has changed.
stamp=$(cat "$0" "$here/init" | sha256sum)
if [ "$(cat "$cache/stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi

work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$cache"/updated.* "$work"' EXIT
kernel=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends:/ { print $2; exit }')
if [ -z "$kernel" ] || ! (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$kernel" >&2); then
  update
  kernel=$(apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
  (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$kernel" >&2) || impossible "cannot download $kernel"
fi
mkdir "$work/kernel"
dpkg-deb --fsys-tarfile "$work"/*.deb | tar -x -C "$work/kernel" ./boot ./lib/modules
version=$(ls "$work/kernel/lib/modules")
modules=$work/kernel/lib/modules/$version
/sbin/depmod -b "$work/kernel" "$version"

root=$work/root
mkdir -p "$root"/{bin,sbin,proc,sys,dev,host,up,newroot} "$root/lib/modules/$version"
cp /bin/busybox "$root/bin/busybox"
ln -s busybox "$root/bin/sh"
ln -s ../bin/busybox "$root/sbin/modprobe" # for what the kernel asks for by itself
install -m 755 "$here/init" "$root/init"
for module in virtio_pci virtio_console 9pnet_virtio 9p overlay dummy ib_uverbs rdma_rxe crc32_generic; do
  # A module that is built in shows no file.
  /sbin/modprobe -d "$work/kernel" -S "$version" --show-depends "$module" 2>/dev/null || true
done | awk '$1 == "insmod" { print $2 }' | sort -u | while read -r file; do
  target=$root/${file#"$work/kernel/"}
  mkdir -p "$(dirname "$target")"
  cp "$file" "$target"
done
cp "$modules"/modules.{order,builtin,builtin.modinfo} "$root/lib/modules/$version/"
/sbin/depmod -b "$root" "$version"
(cd "$root" && find . | /bin/busybox cpio -o -H newc 2>/dev/null) | gzip -1 >"$work/initrd.img"
mv "$work/kernel/boot/vmlinuz-$version" "$cache/vmlinuz"
mv "$work/initrd.img" "$cache/initrd.img"
echo "$stamp" >"$cache/stamp"
