--- Checks which common tools the user chose (docs/common-tools.md).

local choices = require "common.choice"
local engine  = require "sys.engine"
local nearest = require "nearest"

local M = {}


--- The applications that common tools are for, by the tools that are there; and a table of them in lower case.
local function known()
  local ids, is_known = {}, {}
  for _, tool in ipairs(engine.tools()) do
    local id = tool.common
    if id and not is_known[id:lower()] then ids[#ids + 1], is_known[id:lower()] = id, true end
  end
  table.sort(ids)
  return ids, is_known
end


---@return doctor.Finding
function M.look()
  local file = engine.status().config
  local choice = file and choices.read(file)
  if not choice or next(choice) == nil then
    return { status = "ok", text = 'none is listed; "generateCommonTools" in mcp.json lists them' }
  end
  choice.file, choice.on = file, choice.on or false
  if choice.problem then
    return { status = "warning", text = ("%s: %s"):format(choice.file, choice.problem), facts = choice,
      next = 'Write it like {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}.' }
  end
  local ids, is_known = known()
  local unknown = {}
  for _, id in ipairs(choice.apps or {}) do
    if not is_known[id:lower()] then unknown[#unknown + 1] = id end
  end
  if unknown[1] then
    choice.unknown = unknown
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
