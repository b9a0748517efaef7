--- Stand-in for sys.files: the tables of files, by the stand-in of sys.engine.
local engine = require "standin.sys.engine"

local files = {}

function files.table(kind, name)
  local value = engine.file(kind, name)
  if value then return value end
  return nil, "no such file", "not_found"
end

return files
