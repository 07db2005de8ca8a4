#!/bin/sh
# Runs once, when PostgreSQL finds its volume empty: one role for each owner of data, none of them a superuser.
set -eu

: "${MARKETPLACE_DB_PASSWORD:?}" "${TEMPORAL_DB_PASSWORD:?}"

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set marketplace_password="$MARKETPLACE_DB_PASSWORD" --set temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role marketplace login password :'marketplace_password';
create database marketplace owner marketplace;
revoke connect on database marketplace from public;

-- temporal-sql-tool makes the two databases of the Temporal server itself.
create role temporal login createdb password :'temporal_password';
SQL
