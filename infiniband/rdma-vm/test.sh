#!/usr/bin/env bash
# Runs the tests that need an RDMA device in the virtual machine; Maven calls it at the end of verify.
#
#   test.sh MODE JAVA_HOME CLASS_PATH BUILD_FOLDER
#
# MODE is "slice" (what is tagged rdma-slice: skipped, and said so, where the machine cannot be had), "all" (what is
# tagged rdma: fails there), names of test classes, with commas, or "off". Reports as of any JUnit run are in
# BUILD_FOLDER/rdma-reports. The run fails if no test ran, or if nothing went over the device.
set -uo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
mode=$1
java=$2
class_path=$3
build=$(realpath "$4")
reports=$build/rdma-reports
# What every transport must do is among the tests of the core, which does not know this one; none is in the slice.
own=$(realpath -m "$here/../$(basename "$build")")
core=
if [ "$build" = "$own" ]; then
  core=$(realpath -m "$here/../../core/$(basename "$build")/test-classes")
  [ ! -d "$core" ] || class_path=$class_path:$core
else
  class_path=$class_path:$own/test-classes # of another module: what runs tests is here
fi
case $mode in
  off) exit 0 ;;
  slice) limit=${RINGWIRE_RDMA_LIMIT:-300} ;;
  *) limit=${RINGWIRE_RDMA_LIMIT:-3600} ;;
esac

said=$(mktemp)
trap 'rm -f "$said"' EXIT
started=$SECONDS
if ! "$here/setup.sh" 2>"$said"; then
  why=$(tail -n 1 "$said")
  if [ "$mode" = slice ]; then
    echo "rdma-vm: SKIPPED the tests that need an RDMA device: $why"
    exit 0
  fi
  cat "$said" >&2
  echo "rdma-vm: no virtual machine: $why" >&2
  exit 1
fi
echo "rdma-vm: the machine is ready after $((SECONDS - started)) s; running $mode"

rm -rf "$reports"
mkdir -p "$reports"
# The guest has a /tmp of its own: show it what the class path, or Java, has there.
show=()
for folder in $(tr ':' '\n' <<<"$class_path:$java:$here" | sed -n 's,^\(/tmp/[^/]*\|/run/[^/]*\)/.*,\1,p' | sort -u); do
  show+=(-r "$folder")
done

# Loading classes is most of what an emulated JVM does: they are archived here, which wants them in jars, and wants
# permission for native access to stand in one.
classes=$build/rdma-classes
rm -rf "$classes"
mkdir -p "$classes"
archive="$classes/classes.jsa"
tests=$classes/tests.jar
others=
for entry in $(tr ':' '\n' <<<"$class_path"); do
  [ ! "$entry" -ef "$build/test-classes" ] || continue
  if [ -d "$entry" ]; then
    jar=$classes/$(tr / - <<<"${entry#/}").jar
    "$java/bin/jar" --create --no-compress --file "$jar" -C "$entry" . || exit 1
    [ "$entry" != "${core:-none}" ] || core=$jar
    entry=$jar
  fi
  others="$others file://$entry"
done
{
  echo "Main-Class: org.ringwire.infiniband.guest.GuestTests"
  echo "Enable-Native-Access: ALL-UNNAMED"
  echo "Add-Exports: java.base/jdk.internal.misc" # for graphs
  echo "Class-Path:$others" | fold -w 70 | sed '2,$s/^/ /' # lines of a manifest are short
} >"$classes/manifest"
"$java/bin/jar" --create --no-compress --file "$tests" --manifest "$classes/manifest" -C "$build/test-classes" . || exit 1

# Few tests bring in JUnit and what they need of the JDK; of ours there is everything, whatever the tests there use.
load=(load rdma-classes "$tests")
for jar in $others; do
  jar=${jar#file://}
  case $jar in
    "${core:-none}") ;; # what transports must do, in many classes: only for whom all is run
    "$classes"/* | */ringwire-* | */junit-* | */opentest4j-*) load+=("$jar") ;;
  esac
done
options=(-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData --sun-misc-unsafe-memory-access=deny)
timeout -k 5 60 "$java/bin/java" "-XX:ArchiveClassesAtExit=$archive" -Xlog:disable "${options[@]}" -jar "$tests" \
  none "${load[@]}" >"$classes/archive.log" 2>&1
[ $? -lt 124 ] || rm -f "$archive" # time was over: it may be there in part
[ -e "$archive" ] || echo "rdma-vm: no archive of classes, so it takes longer: $(tail -n 1 "$classes/archive.log")"

case $mode in
  slice) select=(tag rdma-slice "$tests") ;;
  all) select=(tag rdma "$tests" ${core:+"$core"}) ;;
  *) select=(class ${mode//,/ }) ;;
esac
JAVA_HOME=$java "$here/run.sh" -t "$limit" -w "$reports" ${show[@]+"${show[@]}"} "$here/guest.sh" \
  "$java/bin/java" "-XX:SharedArchiveFile=$archive" -XX:+UnlockDiagnosticVMOptions \
  -XX:ArchiveRelocationMode=0 -Xlog:cds=off -Xlog:cds+dynamic=off "${options[@]}" -jar "$tests" "$reports" "${select[@]}"
status=$?
echo "rdma-vm: status $status after $((SECONDS - started)) s"
exit "$status"
