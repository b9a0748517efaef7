--- The line that is typed into a terminal. Keys alone tell it, so it counts only if the terminal shows it: what it does not show
--- may be a password.

local M = {}

---@class recorder.TerminalLine
---@field private parts string[]
---@field private hidden boolean
local Line = {}
Line.__index = Line

---@return recorder.TerminalLine
function M.new() return setmetatable({ parts = {}, hidden = false }, Line) end


--- A character was typed.
---@param text string
---@param hidden boolean  a program reads a secret now
function Line:add(text, hidden)
  self.hidden = self.hidden or hidden
  self.parts[#self.parts + 1] = self.hidden and "" or text
  if self.hidden then
    for i = 1, #self.parts do self.parts[i] = "" end   -- what came before may be its beginning
  end
end


--- The last character was removed.
function Line:back() self.parts[#self.parts] = nil end


---@return boolean
function Line:is_empty() return #self.parts == 0 end


--- Ends the line.
---@param shown? string  what the terminal shows; nil: that is looked at later
---@return string? text  nil: it is not shown, so it counts as secret
function Line:take(shown)
  local text = table.concat(self.parts)
  local hidden = self.hidden or text == ""
  self.parts, self.hidden = {}, false
  if not shown then return not hidden and text or nil end
  local plain = shown:gsub("[\r\n]", "")
  return not hidden and plain:find((text:gsub("[\r\n]", "")), 1, true) and text or nil
end


return M
