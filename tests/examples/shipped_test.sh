#!/bin/sh
# The examples that the shipped tools, prompts, rules and providers carry.
cd "$(dirname "$0")/../.." || exit 2
exec "${PERIGEE:-build/perigee}" test --tap --no-user-root
