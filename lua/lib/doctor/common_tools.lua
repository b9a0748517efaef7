--- Checks which common tools the user chose (docs/common-tools.md).

local engine  = require "sys.engine"
local nearest = require "nearest"

local M = {}


--- The applications that common tools are for, by the tools that are there.
local function known()
  local ids, seen = {}, {}
  for _, tool in ipairs(engine.tools()) do
    if tool.common and not seen[tool.common] then ids[#ids + 1], seen[tool.common] = tool.common, true end
  end
  table.sort(ids)
  return ids
end


---@return doctor.Finding
function M.look()
  local choice = engine.status().common_tools
  if not choice then return { status = "ok", text = 'none is listed; "generateCommonTools" in mcp.json lists them' } end
  if choice.problem then
    return { status = "warning", text = ("%s: %s"):format(choice.file, choice.problem), facts = choice,
      next = 'Write it like {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}.' }
  end
  local unknown = choice.unknown or {}
  if #unknown > 0 then
    local ids = known()
    local near = nearest.names(unknown[1], ids)[1]
    return { status = "warning", facts = choice,
      text = ("%s: no common tool is for %s"):format(choice.file, table.concat(unknown, ", ")),
      next = near and ('Write "%s" in includeApps.'):format(near)
        or ("includeApps may have %s."):format(table.concat(ids, ", ")) }
  end
  if not choice.on then return { status = "ok", text = '"generateCommonTools" is false: none is listed', facts = choice } end
  return { status = "ok", facts = choice,
    text = "listed for " .. (choice.apps and table.concat(choice.apps, ", ") or "all applications") }
end


return M
