--- sys.fs, the part that is Lua: what changes in folders.

local files = require "events.files"

return { watch = files.watch }
