--- Lines of the audit log for a person: a row for each call, with how it ended.

local line   = require "audit.line"
local reader = require "audit.reader"
local text   = require "cli.text"
local plain  = require("sys.text").plain

local M = {}

local NAME_MOST = 40 -- characters of a cell
M.HEADS = { "TIME (UTC)", "CALLER", "WHAT", "DECISION", "RESULT", "MS", "BYTES" }

---@class audit.Filter
---@field since?  string   as in a line
---@field tool?   string
---@field caller? string

---@class audit.Found
---@field text string    the line as it is
---@field entry table


--- A member that has to be text, or a number, to be shown. A long one has come cut, with its length.
local function shown(value)
  if type(value) == "table" then value = value.text end
  if type(value) ~= "string" and type(value) ~= "number" then return nil end
  return text.cut(plain(tostring(value)), NAME_MOST)
end


local function key(entry)
  return ("%s %s"):format(entry.pid, entry.id)
end


--- What was called, asked for or read.
local function what(entry)
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


---@param entry table  not an "end", which is asked for with its call
---@param filter audit.Filter
---@return boolean
function M.fits(entry, filter)
  return (not filter.tool or same(entry.tool, filter.tool) or same(entry.resource, filter.tool)
    or same(entry.prompt, filter.tool)) and (not filter.caller or is_by(entry.caller, filter.caller))
end


--- Lines about the log itself are for verify.
local SHOWN = { call = true, approval = true, refused = true }


---@param file sys.audit.File
---@param filter audit.Filter
---@param most integer   of rows, or of lines when `every`
---@param every boolean  count ends as lines, and take lines of every kind
---@return boolean more  the file before it may have more
local function gather(file, filter, most, every, found)
  for each in reader.lines_back(file) do
    local entry = line.read(each)
    if not entry then
      found.strange = found.strange + 1
    elseif filter.since and entry.time < filter.since then
      return false
    else
      local is_shown = SHOWN[entry.kind] or every and not filter.tool and not filter.caller
      if entry.kind == "end" or is_shown and M.fits(entry, filter) then
        found.order = found.order + 1
        table.insert(found, { text = each, entry = entry, order = found.order })
        if every or entry.kind ~= "end" then found.count = found.count + 1 end
      end
      if found.count >= most then return false end
    end
  end
  return true
end


--- The last lines that fit, in the order of their times, with the ends of calls among them.
---@param files sys.audit.File[]
---@param filter audit.Filter
---@param most integer
---@param every boolean  for --json: ends count
---@return audit.Found[] list
---@return integer strange  lines that are not lines of the log
function M.find(files, filter, most, every)
  local list, strange, order = {}, 0, 0
  local function take(chosen)
    local found = { strange = 0, count = 0, order = order }
    for i = #chosen, 1, -1 do
      if not gather(chosen[i], filter, most, every, found) then break end
    end
    table.move(found, 1, #found, #list + 1, list)
    strange, order = strange + found.strange, found.order
  end
  local shared = {}
  for _, file in ipairs(files) do
    if file.own then take { file } else shared[#shared + 1] = file end
  end
  take(shared)
  table.sort(list, function(a, b)
    if a.entry.time ~= b.entry.time then return a.entry.time < b.entry.time end
    return a.order > b.order -- they were read from the end
  end)
  return list, strange
end


--- Drops ends of calls that are not there.
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
  local word = entry.kind == "approval" and "approval " .. (shown(entry.outcome) or "?")
    or shown(entry.decision) or entry.kind == "refused" and "refused" or "-"
  if entry.dry_run == true then word = word .. ", dry run" end
  local rule = shown(entry.rule)
  return rule and ("%s (%s)"):format(word, rule) or word
end


---@param entry table   a call, an approval or what was refused
---@param ending? table its end
---@param call? table   the call that an approval is about
---@return string[] cells
function M.cells(entry, ending, call)
  ending = ending or entry.kind == "refused" and entry or {}
  return { entry.time:sub(1, 10) .. " " .. entry.time:sub(12, 19), who(entry.caller or call and call.caller),
    what(entry) or call and what(call) or "-", decision(entry), shown(ending.code) or "-", shown(ending.ms) or "-",
    shown(ending.bytes) or "-" }
end


--- A row for each call, approval and refusal.
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
