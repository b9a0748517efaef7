--- Makes a tool of a macro: a file of tools/macros ends with `return macro_tool { ... }`.

local course  = require "macros.course"
local failure = require "macros.failure"
local json    = require "sys.json"
local runner  = require "macros.runner"
local s       = require "schema"

local SECONDS = 600

--- The parameters that every macro has.
local OWN = {
  resume_from = s.rare(s.string("Goes on with an interrupted run: \"last\", a step's number, \"row 3\" or \"row 3 step 4\".",
    { maxLength = 40 })),
  repeat_sent = s.rare(s.boolean "With resume_from: repeats a step that was sent and whose effect was not seen."),
}

local STEP = s.object {
  { "step", s.integer() },
  { "row", s.integer(nil, { optional = true }) },
  { "text", s.string "What it does." },
  { "ok", s.boolean() },
  { "evidence", s.string("What was read afterwards, or why it failed.", { optional = true }) },
  { "left_out", s.boolean("It was done in the run that is resumed.", { optional = true }) },
}

local OUTPUT = s.object {
  { "done", s.boolean() },
  { "steps", s.array(STEP, "Those that were begun.") },
  { "result", s.any("What the macro returned.", { optional = true }) },
}

-- Members of a macro's table that no tool has.
local EXTRA = { list = true, tags = true }

---@class macros.File: Tool
---@field run fun(args: table, macro: Macro): any
---@field list? boolean   true: tools/list has it
---@field tags? string[]


--- Adds the parameters that every macro has, behind its own.
local function schema_of(schema)
  for name, each in pairs(OWN) do schema.properties[name] = each end
  return schema
end


local function split(args)
  local own, given = {}, {}
  for name, value in pairs(args) do (OWN[name] and own or given)[name] = value end
  return own, given
end


local function line(note)
  return ("%s%d %s%s"):format(note.row and note.row .. "." or "", note.step, note.text,
    note.left_out and ": left out" or note.evidence and note.evidence ~= "" and ": " .. note.evidence or "")
end


--- The steps as text.
local function told(head, done)
  local lines = { head }
  for i, note in ipairs(done) do lines[i + 1] = line(note) end
  return table.concat(lines, "\n")
end


local function steps_of(done) return json.array(table.move(done, 1, #done, 1, {})) end


--- The advice after a run that was stopped, beside what its message says.
local function advice(macro, code)
  local state = macro.journal.state
  if code == "MACRO_UNCONFIRMED" or macro.dry then return "" end
  if macro.journal.problem then return " It cannot be resumed, because its state was not written." end
  local place = state.row and ("row %d step %d"):format(state.row, state.step) or tostring(state.step)
  return (" Then go on with resume_from=\"%s\"."):format(place)
end


local function counted(count)
  if count == 0 then return "Nothing was done before it." end
  return count == 1 and "One step was done before it." or ("%d steps were done before it."):format(count)
end


--- The result of a run that was stopped: what failed, what was done before, and what to do.
local function stopped(macro, err)
  local before = 0
  for _, note in ipairs(macro.done) do
    if note.ok and not note.left_out then before = before + 1 end
  end
  local message = ("%s. %s%s"):format(err.message, counted(before), advice(macro, err.code))
  return nil, message, err.code, { macro = { done = false, steps = steps_of(macro.done) } }
end


--- The result of a dry run. It does not fail where a step needs what the steps before it do.
---@param untried? macros.Failure  why it ended there
local function tried(call, macro, untried)
  local done, count = {}, 0
  for _, note in ipairs(macro.done) do
    if note.ok then done[#done + 1] = note end
    if note.ok and not note.left_out then count = count + 1 end
  end
  local head = ("Dry run: %d %s tried on a copy of the desktop."):format(count, count == 1 and "step was" or "steps were")
  if untried then
    head = ("%s %s. The copy does not show what the steps before it do, so it ends here."):format(head, untried.message)
  end
  return call:result { content = { { type = "text", text = told(head, done) } },
    structuredContent = { dry_run = true, steps = steps_of(done) } }
end


--- Runs a macro within a call of its tool.
local function run_in(file, args, call)
  local own, given = split(args)
  local macro, err, code = runner.begin(call, own)
  if not macro then return nil, err, code end
  local ran = table.pack(pcall(file.run, given, macro))
  if not ran[1] then
    local failed = failure.of(ran[2])
    if not failed then error(ran[2], 0) end
    runner.place(macro, failed)
    if failed.code == failure.UNTRIED then return tried(call, macro, failed) end
    return stopped(macro, failed)
  end
  if ran[2] == nil and ran[3] then return nil, ran[3], ran[4] end
  local done, fresh = runner.finish(macro), 0
  if macro.dry then return tried(call, macro) end
  for _, note in ipairs(done) do
    if not note.left_out then fresh = fresh + 1 end
  end
  local head = fresh == #done and course.all_done(fresh)
    or ("%d steps are done; %d were done before."):format(fresh, #done - fresh)
  return call:result {
    content = { { type = "text", text = told(head, done) } },
    structuredContent = { done = true, steps = steps_of(done), result = ran[2] },
  }
end


---@param file macros.File
---@return Tool
return function(file)
  local tool = {}
  for key, value in pairs(file) do
    if not EXTRA[key] then tool[key] = value end
  end
  tool.inputSchema = schema_of(file.inputSchema)
  tool.outputSchema = OUTPUT
  tool.annotations = file.annotations
    or { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true }
  tool.about = { "nothing", resume_from = "nothing" }
  for key, value in pairs(file.about or {}) do tool.about[key] = value end
  tool.codes = {}
  for _, codes in ipairs { failure.CODES, file.codes or {} } do
    for code, meaning in pairs(codes) do tool.codes[code] = meaning end
  end
  tool.keeps, tool.from = true, "screen"
  tool.timeout = file.timeout or SECONDS
  tool.listed = file.list == true
  tool._meta = { ["perigee/macro"] = { tags = json.array(file.tags or {}) } }
  tool.run = function(args, call) return run_in(file, args, call) end
  return tool
end
