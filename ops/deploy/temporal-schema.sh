#!/bin/sh
# Creates the Temporal server's two databases where they are missing and brings their schemas to the version of this
# image. Safe to run again: every upgrade of the server image runs it first.
set -eu

: "${SQL_HOST:?}" "${SQL_PORT:?}" "${SQL_USER:?}" "${SQL_PASSWORD:?}"

tool() {
  temporal-sql-tool --plugin postgres12_pgx "$@"
}

for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  schema=${pair##*:}
  echo "Database $database, schema postgresql/v12/$schema"
  tool --db "$database" create --defaultdb postgres
  tool --db "$database" setup-schema --version 0.0
  tool --db "$database" update-schema --schema-name "postgresql/v12/$schema"
done
echo 'The schemas of Temporal are up to date.'
