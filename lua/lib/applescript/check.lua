--- Checks AppleScript without a Mac: its structure, and its use of applications' terms.
--
-- Neither proves that a script compiles, which only a Mac can. A script that the structure check refuses would not compile with
-- any dictionary. The findings of the dictionary check are warnings, because the application may be newer than the dictionary.

local blocks       = require "applescript.blocks"
local dictionaries = require "applescript.dictionaries"
local encoding     = require "applescript.encoding"
local lexer        = require "applescript.lexer"
local statements   = require "applescript.statements"
local terms        = require "applescript.terms"

local M = {}

M.MAX_BYTES = 2 * 1024 * 1024
local FINDINGS = 100

---@class applescript.Finding
---@field line integer      from 1
---@field column integer    in characters, from 1
---@field severity "error"|"warning"
---@field code string       "open_string", "open_block", "unknown_term", ...
---@field message string    one or two sentences
---@field nearest? string   the term or word that may have been meant

---@class applescript.Report
---@field checked ("structure"|"dictionary")[]  the checks that were made; none says whether it compiles
---@field encoding? applescript.Encoding
---@field findings applescript.Finding[]  by place in the text
---@field more integer      findings that were left out because there are too many
---@field dictionaries string[]  names of the dictionaries that were used
---@field unknown string[]  applications without a known dictionary

local function only(code, message)
  return { checked = { "structure" }, findings = { { line = 1, column = 1, severity = "error", code = code, message = message } },
           more = 0, dictionaries = {}, unknown = {} }
end


--- Collects findings in the order of the text, one of each code at a place.
local function collector(place)
  local list, more, seen = {}, 0, {}
  local function reporter(severity)
    return function(at, code, message, other, nearest)
      local key = at .. code
      if seen[key] then return end
      seen[key] = true
      if #list >= FINDINGS then
        more = more + 1
        return
      end
      if type(message) == "function" then message, nearest = message() end
      local line, column = place(at)
      list[#list + 1] = { line = line, column = column, severity = other or severity, code = code, message = message,
                          nearest = nearest }
    end
  end
  local function finish()
    for i, finding in ipairs(list) do finding.order = i end
    table.sort(list, function(a, b)
      if a.line ~= b.line then return a.line < b.line end
      if a.column ~= b.column then return a.column < b.column end
      return a.order < b.order
    end)
    for _, finding in ipairs(list) do finding.order = nil end
    return list, more
  end
  return reporter, finish
end


--- Codes after which the rest of the text may not be code.
local ENDS = { open_string = true, open_name = true, open_data = true, open_comment = true, limit = true }


--- Follows the blocks of every line; `visit` gets the line with the blocks around it.
local function walk(text, place, tell, visit)
  local ended = false
  local function report(at, code, message, severity)
    ended = ended or ENDS[code] == true
    tell(at, code, message, severity)
  end
  local open = blocks.new(report, place)
  for line in lexer.lines(text, report) do
    local opened = open:follow(line)
    visit(line, open, opened)
  end
  if not ended then open:finish() end
end


local SIGNS = { ["«"] = true, ["»"] = true, ["¬"] = true, ["≠"] = true, ["≤"] = true, ["≥"] = true, ["÷"] = true }

--- True if a line has letters of which it is not known what they are. Old files do not say their encoding: one that is read as
--- MacRoman may be Japanese, in which a byte of a letter, a sign or the \ of a string looks like another letter.
local function has_doubtful_letters(text, line)
  for char in text:sub(line.ats[1], line.stops[line.n]):gmatch "[\xC2-\xF4][\x80-\xBF]+" do
    if not SIGNS[char] then return true end
  end
  return false
end


---@class applescript.Options
---@field dictionaries? applescript.Dictionaries  from applescript.dictionaries; without it only the structure is checked

---@param bytes string  the content of a file, in any encoding of AppleScript files
---@param options? applescript.Options
---@return applescript.Report
function M.run(bytes, options)
  if #bytes > M.MAX_BYTES then
    return only("too_large", ("The script has %d bytes; at most %d are checked. Split it."):format(#bytes, M.MAX_BYTES))
  end
  if bytes:sub(1, 8):find "^Fasd" then
    return only("compiled", "This is a compiled script. Save it as text, or convert it with osadecompile on a Mac.")
  end
  local text, how = encoding.read(bytes)
  if not text then return only("encoding", ("The file is not text: %s."):format(how)) end

  local place = lexer.places(text)
  local reporter, finish = collector(place)
  local known = options and options.dictionaries
  local judge = terms.new(text, known or dictionaries.new(), reporter "warning")
  local tell = reporter "error"
  if known then walk(text, place, function() end, function(line, around, opened) judge:learn(line, around, opened) end) end
  walk(text, place, tell, function(line, around, opened)
    local parts = judge:statements(line, around, opened)
    if not parts or how == "MacRoman" and has_doubtful_letters(text, line) then return end
    if known then judge:visit(line, parts) end
    statements.check(judge, line, parts, tell)
  end)

  local findings, more = finish()
  local used, unknown = {}, {}
  if known then used, unknown = judge:applications() end
  return { checked = #used > 0 and { "structure", "dictionary" } or { "structure" }, encoding = how, findings = findings,
           more = more, dictionaries = used, unknown = unknown }
end


return M
