--- Shows a tool's result (CallToolResult) to people, or saves it to a file.

local crypto  = require "sys.crypto"
local json    = require "sys.json"
local picture = require "sys.picture_file"
local text    = require "terminal.text"

local M = {}

local TOOL = 3  -- the exit status if a tool returned an error, or says that it did not reach its aim


--- Cleans text of others: a terminal shows its control characters, so that no tool can move the cursor or rename the window.
local function plain(words, io)
  return io.terminal and text.clean(words) or words
end


-- --- bytes -------------------------------------------------------------------------------

--- Returns the base64 text of a block, or of the resource in it, and its MIME type.
local function data_of(block)
  local resource = type(block.resource) == "table" and block.resource or block
  local data = type(block.data) == "string" and block.data or type(resource.blob) == "string" and resource.blob or nil
  return data, type(resource.mimeType) == "string" and resource.mimeType or "application/octet-stream"
end


--- Decodes base64. Not every server writes the padding, and some write line ends.
local function decoded(data)
  local digits = data:gsub("%s", ""):gsub("=+$", "")
  return crypto.unbase64(digits .. ("="):rep(-#digits % 4))
end


-- --- blocks --------------------------------------------------------------------------------

local function write_line(words, io)
  words = plain(words, io)
  io:write(words:sub(-1) == "\n" and words or words .. "\n")
end


--- The text of a block, or of the resource in it; nil if it has none.
local function text_of(block)
  local words = block.text or type(block.resource) == "table" and block.resource.text
  return type(words) == "string" and words or nil
end


local function write_block(block, io)
  local data, mime = data_of(block)
  if data then
    local size = #data:gsub("=+$", "") * 3 // 4
    write_line(("[%s: %s, %d bytes; --output FILE saves it]"):format(block.type or "?", mime, size), io)
  elseif text_of(block) then
    write_line(text_of(block), io)
  else
    local resource = type(block.resource) == "table" and block.resource or {}
    write_line(("[%s: %s]"):format(block.type or "?", resource.uri or block.uri or "?"), io)
  end
end


--- True if the only block is the text of the structured result, which can then be shown indented.
local function mirrors_structure(result)
  local content = result.content or {}
  return result.structuredContent ~= nil and #content == 1 and content[1].text == json.encode(result.structuredContent)
end


--- True if there is a structured result, and no text. A server should put its text into a block, and may leave that out, or
--- empty, or send only an image beside it.
local function is_structure_untold(result)
  if result.structuredContent == nil then return false end
  for _, block in ipairs(result.content or {}) do
    if (text_of(block) or "") ~= "" then return false end
  end
  return true
end


--- Writes each block on lines of its own, and the structured result if none of them is text. On a terminal that is indented.
---@param result {content?: table[], structuredContent?: any}
---@param io perigee.IO
function M.render(result, io)
  local untold = is_structure_untold(result)
  local told_once = io.terminal and mirrors_structure(result)
  for _, block in ipairs(told_once and {} or result.content or {}) do
    if not (untold and text_of(block)) then write_block(block, io) end
  end
  if untold or told_once then write_line(json.encode(result.structuredContent, { pretty = io.terminal }), io) end
end


--- True if a block of this type may replace the file at the path: an image replaces only an image.
local function may_replace(path, mime)
  if path == "-" or mime ~= "image/png" and mime ~= "image/jpeg" then return true end
  local seen, err, code = picture.look(path)
  if not seen then return nil, err, code end
  if seen.kind ~= "other" then return true end
  return nil, ("%s exists and is not an image. Choose another file"):format(path), "exists"
end


--- Saves the first image, sound or file.
---@param result {content?: table[]}
---@param path string  "-" is stdout
---@param io perigee.IO
---@return true? ok
---@return string? err
---@return string? code
function M.save(result, path, io)
  for _, block in ipairs(result.content or {}) do
    local data, mime = data_of(block)
    if data then
      local bytes, err, code = decoded(data)
      if not bytes then return nil, err, code end
      local ok
      ok, err, code = may_replace(path, mime)
      if ok then ok, err, code = io:save(path, bytes) end
      if ok and path ~= "-" and io.stderr_terminal then io:error(("saved %s (%s, %d bytes)"):format(path, mime, #bytes)) end
      return ok, err, code
    end
  end
  return nil, "the result holds no image, sound or file; --output has nothing to save"
end


--- Prints a tool's result as --json and --output require.
---@param result table      with `text`, which a server does not send
---@param args {json?: boolean, output?: string}
---@param io perigee.IO
---@return integer? status
---@return string? err
---@return string? code
function M.show(result, args, io)
  local said = result.text
  result.text = nil
  if args.json then io:json(result) end
  if result.isError then
    if is_structure_untold(result) then said = json.encode(result.structuredContent) end
    io:error(said ~= "" and said or "the tool failed and gave no reason")
    return TOOL
  end
  if args.output then return M.save(result, args.output, io) end
  if not args.json then M.render(result, io) end
  local structured = result.structuredContent
  return type(structured) == "table" and structured.done == false and TOOL or 0
end


return M
