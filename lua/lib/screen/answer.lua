--- Results of the screen tools: their facts are in structuredContent and, as Peekaboo's clients expect, beside content.

local status = require "screen.status"

local M = {}


---@param call Call
---@param texts string[]
---@param blocks table[]   of images
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


--- What run() returns for a failure.
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


return M
