#!/bin/sh
# validate.sh GENERATE FIRST COUNT: are generated programs valid? Each is run without derivatives:
# with clang's address, undefined-behaviour and memory sanitizers, and with gcc at two levels;
# nothing may be reported, and all results must be the same bits. Prints the seeds that fail.
set -u
if [ $# -ne 3 ]; then
  echo "usage: validate.sh GENERATE FIRST COUNT" >&2
  exit 2
fi
generate=$1 first=$2 count=$3
here=$(dirname "$0")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
flags="-std=c11 -w -DPLAIN -fno-builtin -ffp-contract=off -I$here"

# try NAME COMPILER...: compile and run the program, results to NAME.txt
try() {
  name=$1
  shift
  "$@" $flags "$work/p.c" -o "$work/$name" -lm 2>"$work/$name.err" &&
    ASAN_OPTIONS=detect_leaks=0 timeout 60 "$work/$name" >"$work/$name.txt" 2>>"$work/$name.err" &&
    [ ! -s "$work/$name.err" ]
}

failures=0
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
  why=
  "$generate" "$seed" >"$work/p.c" || why=generate
  try gcc0 gcc -O0 || why="$why gcc-O0"
  try gcc2 gcc -O2 || why="$why gcc-O2"
  try sanitized clang-22 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined ||
    why="$why sanitizers"
  try initialised clang-22 -O0 -g -fsanitize=memory || why="$why memory"
  cmp -s "$work/gcc0.txt" "$work/gcc2.txt" || why="$why differs-O0-O2"
  cmp -s "$work/gcc0.txt" "$work/sanitized.txt" || why="$why differs-gcc-clang"
  if [ -n "$why" ]; then
    failures=$((failures + 1))
    echo "seed $seed:$why"
  fi
  seed=$((seed + 1))
done
echo "$count programs, $failures invalid"
[ "$failures" -eq 0 ]
