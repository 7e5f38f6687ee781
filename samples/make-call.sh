#!/usr/bin/env bash
# Makes call.mp3 from call.txt: two synthetic voices (flite: slt, rms), telephone band, a little line noise.
set -euo pipefail
cd "$(dirname "$0")"
for program in flite sox ffmpeg; do
  command -v "$program" >/dev/null || { echo "missing: $program (apt-get install flite sox ffmpeg)" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

turn=0
turns=()
while IFS=: read -r speaker text; do
  case $speaker in
    agent) voice=slt ;;
    caller) voice=rms ;;
    *) echo "call.txt: unknown speaker \"$speaker\"" >&2; exit 1 ;;
  esac
  turn=$((turn + 1))
  file=$work/turn-$(printf '%02d' "$turn").wav
  flite -voice "$voice" -t "$text" -o "$work/raw.wav"
  # Half a second between turns, about as people leave it on the telephone.
  sox "$work/raw.wav" -r 8000 -c 1 "$file" highpass 300 lowpass 3400 norm -6 pad 0 0.5
  turns+=("$file")
done < call.txt

sox "${turns[@]}" "$work/call.wav"
seconds=$(soxi -D "$work/call.wav")
# Line noise at about -60 dB (-R: the same noise every time), then the file that a caller uploads.
sox -R -n -r 8000 -c 1 "$work/noise.wav" synth "$seconds" pinknoise vol 0.002
sox -m "$work/call.wav" "$work/noise.wav" "$work/noisy.wav"
ffmpeg -nostdin -loglevel error -y -i "$work/noisy.wav" -bitexact -map_metadata -1 -b:a 24k call.mp3
