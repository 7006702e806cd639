#!/usr/bin/env bash
# Runs every scene of the gallery and draws its pictures: `scenes/gallery.sh`, or with the names of some scenes.
# `scenes/gallery.sh --draw NAME...` draws from the records in out/ without running anything.
set -euo pipefail
cd "$(dirname "$0")/.."

# One line a picture: scene, with what is replaced in it behind a colon, picture, what `hebra render` is given (beside
# --size 800x450 if it names no size).
pictures='
drape       drape       --frame -1 --size 960x540
drape       drape_close --frame -1 --zoom 3.2 --size 560x315
flag        flag        --frame 18
flag        flag_moves  --contact-sheet 9
hanging     hanging     --frame -1
flapping    flapping    --frame 20
yarn_hanging yarn_hanging --frame -1 --colour stretch --size 360x270
yarn_flapping yarn_flapping --contact-sheet 6 --size 780x390
bias        bias        --frame -1
bias        bias_shear  --frame -1 --colour bending --size 640x360
fold        fold        --frame 10
crimp       crimp       --frame -1 --zoom 1.6 --size 640x360
crimp       crimp_edge  --contact-sheet 4 --view front --zoom 3 --size 900x506
crossing    crossing    --contact-sheet 4 --colour kind --overlay nodes
joining     joining     --contact-sheet 4 --colour kind --overlay nodes
round_table round_table --frame -1
incline     incline     --contact-sheet 4
tablecloths tablecloths --frame -1
tablecloths tablecloths_close --frame -1 --colour kind --overlay nodes --zoom 1.5 --size 560x315
tablecloths_aligned tablecloths_aligned --frame -1 --zoom 1.5 --size 560x315
tablecloths_angled tablecloths_angled --frame -1 --zoom 1.5 --size 560x315
pocket      pocket      --frame -1 --size 520x390
tag_stretched tag_stretched --frame -1 --size 560x420
tag_pulled  tag_pulled  --frame -1 --size 560x420
tag_sheared tag_sheared --frame -1 --size 560x420
tag_buckled tag_buckled --frame -1 --view iso --size 560x420
stvk_hanging stvk_hanging --frame -1 --colour stretch --size 360x270
snag        snag        --frame -1
knit_on_sphere_1 knit_on_sphere_1_start --frame 0 --size 360x270 --zoom 0.75
knit_on_sphere_1 knit_on_sphere_1 --frame -1 --size 560x420
knit_on_sphere_1 knit_on_sphere_1_back --frame -1 --size 360x270 --view bottom
knit_on_sphere_2 knit_on_sphere_2_start --frame 0 --size 360x270 --zoom 0.75
knit_on_sphere_2 knit_on_sphere_2 --frame -1 --size 560x420
knit_on_sphere_2 knit_on_sphere_2_back --frame -1 --size 360x270 --view bottom
knit_on_table knit_on_table_start --frame 0 --size 360x270 --zoom 0.75
knit_on_table knit_on_table --frame -1 --size 560x420
knit_on_table knit_on_table_back --frame -1 --size 360x270 --view bottom
knit_stretch knit_stretch_start --frame 0 --size 640x360 --view top
knit_stretch knit_stretch  --frame -1 --size 640x360 --view top
knit_stretch knit_stretch_back --frame -1 --size 640x360 --view bottom
unravel     unravel     --frame -1 --size 640x360
unravel     unravel_moves --contact-sheet 6 --zoom 2 --at=0.003,0.002,0 --size 900x506
snag        snag_slide  --frame -1 --colour slide
cantilever  cantilever  --frame -1 --overlay clamps,forces
eyelet      eyelet      --frame -1
yarn_swing  yarn_swing  --frame 12
garment_stvk garment_stvk --contact-sheet 9 --size 960x720
garment_yarn garment_yarn --contact-sheet 6 --size 900x450
'

# Knits: as they start, at rest and from behind; those that roll up from the edge, those with floats loose and tight too.
rolled='jersey rib'
plain='garter moss'
floats='slip_stitch_1 slip_stitch_2 slip_stitch_3 jacquard'
for knit in $rolled $plain $floats; do
    pictures+="$knit ${knit}_start --frame 0 --size 360x270 --view top
$knit $knit --frame -1 --size 360x270 --view top
$knit ${knit}_back --frame -1 --size 360x270 --view bottom
"
done
for knit in $rolled; do
    pictures+="$knit ${knit}_edge --frame -1 --size 360x270 --view iso
"
done
for knit in $floats; do
    pictures+="$knit:knits[0].tightness=0 ${knit}_loose --frame -1 --size 360x270 --view top
$knit:knits[0].tightness=1 ${knit}_tight --frame -1 --size 360x270 --view top
"
done

# Scenes that are brought to rest instead of run.
to_rest=" $rolled $plain $floats knit_stretch "

runs=yes
if [ "${1-}" = --draw ]; then runs=no; shift; fi
wanted=" $* "
cargo build --release
done=' '
while read -r run picture options; do
    [ -n "$run" ] || continue
    scene=${run%%:*}
    record="out/${run//[:\[\].=]/_}"
    replaced=()
    [ "$run" = "$scene" ] || replaced=(--set "${run#*:}")
    [ "$wanted" = '  ' ] || [[ $wanted == *" $scene "* ]] || continue
    if [ $runs = yes ] && [[ $done != *" $run "* ]]; then
        command=run
        [[ $to_rest != *" $scene "* ]] || command=relax
        target/release/hebra $command "scenes/$scene.ron" "${replaced[@]}" --out "$record" --force --quiet
        printf '%-12s %s\n' "$run" "$(grep -E '"(steps|seconds)":' "$record/summary.json" | tr -d '\n')"
        done="$done$run "
    fi
    rm -rf "$record/gallery"
    [[ $options == *--size* ]] || options="$options --size 800x450"
    # shellcheck disable=SC2086
    target/release/hebra render "$record" --out "$record/gallery" --quiet $options
    mv "$record/gallery/"*.png "scenes/gallery/$picture.png"
done <<< "$pictures"
