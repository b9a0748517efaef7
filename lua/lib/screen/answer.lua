--- Results of the screen tools. Their facts are in structuredContent and, as Peekaboo's clients expect, beside content.

local log    = require "sys.log"
local status = require "screen.status"

local M = {}

--- Codes of failures that only the person who configured the server can correct.
local SETUP = { AI_NOT_CONFIGURED = true, PROVIDER_NOT_ENABLED = true, NO_PROVIDER = true, MODEL_NOT_FOUND = true,
  UNAUTHORIZED = true }


---@param call Call
---@param texts string[]
---@param blocks table[]   blocks of images
---@param facts table
---@param notes screen.Notes
---@return table result
function M.success(call, texts, blocks, facts, notes)
  local content = {}
  for _, text in ipairs(texts) do content[#content + 1] = { type = "text", text = text } end
  for _, text in ipairs(notes.messages) do content[#content + 1] = { type = "text", text = text } end
  for _, block in ipairs(blocks) do content[#content + 1] = block end
  status.add_once(content)
  notes:tell()
  return call:result { content = content, structuredContent = facts, members = facts }
end


--- The result of run() for a failure.
---@param err string
---@param code string
---@param details? string
---@param notes screen.Notes
---@return nil, string, string, table
function M.failure(err, code, details, notes)
  notes:tell()
  local more = details and not err:find(details, 1, true) and not details:find "\n" and (" (%s)"):format(details) or ""
  return nil, err .. more, code, { backend_error_code = code }
end


--- The codes of a tool, merged into one table.
---@param ... table<string, string>
---@return table<string, string>
function M.codes(...)
  local all = {}
  for _, some in ipairs { ... } do
    for code, meaning in pairs(some) do all[code] = meaning end
  end
  return all
end


--- A failure with a second text for the reason, if the first text is fixed. A failure that only the server's owner can correct
--- is also logged.
---@param call Call
---@param err string
---@param code string
---@param why? string
---@param notes screen.Notes
function M.refusal(call, err, code, why, notes)
  if SETUP[code] then log.error(why and ("%s %s"):format(err, (why:gsub("\n", " "))) or err) end
  if not why then return M.failure(err, code, nil, notes) end
  notes:tell()
  return call:result { isError = true, content = { { type = "text", text = err }, { type = "text", text = why } },
    _meta = { backend_error_code = code, ["perigee/code"] = code } }
end


return M
