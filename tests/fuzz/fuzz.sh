#!/bin/sh
# fuzz.sh CONFIG FIRST COUNT [LEVEL...]: differentiate the random programs of the seeds from FIRST
# on, with clang-22 --config=CONFIG, at each LEVEL (all four: -O0 -O1 -O2 -O3), and check them.
#
# Prints each failure, then each message of the compiler that refused a program with its number of
# programs, then one line: programs, mismatches (programs with a wrong number, a compiler crash, a
# stop or a time limit passed), skipped (components whose differences are not reliable), refused
# (programs that the compiler answered by an error at some level). Exit status 1 after a mismatch.
#
# Environment:
#   FUZZ_FLAGS     more compiler flags to try, alternatives separated by semicolons; each one is
#                  tried at one of the levels, another one for each seed
#   FUZZ_DEFINES   compiler flags for every compilation, such as -DFORWARD
#   FUZZ_JOBS      programs at a time (2)
#   FUZZ_GENERATE  the generator (made from the sources beside this script where it is not given)
set -u

here=$(cd "$(dirname "$0")" && pwd)

# fail SEED HOW WHY: report a mismatch
fail() {
  echo "MISMATCH seed $1 $2: $3"
}

# classify SEED HOW: the compiler failed; its messages are in p.err
classify() {
  message=$(grep -m 1 'error:' p.err | sed -e 's/.*error: *//' -e 's/^dacead: *//' \
    -e "s/'[^']*'/'...'/g" | cut -c 1-100)
  if [ "$status" -eq 124 ]; then
    fail "$1" "$2" "the compiler passed its time limit"
  elif [ "$status" -gt 1 ] || [ -z "$message" ] ||
    grep -q -i -e 'stack dump' -e 'llvm error' -e 'assertion' -e 'internal' p.err; then
    frame=$(grep -m 1 -e '^ *#.*/pass/' -e '^ *#.*libDaceAD' p.err |
      sed 's/^ *#[0-9]* [0-9a-fx]* //')
    fail "$1" "$2" "the compiler failed: $(echo "${frame:-$(head -n 1 p.err)}" | cut -c 1-200)"
  elif grep -q 'linker command failed' p.err; then
    fail "$1" "$2" "the program does not link: $(head -n 1 p.err | cut -c 1-200)"
  elif ! clang-22 -std=c11 -w -fsyntax-only -I"$here" p.c 2>/dev/null; then
    fail "$1" "$2" "the program is invalid: $message"
  else
    echo "REFUSED seed $1 $2: $message"
  fi
}

# check SEED LEVEL FLAGS: compile and run one program
check() {
  how="$2${3:+ $3}"
  file=gradient
  case "$3" in *-DWIDE*) file=wide ;; esac
  # shellcheck disable=SC2086 # flags are words
  timeout 120 clang-22 --config="$FUZZ_CONFIG" -std=c11 -w ${FUZZ_DEFINES:-} -I"$here" "$2" $3 \
    p.c -o p -lm 2>p.err
  status=$?
  if [ "$status" -ne 0 ]; then
    classify "$1" "$how"
    return
  fi
  timeout 20 ./p "$file" >p.out 2>&1
  status=$?
  case "$(tail -n 1 p.out)" in
  ok*) tail -n 1 p.out ;;
  MISMATCH*) fail "$1" "$how" "$(tail -n 1 p.out | cut -d ' ' -f 2-)" ;;
  *) fail "$1" "$how" "ended with status $status $(tail -n 1 p.out | cut -c 1-200)" ;;
  esac
}

# one SEED: all levels and flags of one program, in a directory of its own
one() {
  mkdir "$FUZZ_WORK/$1" && cd "$FUZZ_WORK/$1" || exit 2
  "$FUZZ_GENERATE" "$1" >p.c || exit 2
  {
    for level in $FUZZ_LEVELS; do
      check "$1" "$level" ""
    done
    # shellcheck disable=SC2086 # levels are words
    set -- "$1" $FUZZ_LEVELS
    seed=$1
    shift $((1 + seed % ($# - 1)))
    echo "${FUZZ_FLAGS:-}" | tr ';' '\n' | while read -r flags; do
      [ -z "$flags" ] || check "$seed" "$1" "$flags"
    done
  } >"$FUZZ_WORK/$1.log"
  grep MISMATCH "$FUZZ_WORK/$seed.log"
  rm -rf "${FUZZ_WORK:?}/$seed"
}

# summary: count what is in the logs
summary() {
  cat "$FUZZ_WORK"/*.log >"$FUZZ_WORK/all"
  awk '$1 == "REFUSED" { seed = $3; sub(/^[^:]*: /, ""); runs[$0]++; example[$0] = seed }
    END { for (m in runs) printf "refused %d runs, such as seed %s: %s\n", runs[m], example[m], m }
    ' "$FUZZ_WORK/all" | sort -k 2nr
  awk -v programs="$1" '
    $1 == "MISMATCH" { wrong[$3] }
    $1 == "REFUSED" { refused[$3] }
    $1 == "ok" { runs++; split($2, c, "="); split($3, s, "="); split($4, z, "=")
                 checked += c[2]; skipped += s[2]; nonzero += z[2] }
    END {
      printf "%d runs, %d components checked, %d not zero\n", runs, checked, nonzero
      printf "%d programs, %d mismatches, %d skipped, %d refused\n", programs, length(wrong),
             skipped, length(refused)
      exit length(wrong) > 0
    }' "$FUZZ_WORK/all"
}

if [ $# -eq 2 ] && [ "$1" = --one ]; then
  one "$2"
  exit 0
fi
if [ $# -lt 3 ] || [ ! -f "$1" ]; then
  echo "usage: fuzz.sh CONFIG FIRST COUNT [LEVEL...]" >&2
  exit 2
fi
FUZZ_CONFIG=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
first=$2 count=$3
shift 3
FUZZ_LEVELS=${*:--O0 -O1 -O2 -O3}
FUZZ_WORK=$(mktemp -d) || exit 2
trap 'rm -rf "$FUZZ_WORK"' EXIT
if [ -z "${FUZZ_GENERATE:-}" ]; then
  FUZZ_GENERATE=$FUZZ_WORK/generate
  ${CC:-cc} -std=c11 -O1 "$here"/generate.c "$here"/gen_*.c -o "$FUZZ_GENERATE" || exit 2
fi
export FUZZ_CONFIG FUZZ_LEVELS FUZZ_WORK FUZZ_GENERATE
seq "$first" $((first + count - 1)) | xargs -P "${FUZZ_JOBS:-2}" -n 1 sh "$0" --one
summary "$count"
