#!/bin/sh
# Makes the secrets of deploy/compose.yaml once; those that are there stay.
set -eu
folder="$(dirname "$0")/secrets"
umask 077
mkdir -p "$folder"
make() {
  [ -e "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
}
make postgres-password "$(openssl rand -hex 24)"
owner="$(cat "$folder/postgres-password")"
make database-owner-url "postgres://postgres:$owner@postgres:5432/svc"
make database-url "postgres://svc_service:$(openssl rand -hex 24)@postgres:5432/svc"
make s3-access-key-id "svc$(openssl rand -hex 8)"
make s3-secret-access-key "$(openssl rand -hex 24)"
make grafana-password "$(openssl rand -hex 12)"
make secrets-key "$(openssl rand -base64 32)"
# Containers read them as a user of their own; the folder keeps everybody else of this machine out.
chmod 700 "$folder"
chmod 644 "$folder"/*
