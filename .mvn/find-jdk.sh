# Sourced by ./mvnw and ./ringwire: exports JAVA_HOME as a JDK 25, or says what to do and exits 2,
# and a locale in which that JDK finds its files.
# Reads the "release" file of each candidate, so that no JVM is started to look for one.
# RINGWIRE_JDK_PATH, a list of folders separated by colons, replaces the usual folders.

is_jdk_25() {
  [ -n "$1" ] && [ -x "$1/bin/javac" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release" 2>/dev/null
}

jdk_on_path() {
  jdk_java=$(command -v javac 2>/dev/null) || return 0
  jdk_java=$(readlink -f "$jdk_java" 2>/dev/null) || return 0
  printf '%s\n' "${jdk_java%/bin/javac}"
}

jdk_folders="/usr/lib/jvm:/usr/lib64/jvm:/usr/java:/opt:/opt/java:/usr/local"
jdk_folders="$jdk_folders:${HOME:-}/.sdkman/candidates/java:${HOME:-}/.jdks:${HOME:-}/.asdf/installs/java"
jdk_folders="$jdk_folders:/Library/Java/JavaVirtualMachines:${HOME:-}/Library/Java/JavaVirtualMachines"
jdk_folders=${RINGWIRE_JDK_PATH:-$jdk_folders}

find_jdk() {
  for jdk_home in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" "${JAVA_HOME_25_X64:-}" "$(jdk_on_path)"; do
    if is_jdk_25 "$jdk_home"; then return 0; fi
  done
  jdk_ifs=$IFS
  IFS=:
  for jdk_folder in $jdk_folders; do
    IFS=$jdk_ifs
    for jdk_home in "$jdk_folder"/* "$jdk_folder"/*/Contents/Home; do
      if is_jdk_25 "$jdk_home"; then return 0; fi
    done
  done
  IFS=$jdk_ifs
  return 1
}

if ! find_jdk; then
  {
    echo "Ringwire needs a JDK 25, and none was found."
    echo "Looked at:"
    echo "  JAVA_HOME         ${JAVA_HOME:-(not set)}"
    echo "  JAVA25_HOME       ${JAVA25_HOME:-(not set)}"
    echo "  JAVA_HOME_25_X64  ${JAVA_HOME_25_X64:-(not set)}"
    jdk_home=$(jdk_on_path)
    echo "  javac on PATH     ${jdk_home:-(none)}"
    printf '%s\n' "$jdk_folders" | tr ':' '\n' | sed 's|^|  |; s|$|/*|'
    echo "Get one, for example:"
    echo "  Debian, Ubuntu    follow https://adoptium.net/installation/linux, then: sudo apt install temurin-25-jdk"
    echo "  without root      curl -s https://get.sdkman.io | bash, then in a new shell: sdk install java 25-tem"
    echo "  macOS             brew install --cask temurin@25"
    echo "or set JAVA_HOME to the folder of a JDK 25 that is somewhere else."
  } >&2
  exit 2
fi
JAVA_HOME=$jdk_home
export JAVA_HOME

# Where the locale knows ASCII only, as where none is set, Java has no names for other files: Maven
# would not start, and no class be found.
case "${here:-${root:-}}${HOME:-}" in
  *[!\ -~]*)
    if [ "$(locale charmap 2>/dev/null)" = ANSI_X3.4-1968 ]; then
      LC_ALL=C.UTF-8
      export LC_ALL
    fi
    ;;
esac
