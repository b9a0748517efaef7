--- Results as they are kept, and as they are shown with the id by which they are: whole with a line behind them, or cut.

local json   = require "sys.json"
local policy = require "sys.policy"

local M = {}

local NOTE = 160   -- bytes that the note about what was cut needs, with some to spare

local WHOLE = { content = true, structuredContent = true, isError = true, _meta = true, members = true }

--- True if a result is one that call:result() made.
local function is_whole(result)
  if type(result.content) ~= "table" and result.structuredContent == nil then return false end
  for key in pairs(result) do
    if not WHOLE[key] then return false end
  end
  return true
end


local function text_of(content)
  local texts = {}
  for _, block in ipairs(content or {}) do
    if type(block) == "table" and type(block.text) == "string" then texts[#texts + 1] = block.text end
  end
  return texts[1] and table.concat(texts, "\n") or nil
end


--- Returns how a call ended, from what its function returned.
---@param first any
---@param second any
---@param code any
---@return sessions.Outcome
function M.outcome(first, second, code)
  if first == nil and second ~= nil then
    return { error = tostring(second), text = tostring(second), code = type(code) == "string" and code or nil }
  end
  if type(first) ~= "table" then return { text = first ~= nil and tostring(first) or "" } end
  if not is_whole(first) then return { structured = first } end
  local text = text_of(first.content)
  return { structured = first.structuredContent, text = text, content = first.content,
    error = first.isError and (text or "it failed") or nil }
end


local function definition_of(subject)
  local definition = json.decode(policy.definition("tool", subject.name) or "{}")
  return type(definition) == "table" and definition or {}
end


--- True if a tool promises the form of its structured result, so that it is sent however long it is.
local function promises(subject) return definition_of(subject).outputSchema ~= nil end


--- True if a tool gives its results in parts, which the note about a cut one says (src/registry/call/text.c).
---@param subject sys.policy.Subject
---@return boolean
function M.has_parts(subject)
  local schema = definition_of(subject).inputSchema
  local properties = type(schema) == "table" and type(schema.properties) == "table" and schema.properties or {}
  return properties.offset ~= nil or properties.page_size ~= nil
end


--- The blocks with no more text than `most` bytes, and the bytes that are left out.
local function cut_blocks(call, content, most)
  local list, left, lost = {}, most, 0
  for i, block in ipairs(content) do
    local text = type(block) == "table" and block.text
    if type(text) == "string" and #text > left then
      local kept = text:sub(1, left > 0 and utf8.offset(text, 0, left + 1) - 1 or 0)
      lost = lost + #text - #kept
      left = 0
      list[#list + 1] = kept ~= "" and call:text(kept) or nil
    else
      left = left - (type(text) == "string" and #text or 0)
      list[#list + 1] = content[i]
    end
  end
  return list, lost
end


--- The parts of a result: a copy, its structured content, its blocks, and the bytes of their texts.
---@return table result
---@return any structured
---@return table[] content
---@return integer total
local function parts_of(call, first)
  local result, structured, total = {}, nil, 0
  if type(first) == "table" and is_whole(first) then
    for key, value in pairs(first) do result[key] = value end
    structured = first.structuredContent
  elseif type(first) == "table" then
    structured = first
  end
  local content = result.content or { call:text(type(first) == "string" and first or json.encode(structured) or "") }
  for _, block in ipairs(content) do
    total = total + (type(block) == "table" and type(block.text) == "string" and #block.text or 0)
  end
  return result, structured, content, total
end


--- True if the client gets less than the whole text of a result.
---@param call Call
---@param first any  what the tool's function returned
---@param cap integer
---@return boolean is_cut
---@return integer bytes  that are needed to keep it
function M.is_cut(call, first, cap)
  local result, structured, _, total = parts_of(call, first)
  local twice = structured ~= nil and result.content ~= nil   -- and its texts once more with their blocks
  return total > cap, twice and total * 3 or #(result.content or {}) > 1 and total * 2 or total
end


--- The result with its id: a line behind its text, or a note where the text is cut because the client gets no more.
---@param call Call
---@param subject sys.policy.Subject
---@param id string
---@param quiet? boolean  a result that is not cut stays as it is
---@param first any       what the tool's function returned
---@param ... any
function M.told(call, subject, id, quiet, first, ...)
  if type(first) ~= "string" and type(first) ~= "table" then return first, ... end
  local result, structured, content, total = parts_of(call, first)
  local _, cap = policy.sent(call)
  local line = ("[kept as %s]"):format(id)
  local blocks, lost = content, 0
  if cap and cap > 0 and total + (quiet and 0 or #line) > cap then
    blocks, lost = cut_blocks(call, content, math.max(0, cap - NOTE))
  end
  if lost == 0 then
    if quiet then return first, ... end
    if type(first) == "string" then return ("%s\n%s"):format(first, line), ... end
  else
    line = ("[truncated: %d more bytes of %d; the whole is kept as %s: @@ref_%s%s]"):format(lost, total, id, id,
      structured == nil and "__text" or "")
    if structured ~= nil and structured == first and not promises(subject) then structured = nil end
  end
  blocks = table.move(blocks, 1, #blocks, 1, {})
  blocks[#blocks + 1] = call:text(line)
  result.content, result.structuredContent = blocks, structured
  return call:result(result), ...
end


return M
