#!/usr/bin/env bash
# Runs every scene of the gallery and draws its picture: `scenes/gallery.sh`, or with the names of some scenes.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(drape flag hanging flapping bias snag cantilever eyelet yarn_swing)
declare -A frame=([flag]=18 [hanging]=-1 [flapping]=20 [eyelet]=-1 [yarn_swing]=12)
for name in "${names[@]}"; do
    target/release/hebra run "scenes/$name.ron" --out "out/$name" --force --quiet
    target/release/hebra render "out/$name" --frame "${frame[$name]:--1}" --size 800x450 --out "out/$name/gallery" --quiet
    mv "out/$name/gallery/"frame_*.png "scenes/gallery/$name.png"
    printf '%-12s %s\n' "$name" "$(grep -E '"(steps|seconds)":' "out/$name/summary.json" | tr -d '\n')"
done
