--- The applications that a script names, and whether it may reach others.
--
-- A script reaches an application only by naming it: application "X", application id "x.y", or a variable that was made so. These
-- are found wherever they stand, not only after `tell`. A name that is computed, and commands that run other code (`do shell
-- script`, `run script`, ...), may reach any application: then it cannot be told which.

local encoding = require "applescript.encoding"
local lexer    = require "applescript.lexer"
local set_of   = require("word_set").of

local M = {}

---@class applescript.Target
---@field name string      as it is written: a name, a path or a bundle ID
---@field by_id boolean
---@field line integer
---@field column integer

---@class applescript.Targets
---@field list applescript.Target[]  in the order of the text
---@field unknown? {what: string, line: integer, column: integer}  the first place from which other applications may be reached


-- Reserved words, which go on after `application`. Any other word may be a variable with a name.
local GOES_ON = set_of "to of in is as and or equals contains whose where with without then does not from at by else on"

-- Words that make a term with `application`, and where they do: elsewhere each may be a variable. In the terms of an application
-- only if the script names that one.
local TERMS = {
  support = { after = "to" }, responses = { after = "ignoring considering and but" },
  process = { of = { ["system events"] = true, ["com.apple.systemevents"] = true } },
  file = { of = { finder = true, ["com.apple.finder"] = true } },
}
TERMS.processes, TERMS.files = TERMS.process, TERMS.file

-- Commands that run other code, open what may be a command, or give an application that the script does not name.
local COMMANDS = { { "do", "shell", "script" }, { "do", "script" }, { "run", "script" }, { "load", "script" },
  { "open", "location" }, { "choose", "application" }, { "choose", "remote", "application" }, { "choose", "url" },
  { "use", "framework" }, { "use", "script" } }

-- The same by their codes, and the class of applications: «event sysoexec» is `do shell script`.
local CODES = { "sysoexec", "sysodsct", "sysoload", "syschap", "capp", "cmnd", "dosc" }


local function word(line, i) return line.kinds[i] == "word" and line.texts[i] or nil end


local function has_words(line, i, words)
  for k, each in ipairs(words) do
    if word(line, i + k - 1) ~= each then return false end
  end
  return true
end


--- The command at a token that may reach any application.
---@return string?
local function command_at(line, i)
  for _, words in ipairs(COMMANDS) do
    if has_words(line, i, words) then return table.concat(words, " ") end
  end
end


local function code_in(line, i)
  local text = line.kinds[i] == "data" and line.texts[i]:lower()
  for _, code in ipairs(text and CODES or {}) do
    if text:find(code, 1, true) then return "«" .. line.texts[i] .. "»" end
  end
end


--- The name after `application` at a token.
---@return string? name
---@return boolean by_id
---@return boolean computed  it is computed
local function name_after(line, i)
  local by_id = word(line, i + 1) == "id"
  local at = by_id and i + 2 or i + 1
  local kind, text = line.kinds[at], line.texts[at]
  if kind == "string" then return text:gsub("\\(.)", "%1") .. "", by_id, false end
  if by_id then return nil, true, true end
  if word(line, i - 1) == "current" then return nil, false, kind == "sign" and (text == "'" or text == "’") end
  if kind == nil then return nil, false, false end
  if kind == "word" then return nil, false, not GOES_ON[text] end
  return nil, false, kind ~= "sign" or text == "(" or text == "«"
end


local Reader = {}
Reader.__index = Reader

function Reader:doubt(at, what)
  if self.unknown then return end
  local line, column = self.place(at)
  self.unknown = { what = what, line = line, column = column }
end


--- True if `application` and the word after it are a term.
function Reader:is_term(line, i)
  local term = TERMS[word(line, i + 1) or ""]
  if not term then return false end
  if term.after then return (" " .. term.after .. " "):find(" " .. (word(line, i - 1) or "?") .. " ", 1, true) ~= nil end
  for _, target in ipairs(self.list) do
    if term.of[target.name:lower()] then return true end
  end
  return false
end


function Reader:application(line, i)
  if self:is_term(line, i) then return end
  if has_words(line, i - 3, { "using", "terms", "from" }) then return end   -- only terms: nothing is sent there
  local name, by_id, computed = name_after(line, i)
  if computed then return self:doubt(line.ats[i], "an application whose name is computed") end
  if not name then return end
  local remote = word(line, i + (by_id and 3 or 2)) == "of" and word(line, i + (by_id and 4 or 3)) == "machine"
  if remote then return self:doubt(line.ats[i], "an application of another machine") end
  local row, column = self.place(line.ats[i])
  self.list[#self.list + 1] = { name = name, by_id = by_id, line = row, column = column }
end


function Reader:line(line)
  for i = 1, line.n do
    local text = word(line, i)
    local doubtful = text and command_at(line, i) or code_in(line, i)
    if doubtful then self:doubt(line.ats[i], doubtful) end
    if text == "application" or text == "app" then self:application(line, i) end
  end
end


---@param bytes string  a script's text in any encoding of AppleScript files
---@return applescript.Targets
function M.of(bytes)
  local text, why = encoding.read(bytes)
  if not text then return { list = {}, unknown = { what = "text that cannot be read: " .. why, line = 1, column = 1 } } end
  local reader = setmetatable({ list = {}, place = lexer.places(text) }, Reader)
  local function report(at, code)
    if code ~= "unbalanced" then reader:doubt(at, "text that cannot be read") end
  end
  for line in lexer.lines(text, report) do reader:line(line) end
  return { list = reader.list, unknown = reader.unknown }
end


return M
