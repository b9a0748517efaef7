--- Formats lines of the audit log for people: a row for each call, with how it ended.

local line   = require "audit.line"
local reader = require "audit.reader"
local text   = require "terminal.text"
local plain  = require("sys.text").plain

local M = {}

local NAME_MOST = 40 -- characters of a cell
M.HEADS = { "TIME (UTC)", "CALLER", "WHAT", "DECISION", "RESULT", "MS", "BYTES" }

---@class audit.Filter
---@field since?  string   a time, as in a line
---@field tool?   string
---@field caller? string

---@class audit.Found
---@field text? string   the line as it is, for --json
---@field entry table    has less if there is text


--- Returns a member for a cell if it is text or a number. Long text is stored cut, as a table with its length.
local function shown(value)
  if type(value) == "table" then value = value.text end
  if type(value) ~= "string" and type(value) ~= "number" then return nil end
  return text.cut(plain(tostring(value)), NAME_MOST)
end


local function key(entry)
  return ("%s %s"):format(entry.pid, entry.id)
end


--- Names the called tool or the requested object.
local function what(entry)
  if entry.effect and entry.what then return ("%s: %s"):format(shown(entry.tool) or "?", shown(entry.what)) end
  return shown(entry.tool) or shown(entry.resource) or shown(entry.prompt) or shown(entry.what)
end


local function same(value, wanted)
  if type(value) == "table" then value = value.text end
  return type(value) == "string" and value:lower() == wanted:lower()
end


local function is_by(caller, wanted)
  if type(caller) ~= "table" then return same(caller, wanted) end
  return same(caller.name, wanted) or same(caller.kind, wanted) or same(caller.subject, wanted)
end


---@param entry table  not an "end", which is looked up with its call
---@param filter audit.Filter
---@return boolean
function M.fits(entry, filter)
  return (not filter.tool or same(entry.tool, filter.tool) or same(entry.resource, filter.tool)
    or same(entry.prompt, filter.tool)) and (not filter.caller or is_by(entry.caller, filter.caller))
end


--- Keeps only the parts of a line that are needed, because there may be many lines.
local function taken(each, entry, as_it_is)
  if as_it_is then
    return { text = each, entry = { time = entry.time, kind = entry.kind, pid = entry.pid, id = entry.id } }
  end
  entry.args, entry.prev = nil, nil
  return { entry = entry }
end


--- The kinds of lines for people. Lines about the log itself are for verify.
local SHOWN = { call = true, approval = true, effect = true, refused = true }


---@param file sys.audit.File
---@param filter audit.Filter
---@param most integer   the limit of rows, or of lines if `every`
---@param every boolean  true: count ends as lines, and take lines of every kind
---@return boolean more  true if the file before it may have more
local function gather(file, filter, most, every, found)
  local any = false
  for each in reader.lines_back(file) do
    local is_old = filter.since and (line.time(each) or filter.since) < filter.since
    local entry = not is_old and line.read(each)
    any = any or not is_old
    if not is_old and not entry then
      found.strange = found.strange + 1
    elseif entry then
      local is_shown = SHOWN[entry.kind] or every and not filter.tool and not filter.caller
      if entry.kind == "end" or is_shown and M.fits(entry, filter) then
        table.insert(found, taken(each, entry, every))
        if every or entry.kind ~= "end" then found.count = found.count + 1 end
      end
      if found.count >= most then
        found.full = true
        return false
      end
    end
  end
  return any   -- times go back if a clock was set back, or two processes write at once, but not by a whole file
end


--- Merges two logs that were read from their ends into one list from its beginning. Each keeps its order, that of its chain.
local function merged(list, found)
  local all, i, j = {}, 1, #found
  while list[i] or found[j] do
    if not found[j] or list[i] and list[i].entry.time <= found[j].entry.time then
      all[#all + 1], i = list[i], i + 1
    else
      all[#all + 1], j = found[j], j - 1
    end
  end
  return all
end


--- Returns the last lines that fit, in the order in which they were written, with the ends of calls among them.
---@param files sys.audit.File[]
---@param filter audit.Filter
---@param most integer
---@param every boolean  for --json: ends count as lines
---@return audit.Found[] list
---@return integer strange  the number of lines that are not lines of the log
---@return boolean more     true if not all fitting lines were taken
function M.find(files, filter, most, every)
  local list, strange, more = {}, 0, false
  local function take(chosen)
    local found = { strange = 0, count = 0 }
    for i = #chosen, 1, -1 do
      if not gather(chosen[i], filter, most, every, found) then break end
    end
    list, strange, more = merged(list, found), strange + found.strange, more or found.full or false
  end
  local shared = {}
  for _, file in ipairs(files) do
    if file.own then take { file } else shared[#shared + 1] = file end
  end
  take(shared)
  return list, strange, more
end


--- Drops the ends of calls that are not in the list.
---@param list audit.Found[]
---@param filter audit.Filter
---@param most integer
---@return audit.Found[]
function M.lines(list, filter, most)
  local called, kept = {}, {}
  for _, found in ipairs(list) do
    local entry = found.entry
    if entry.kind == "call" then called[key(entry)] = true end
    if entry.kind ~= "end" or called[key(entry)] or not filter.tool and not filter.caller then kept[#kept + 1] = found end
  end
  return table.move(kept, math.max(1, #kept - most + 1), #kept, 1, {})
end


local function who(caller)
  if type(caller) ~= "table" then return shown(caller) or "-" end
  local name, subject = shown(caller.name) or shown(caller.kind) or "-", shown(caller.subject)
  return subject and subject ~= name and ("%s (%s)"):format(name, subject) or name
end


local function decision(entry)
  local word = (entry.kind == "approval" or entry.kind == "effect") and entry.kind .. " " .. (shown(entry.outcome) or "?")
    or shown(entry.decision) or entry.kind == "refused" and "refused" or "-"
  if entry.dry_run == true then word = word .. ", dry run" end
  local rule = shown(entry.rule)
  return rule and ("%s (%s)"):format(word, rule) or word
end


---@param entry table   a call, an approval, an effect or a refusal
---@param ending? table its end
---@param call? table   the call that an approval is about
---@return string[] cells
function M.cells(entry, ending, call)
  ending = ending or entry.kind == "refused" and entry or {}
  return { entry.time:sub(1, 10) .. " " .. entry.time:sub(12, 19), who(entry.caller or call and call.caller),
    what(entry) or call and what(call) or "-", decision(entry), shown(ending.code) or "-", shown(ending.ms) or "-",
    shown(ending.bytes) or "-" }
end


--- Returns a row for each call, approval, effect and refusal.
---@param list audit.Found[]
---@param most integer
---@return string[][]
function M.rows(list, most)
  local ends, calls, rows = {}, {}, {}
  for _, found in ipairs(list) do
    if found.entry.kind == "end" then ends[key(found.entry)] = found.entry end
    if found.entry.kind == "call" then calls[key(found.entry)] = found.entry end
  end
  for _, found in ipairs(list) do
    local entry = found.entry
    if SHOWN[entry.kind] then
      rows[#rows + 1] = M.cells(entry, entry.kind == "call" and ends[key(entry)] or nil, calls[key(entry)])
    end
  end
  return table.move(rows, math.max(1, #rows - most + 1), #rows, 1, {})
end


M.key = key
M.SHOWN = SHOWN

return M
