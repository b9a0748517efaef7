--- Checks the chains of the audit log: each line names the hash of the line before (docs/audit.md has the rules).

local json   = require "sys.json"
local line   = require "audit.line"
local reader = require "audit.reader"

local M = {}

---@class audit.Fault
---@field file string
---@field line integer
---@field what "changed"|"removed"|"inserted"|"reordered"|"torn"
---@field message string

---@class audit.Verdict
---@field ok boolean
---@field lines integer
---@field files integer
---@field last? string          the hash of the last line of the shared chain
---@field fault? audit.Fault
---@field notes audit.Fault[]   unfinished writes

---@class audit.Place
---@field file string
---@field line integer
---@field seq integer
---@field hash string

---@class audit.State   the state of the check of one chain
---@field last? audit.Place     the newest line; nil if there is none
---@field before? audit.Place   the one before it
---@field text? string          the text of the newest line
---@field verdict audit.Verdict
---@field joined table<string, audit.Joined[]>  by the name of a process's own file
---@field removed table<string, true>           files that the log itself removed

---@class audit.Joined
---@field seq integer
---@field hash string
---@field file string
---@field line integer


--- Ends the check: this line is the first at fault.
local function fault(place, what, message, ...)
  error({ fault = { file = place.file, line = place.line, what = what, message = message:format(...) } }, 0)
end


local function lines(first, last)
  if first == last then return ("line number %d"):format(first) end
  return ("%d lines, numbers %d to %d,"):format(last - first + 1, first, last)
end


-- --- faults ---------------------------------------------------------------------------------

--- Returns the number of the line further down that has this sequence number; nil if this file has none.
local function find_later(next_line, number, seq)
  for text in next_line do
    number = number + 1
    local frame = line.frame(text)
    if frame and frame.seq == seq then return number end
  end
end


--- Reports a line with the right number but the wrong hash: it or the line before it was changed, or it was inserted.
local function blame_hash(state, at, text, next_line)
  local following = line.frame(next_line() or "")
  if following and following.seq == at.seq and following.prev == state.last.hash then
    fault(at, "inserted", "the line behind it continues the line before it")
  elseif following and following.seq == at.seq + 1 and following.prev ~= line.hash(text) then
    fault(at, "changed", "neither it continues the line before it, nor the line behind continues it")
  end
  fault(state.last, "changed", "the line behind it, %s:%d, has another hash for it", at.file, at.line)
end


--- Reports how a line does not continue the chain.
local function blame(state, at, text, frame, next_line)
  local last, before = state.last, state.before
  if not last then fault(at, "removed", "%s before it are missing", lines(1, frame.seq - 1)) end
  if line.hash(text) == last.hash then fault(at, "inserted", "it is the same as the line before it") end
  if before and frame.seq == last.seq and frame.prev == before.hash then
    fault(last, "inserted", "the line behind it, %s:%d, continues the line before it", at.file, at.line)
  elseif frame.kind == "file" and frame.seq == 1 then
    fault(at, "removed", "the log begins again here: the file that continued %s:%d was moved or deleted", last.file, last.line)
  elseif frame.seq > last.seq + 1 then
    local later = find_later(next_line, at.line, last.seq + 1)
    if later then
      fault(at, "reordered", "line number %d, which belongs before it, is line %d of the file", last.seq + 1, later)
    end
    fault(at, "removed", "%s before it are missing", lines(last.seq + 1, frame.seq - 1))
  elseif frame.seq <= last.seq then
    fault(at, "inserted", "there was a line number %d before", frame.seq)
  end
  blame_hash(state, at, text, next_line)
end


-- --- lines of the log about itself ------------------------------------------------------------

--- Handlers of lines that are not about calls, by their kind.
local OWN = {}

function OWN.lost(state, at, entry)
  if entry.reason == "unreadable" then fault(at, "changed", "the file had no whole line where it ended before this one") end
  fault(at, "removed", "process %s had written line number %s, and it was gone", entry.pid, entry.known)
