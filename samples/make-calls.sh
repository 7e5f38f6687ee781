#!/usr/bin/env bash
# Makes the sample calls from call.txt: two synthetic voices (flite: slt, rms) on a telephone line.
#   call.mp3     as it was spoken, with a little line noise
#   hold.mp3     the caller waits for twelve seconds of music
#   noisy.mp3    beside a street
#   overlap.mp3  the two interrupt each other
#   stereo.ogg   the agent on the left channel, the caller on the right
set -euo pipefail
cd "$(dirname "$0")"
for program in flite sox ffmpeg; do
  command -v "$program" >/dev/null || { echo "missing: $program (apt-get install flite sox ffmpeg)" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

turns=()
speakers=()
while IFS=: read -r speaker text; do
  case $speaker in
    agent) voice=slt ;;
    caller) voice=rms ;;
    *) echo "call.txt: unknown speaker \"$speaker\"" >&2; exit 1 ;;
  esac
  file=$work/turn-$(printf '%02d' $((${#turns[@]} + 1))).wav
  flite -voice "$voice" -t "$text" -o "$work/raw.wav"
  # Half a second between turns, about as people leave it on the telephone.
  sox "$work/raw.wav" -r 8000 -c 1 "$file" highpass 300 lowpass 3400 norm -6 pad 0 0.5
  turns+=("$file")
  speakers+=("$speaker")
done < call.txt

# The file that a caller uploads: encode NAME INPUT OPTIONS…
encode() {
  ffmpeg -nostdin -loglevel error -y -i "$2" -bitexact -map_metadata -1 "${@:3}" "$1"
}

# Noise of the whole length of a recording (-R: the same noise every time): with_noise INPUT COLOUR VOLUME OUTPUT
with_noise() {
  sox -R -n -r 8000 -c 1 "$work/noise.wav" synth "$(soxi -D "$1")" "$2" vol "$3"
  sox -m "$1" "$work/noise.wav" "$4"
}

sox "${turns[@]}" "$work/call.wav"
# Line noise at about -60 dB.
with_noise "$work/call.wav" pinknoise 0.002 "$work/quiet.wav"
encode call.mp3 "$work/quiet.wav" -b:a 24k

with_noise "$work/call.wav" brownnoise 0.25 "$work/street.wav"
encode noisy.mp3 "$work/street.wav" -b:a 24k

# Chords that change every three seconds.
sox -n -r 8000 -c 1 "$work/hold.wav" synth 3 pluck C4 pluck E4 pluck G4 remix - norm -9 : \
  synth 3 pluck A3 pluck C4 pluck E4 remix - norm -9 : synth 3 pluck F3 pluck A3 pluck C4 remix - norm -9 : \
  synth 3 pluck G3 pluck B3 pluck D4 remix - norm -9 2> "$work/sox.log" || { cat "$work/sox.log" >&2; exit 1; }
sox "${turns[@]:0:4}" "$work/hold.wav" "${turns[@]:4:4}" "$work/waiting.wav"
with_noise "$work/waiting.wav" pinknoise 0.002 "$work/waiting-noisy.wav"
encode hold.mp3 "$work/waiting-noisy.wav" -b:a 24k

# Every turn begins while the one before it is still spoken; each channel has one speaker.
at=0
layers=()
left=()
right=()
for i in "${!turns[@]}"; do
  sox "${turns[$i]}" "$work/layer-$i.wav" pad "$at" 0
  layers+=("$work/layer-$i.wav")
  if [[ ${speakers[$i]} == agent ]]; then left+=("$work/layer-$i.wav"); else right+=("$work/layer-$i.wav"); fi
  at=$(awk -v at="$at" -v seconds="$(soxi -D "${turns[$i]}")" 'BEGIN { print at + seconds - 1.0 }')
done
sox -m -v 1 "${layers[0]}" $(printf -- '-v 1 %s ' "${layers[@]:1}") "$work/overlap.wav"
encode overlap.mp3 "$work/overlap.wav" -b:a 24k
sox -m -v 1 "${left[0]}" $(printf -- '-v 1 %s ' "${left[@]:1}") "$work/left.wav"
sox -m -v 1 "${right[0]}" $(printf -- '-v 1 %s ' "${right[@]:1}") "$work/right.wav"
sox -M "$work/left.wav" "$work/right.wav" "$work/stereo.wav"
encode stereo.ogg "$work/stereo.wav" -c:a libopus -b:a 32k
