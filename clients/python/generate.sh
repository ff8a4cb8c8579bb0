#!/bin/sh
# Makes partner_assessment/gen of the OpenAPI document of a service that runs.
set -eu
cd "$(dirname "$0")"
openapi-python-client generate --url "${PAS_URL:-http://127.0.0.1:8080}/openapi.json" --config generator.yaml --meta none \
  --output-path partner_assessment/gen --overwrite