end

function OWN.file(state, at, entry)
  if entry.reason == "lost" then OWN.lost(state, at, entry) end
end

function OWN.joined(state, at, entry)
  local list = state.joined[entry.file] or {}
  list[#list + 1] = { seq = entry.known, hash = entry.last, file = at.file, line = at.line }
  state.joined[entry.file] = list
end

--- Called only if no unfinished line is before it; pass_rest() handles the others.
function OWN.torn(state, at)
  fault(at, "changed", "it tells of an unfinished line before it, which is not there")
end


-- --- rests of unfinished writes -----------------------------------------------------------------

---@class audit.Rest  the bytes behind the last complete line
---@field parts string[]
---@field bytes integer   with the line ends between the parts
---@field line integer    the number of its first line
---@field whole boolean   true if it ends in a line end

local function add_rest(rest, text, bytes, ended, number)
  rest = rest or { parts = {}, bytes = -1, line = number }
  rest.parts[#rest.parts + 1] = text
  rest.bytes, rest.whole = rest.bytes + 1 + bytes, ended
  return rest
end


local function is_rest(rest)
  for _, part in ipairs(rest.parts) do
    if not line.is_rest(part) then return false end
  end
  return rest.bytes <= line.MOST
end


local function note_torn(state, place, rest)
  local notes = state.verdict.notes
  notes[#notes + 1] = { file = place.file, line = place.line, what = "torn",
    message = ("the rest of an unfinished write, %d bytes; the chain goes on without it"):format(rest.bytes) }
end


--- Checks whether the line behind an unfinished one accounts for it.
local function pass_rest(state, file, rest, text, frame)
  local place = { file = file.name, line = rest.line }
  local entry = frame.kind == "torn" and json.decode(text)
  if entry and entry.bytes == rest.bytes and entry.sha256 == line.hash(table.concat(rest.parts, "\n")) and is_rest(rest) then
    note_torn(state, place, rest)
  elseif not entry and state.last and frame.seq == state.last.seq + 1 then
    fault(place, "inserted", "it is not a line of the log")
  else
    fault(place, "changed", "it is not a line of the log, and the line behind it does not tell of an unfinished write")
  end
end


--- Judges the bytes behind the last line of a file.
local function end_rest(state, file, rest, is_last)
  for i, part in ipairs(rest.parts) do
    if line.begins(part) and not line.is_rest(part) then
      fault({ file = file.name, line = rest.line + i - 1 }, "changed", "it has bytes that were not written, as another line end")
    end
  end
  local place = { file = file.name, line = rest.line }
  if not is_last then fault(place, "torn", "the file ends in something that is not a whole line, but the log went on") end
  if not is_rest(rest) then fault(place, "inserted", "it is not a line of the log") end
  note_torn(state, place, rest)
end


-- --- one file ---------------------------------------------------------------------------------

local function take(state, at, text, frame)
  state.before, state.last, state.text = state.last, at, text
  at.hash = line.hash(text)
  state.verdict.lines = state.verdict.lines + 1
  state.verdict.last = at.hash
  for _, joined in ipairs(state.wanted or {}) do
    if joined.seq == at.seq and joined.hash ~= at.hash then
      fault(at, "changed", "%s:%d has another hash for it", joined.file, joined.line)
    end
  end
end


--- True if the chain may begin with this line.
local function may_begin(state, at, text, frame)
  if frame.seq == 1 then return frame.prev == line.NONE end
  local entry = frame.kind == "file" and json.decode(text)
  if not entry or not entry.before then return false end
  if state.removed[entry.before] then return true end
  fault(at, "removed", "the file before it, %s, is missing, and the log did not remove it", entry.before)
end


local function continues(state, at, text, frame)
  if not state.last then return may_begin(state, at, text, frame) end
  return frame.seq == state.last.seq + 1 and frame.prev == state.last.hash
end


--- Returns the entry after which the chain begins again: "lost" with the reason "unreadable".
local function begins_again(frame, text)
  local entry = frame.kind == "lost" and json.decode(text)
  return entry and entry.reason == "unreadable" and entry
end


local function check_file(state, file, is_last)
  local number, rest = 0, nil
  local next_line = reader.lines(file)
  for text, bytes, ended in next_line do
    number = number + 1
    local frame = line.frame(text) -- even of a last line without a line end
    if not frame then
      rest = add_rest(rest, text, bytes, ended, number)
    else
      local at = { file = file.name, line = number, seq = frame.seq }
      local again = begins_again(frame, text)
      if again then OWN.lost(state, at, again) end
      local torn = rest ~= nil
      if rest then pass_rest(state, file, rest, text, frame) end
      rest = nil
      if not continues(state, at, text, frame) then blame(state, at, text, frame, next_line) end
      if OWN[frame.kind] and not torn then OWN[frame.kind](state, at, json.decode(text) or {}) end
      take(state, at, text, frame)
    end
  end
  if rest then end_rest(state, file, rest, is_last) end
  if is_last and state.text and not json.decode(state.text) then
    fault(state.last, "changed", "it is not JSON")
  end
  state.verdict.files = state.verdict.files + 1
end


-- --- all of them --------------------------------------------------------------------------------

--- Reads the first line of each file, which says which files the log removed and which one it continues.
local function first_lines(files)
  local removed, before = {}, {}
  for _, file in ipairs(files) do
    local entry = line.read(reader.lines(file)() or "")
    before[file.name] = entry and entry.kind == "file" and entry.before or nil
    for _, name in ipairs(entry and entry.kind == "file" and type(entry.removed) == "table" and entry.removed or {}) do
      removed[name] = true
    end
  end
  return removed, before
end


--- Checks the chains of processes that could not get the lock. What the shared chain says about them must be there.
local function check_own(shared, own, before, removed)
  local states, continued = {}, {}
  for _, file in ipairs(own) do if before[file.name] then continued[before[file.name]] = true end end
  for _, file in ipairs(own) do
    local last = shared.verdict.last
    local state = states[before[file.name]] or { verdict = shared.verdict, joined = {}, removed = removed }
    states[file.name], state.wanted = state, shared.joined[file.name]
    check_file(state, file, not continued[file.name])
    shared.verdict.last = last
    for _, joined in ipairs(state.wanted or {}) do
      if not state.last or state.last.seq < joined.seq then
        fault({ file = file.name, line = state.last and state.last.line or 1 }, "removed",
          "%s:%d knows of line number %d, which is not there", joined.file, joined.line, joined.seq)
      end
    end
  end
  for name, list in pairs(shared.joined) do
    if not states[name] and not removed[name] then
      fault(list[1], "removed", "the file %s, of which it tells, is missing, and the log did not remove it", name)
    end
  end
end


local function check(verdict)
  local shared, own = {}, {}
  local files = reader.files()
  for _, file in ipairs(files) do table.insert(file.own and own or shared, file) end
  local removed, before = first_lines(files)
  local state = { verdict = verdict, joined = {}, removed = removed }
  for i, file in ipairs(shared) do check_file(state, file, i == #shared) end
  check_own(state, own, before, removed)
end


--- The number of attempts: if the log removes a file while it is read ("moved"), the check begins again.
local TRIES = 3

---@return audit.Verdict? verdict
---@return string? err
---@return string? code
function M.run()
  local err
  for _ = 1, TRIES do
    local verdict = { ok = true, lines = 0, files = 0, notes = json.array {} }
    local ok, result = pcall(check, verdict)
    if ok then return verdict end
    err = result
    if type(err) ~= "table" then error(err, 0) end
    if err.fault then
      verdict.ok, verdict.fault, verdict.last = false, err.fault, nil
      return verdict
    end
    if err.code ~= "moved" then break end
  end
  return nil, err.message, err.code
end


return M
