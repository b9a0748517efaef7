#!/bin/sh
# The examples of the tools and of the services in examples/.
cd "$(dirname "$0")/../.." || exit 2
exec "${PERIGEE:-build/perigee}" test --tap --no-user-root --root examples/root --root examples \
  dice save_notes clipboard_history display_layouts file_sorter meetings tiling
