--- Results and failures of the tools that run scripts, in one form.

local M = {}


--- A failure as the tools return it, its code in capitals.
---@param err string
---@param code? string
---@param meta? table
function M.failure(err, code, meta) return nil, err, (code or "failed"):upper(), meta end


--- Milliseconds of a number of seconds.
---@param seconds number
---@return integer
function M.milliseconds(seconds) return math.floor(seconds * 1000 + 0.5) end


--- Text without the half character at its end, where it was cut.
---@param text string
---@return string
function M.whole(text)
  local tail = text:match "[\xC0-\xF7][\x80-\xBF]*$"
  return tail and not utf8.len(tail) and text:sub(1, -#tail - 1) or text
end


--- A result with a text, and the same as a structure. With a code it is a failure that keeps both.
---@param call Call
---@param parts string[]  the parts of the text, those that are "" are left out
---@param structure table
---@param code? string
---@return table
function M.of(call, parts, structure, code)
  local shown = {}
  for _, part in ipairs(parts) do
    if part ~= "" then shown[#shown + 1] = (part:gsub("\n$", "")) end
  end
  return call:result { content = { { type = "text", text = table.concat(shown, "\n") } }, structuredContent = structure,
    isError = code and true or nil, _meta = code and { ["perigee/code"] = code } or nil }
end


return M
