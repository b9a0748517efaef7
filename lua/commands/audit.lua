--- perigee audit: shows and checks the audit log.

local follow = require "audit.follow"
local json   = require "sys.json"
local line   = require "audit.line"
local reader = require "audit.reader"
local rows   = require "audit.rows"
local text   = require "terminal.text"
local verify = require "audit.verify"
local when   = require "audit.when"

local SHOWN = 20            -- rows without --last and --since
local MANY = 100000         -- rows that fit into memory; the limit with --since alone
local WIDTHS = { 19, 16, 28, 20, 12, 7 } -- widths of columns, if rows are printed one by one


local function with_commas(number)
  local digits = tostring(number):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (digits:gsub("^,", ""))
end


local function some(count, word)
  return ("%s %s%s"):format(with_commas(count), word, count == 1 and "" or "s")
end


-- --- verify ---------------------------------------------------------------------------------

local function place(fault)
  return ("%s:%d: %s: %s"):format(fault.file, fault.line, fault.what, fault.message)
end


---@return integer? status
local function check(args, io)
  local verdict, err, code = verify.run()
  if not verdict then return nil, err, code end
  if args.json then
    io:json(json.object(verdict, { "ok", "lines", "files", "last", "fault", "notes" }))
    return verdict.ok and 0 or 1
  end
  for _, note in ipairs(verdict.notes) do io:print(text.clean(place(note))) end
  if verdict.fault then
    io:print(text.paint(io.color, "red", place(verdict.fault)))
    return 1
  elseif verdict.files == 0 then
    io:print "There is no audit log yet."
  else
    io:print(("%s in %s: whole"):format(some(verdict.lines, "line"), some(verdict.files, "file")))
  end
  return 0
end


-- --- lines ------------------------------------------------------------------------------------

local function print_line(io, each)
  io:write((io.terminal and text.escaped(each) or each) .. "\n")
end


local function print_row(io, cells, widths)
  local parts = {}
  for i, cell in ipairs(cells) do
    parts[i] = i < #cells and text.pad(cell, widths[i]) or text.clean(cell)
  end
  io:print((text.cut(table.concat(parts, "  "), io.width)))
end


local function widths_of(list)
  local widths = {}
  for _, cells in ipairs(list) do
    for i, cell in ipairs(cells) do widths[i] = math.max(widths[i] or 0, text.width(cell)) end
  end
  return widths
end


local function print_table(io, list, widths)
  for _, cells in ipairs(list) do print_row(io, cells, widths) end
end


--- Prints the lines up to now that were found.
---@return audit.Found[] list
local function show(args, io, filter, most, files, widths)
  local list, strange, more = rows.find(files, filter, most, args.json or false)
  if args.json then
    for _, found in ipairs(rows.lines(list, filter, most)) do print_line(io, found.text) end
  else
    local cells = rows.rows(list, most)
    if #cells == 0 and not widths then io:print "Nothing in the audit log fits." end
    if #cells > 0 or widths then
      table.insert(cells, 1, rows.HEADS)
      print_table(io, cells, widths or widths_of(cells))
    end
  end
  if strange > 0 then
    io:complain(("%s not of the audit log: `perigee audit --verify` says where"):format(
      strange == 1 and "one line is" or with_commas(strange) .. " lines are"))
  end
  if more and not args.last and args.since then
    io:complain(("these are the last %s, and there may be more: give a later --since, or --tool or --caller"):format(
      with_commas(MANY)))
  end
  return list
end


-- --- follow -----------------------------------------------------------------------------------

--- Returns a function that prints lines at once, and rows when a call has ended.
local function follower(args, io, filter, calls)
  return function(each, entry)
    local key = rows.key(entry)
    if entry.kind == "call" and rows.fits(entry, filter) then calls[key] = entry end
    local call = calls[key]
    local about = entry.kind == "end" and call or rows.SHOWN[entry.kind] and rows.fits(entry, filter)
    if entry.kind == "end" then calls[key] = nil end
    if args.json then
      if about or not filter.tool and not filter.caller then print_line(io, each) end
    elseif about and entry.kind ~= "call" then
      print_row(io, entry.kind == "end" and rows.cells(call, entry) or rows.cells(entry, nil, call), WIDTHS)
    end
  end
end


local function go_on(args, io, filter, most)
  local calls = {}
  local function begin(files)
    for _, found in ipairs(show(args, io, filter, most, files, not args.json and WIDTHS or nil)) do
      local entry = found.entry
      if entry.kind == "call" then calls[rows.key(entry)] = entry end
      if entry.kind == "end" then calls[rows.key(entry)] = nil end
    end
  end
  return follow.run(begin, follower(args, io, filter, calls))
end


