#!/bin/sh
# Makes partner_assessment/gen of the OpenAPI document.
set -eu
cd "$(dirname "$0")"
openapi-python-client generate --path ../../src/gen/openapi.json --config generator.yaml --meta none \
  --output-path partner_assessment/gen --overwrite
