#!/bin/sh
# reduce.sh CONFIG SEED LEVEL [FLAG...]: leave out of the program of SEED whatever its mismatch at
# LEVEL does not need, and print what stays.
#
# A program is reduced as long as it is still valid C and still wrong in the same way: the same kind
# of mismatch, a crash of the compiler, or an error with the same message. FUZZ_GENERATE is the
# generator, as for fuzz.sh; FUZZ_DEFINES are more flags. FUZZ_REFERENCE is a level whose gradient
# that of LEVEL is compared with, for programs that are wrong there only.
set -u

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 3 ] || [ ! -f "$1" ]; then
  echo "usage: reduce.sh CONFIG SEED LEVEL [FLAG...]" >&2
  exit 2
fi
config=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seed=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'print "$@"; exit 1' INT TERM
cd "$work" || exit 2
generate=${FUZZ_GENERATE:-./generate}
[ -n "${FUZZ_GENERATE:-}" ] ||
  ${CC:-cc} -std=c11 -O1 "$here"/generate.c "$here"/gen_*.c -o generate || exit 2

# symptom FILE FLAG...: what is wrong with a program, in a word or two; nothing where it is right
symptom() {
  file=$1
  shift
  # shellcheck disable=SC2086 # flags are words
  flags="-std=c11 -w ${FUZZ_DEFINES:-} -I$here"
  rm -f gradient
  [ -z "${FUZZ_REFERENCE:-}" ] ||
    timeout 120 clang-22 --config="$config" $flags "$FUZZ_REFERENCE" "$file" -o p -lm 2>err &&
    timeout 20 ./p gradient >out 2>&1
  if timeout 120 clang-22 --config="$config" $flags "$@" "$file" -o p -lm 2>err; then
    timeout 20 ./p gradient >out 2>&1
    case $? in
    0) ;;
    1) tail -n 1 out | cut -d ' ' -f 1-2 ;;
    *) echo "stopped $(tail -n 1 out | tr -d '0-9' | cut -c 1-60)" ;;
    esac
  elif ! clang-22 -std=c11 -w -fsyntax-only -I"$here" "$file" 2>/dev/null; then
    echo invalid
  elif grep -q -i -e 'stack dump' -e 'llvm error' -e 'assertion' err; then
    echo crash
  else
    grep -m 1 error: err | sed -e 's/.*error: *//' -e "s/'[^']*'/'...'/g" | cut -c 1-60
  fi
}

# attempt FROM TO FLAG...: leave out the nodes FROM to TO if the symptom stays
attempt() {
  seq "$1" "$2" | cat drop - >more
  shift 2
  "$generate" "$seed" --drop more >next.c
  ! cmp -s next.c now.c && [ "$(symptom next.c "$@")" = "$want" ] && mv next.c now.c && mv more drop
}

# print FLAG...: the program as it is now
print() {
  echo "/* $want: $* */"
  cat now.c
}

: >drop
"$generate" "$seed" >now.c || exit 2
want=$(symptom now.c "$@")
if [ -z "$want" ]; then
  echo "seed $seed has no mismatch here" >&2
  exit 1
fi
nodes=$("$generate" "$seed" --nodes)
size=64 changed=1
while [ "$size" -ge 1 ]; do
  first=0 changed=0
  while [ "$first" -lt "$nodes" ]; do
    attempt "$first" $((first + size - 1)) "$@" && changed=1
    first=$((first + size))
  done
  [ "$size" -eq 1 ] && [ "$changed" -eq 1 ] || size=$((size / 2))
done
print "$@"