local function contradiction(args)
  if not args.verify then return nil end
  for _, name in ipairs { "since", "tool", "caller", "last", "follow" } do
    if args[name] then return ("--verify checks all of the log. Omit --%s"):format(name) end
  end
end


local function run(args, io)
  local wrong = contradiction(args)
  local since, err
  if args.since then since, err = when.read(args.since) end
  if wrong or err then return nil, wrong or err, "usage" end
  if args.verify then return check(args, io) end
  local filter = { since = since, tool = args.tool, caller = args.caller }
  local most = args.last or (since and MANY or SHOWN)
  if args.follow then return reader.caught(go_on, args, io, filter, most) end
  return reader.caught(function() return show(args, io, filter, most, reader.files()) and true end)
end


-- --- examples ---------------------------------------------------------------------------------

--- Returns stubs of sys.audit for a log of these lines, which are given as members without the frame.
local function log_of(...)
  local bytes, prev = {}, line.NONE
  for i, members in ipairs { ... } do
    local each = ('{"time":"2026-11-25T10:00:%02d.000Z","seq":%d,"pid":42,%s,"prev":"%s"}'):format(i, i, members, prev)
    prev = ("%064x"):format(i)
    bytes[i] = each .. "\n"
  end
  local all = table.concat(bytes)
  return {
    ["sys.audit.files"] = function() return { { name = "audit.jsonl", id = "1", size = #all, own = false } } end,
    ["sys.audit.read"] = function(_, offset, max) return all:sub(offset + 1, offset + max) end,
    ["sys.crypto.sha256"] = function(each)
      return ("\0"):rep(31) .. string.char(tonumber(each:match '"seq":(%d+)'))
    end,
  }
end

local function changed(log)
  log["sys.crypto.sha256"] = function(each) return ("x"):rep(31) .. each:match '"seq":(%d)' end
  return log
end

local CALL = '"kind":"call","id":1,"tool":"move_window","caller":{"kind":"stdio","name":"claude"},"args":{"x":1},'
  .. '"decision":"allow","rule":"windows"'
local END = '"kind":"end","id":1,"code":"ok","ms":12,"bytes":340'


---@type perigee.Command
return {
  summary     = "show the audit log: which tools were called, by whom, and what was decided",
  description = "Shows the last calls, one row each, with the client that made them, what the policy decided, and how they "
             .. "ended. Times are UTC. The log is in ~/.local/state/perigee/audit (on macOS in "
             .. "~/Library/Application Support/perigee/audit). Each of its lines names the hash of the line before, and --verify "
             .. "finds lines that were changed, removed, inserted or moved.",
  options     = {
    { "since", "string", "only what happened since: 10m, 2h, 3d, a date, or a time as 2026-11-25T10:00:00Z", value = "WHEN" },
    { "tool", "string", "only calls of this tool, resource or prompt", value = "NAME" },
    { "caller", "string", "only calls of this client, or of clients of this kind", value = "NAME" },
    { "last", "integer", "at most so many of the last rows", value = "N", minimum = 1, maximum = MANY,
      absent = "20, or 100,000 with --since" },
    { "json", "flag", "print the lines as they are; with --verify: one JSON object" },
    { "follow", "flag", "go on with what is added, until Ctrl-C; a row comes when its call has ended", letter = "f" },
    { "verify", "flag", "check the log, and report the first line at fault" },
  },
  notes       = "Exit status: 0 success, 1 the log cannot be read or --verify found a fault, 2 usage error",
  log         = "warning",
  stoppable   = false,
  run         = run,

  examples = {
    { "shows a row for each call", args = {}, given = log_of('"kind":"file","reason":"new"', CALL, END),
      out = "TIME (UTC)           CALLER  WHAT         DECISION         RESULT  MS  BYTES\n"
         .. "2026-11-25 10:00:02  claude  move_window  allow (windows)  ok      12  340\n" },
    { "prints lines as they are", args = { "--json", "--tool", "move_window", "--last", "1" }, given = log_of(CALL),
      has = { '{"time":"2026-11-25T10:00:01.000Z","seq":1,"pid":42,"kind":"call"' } },
    { "says that nothing fits", args = { "--caller", "codex" }, given = log_of(CALL, END),
      out = "Nothing in the audit log fits.\n" },
    { "checks the chain", args = { "--verify" }, given = log_of('"kind":"file","reason":"new"', CALL, END),
      out = "3 lines in 1 file: whole\n" },
    { "finds a line that was changed", args = { "--verify" }, status = 1, given = changed(log_of(CALL, END)),
      out = "audit.jsonl:1: changed: the line behind it, audit.jsonl:2, has another hash for it\n" },
    { "knows what a time is", args = { "--since", "yesterday" }, status = 2, err = "--since yesterday is not a time" },
    { "checks all or nothing", args = { "--verify", "--last", "3" }, status = 2, err = "Omit --last" },
  },
}
