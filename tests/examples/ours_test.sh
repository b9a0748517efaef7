#!/bin/sh
# The example tool's examples, and that every example script compiles and says what it needs.
cd "$(dirname "$0")/../.." || exit 2
exec "${PERIGEE:-build/perigee}" test --tap --no-user-root --root examples/root dice
