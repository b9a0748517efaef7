--- perigee doctor: checks what the program needs, and reports what it finds, what is missing and what to do.
--
-- A check is {id, title, run, needs?}; run() returns {status, text, next?, facts?}. A check is skipped if the one that it needs
-- failed. The checks of a system are in doctor/SYSTEM.lua.

local engine = require "sys.engine"
local env    = require "sys.env"
local json   = require "sys.json"
local text   = require "terminal.text"

--- The modules that check the desktop, by system.
local DESKTOPS = { linux = "doctor.linux", macos = "doctor.macos" }


---@class doctor.Finding
---@field status "ok"|"warning"|"error"|"skipped"
---@field text string   what was found, or what is wrong
---@field next? string  what to do
---@field facts? table  the same for programs

---@class doctor.Check
---@field id string
---@field title string
---@field run fun(): doctor.Finding
---@field needs? string  the id of a check that must succeed before this one means anything


---@return doctor.Check[]
local function checks()
  local list = table.move(require("doctor.program").checks, 1, #require("doctor.program").checks, 1, {})
  local desktop = DESKTOPS[env.platform]
  if desktop then table.move(require(desktop).checks, 1, #require(desktop).checks, #list + 1, list) end
  return list
end


---@param check doctor.Check
---@param seen table<string, doctor.Finding>
---@return doctor.Finding
local function look(check, seen)
  local need = check.needs and seen[check.needs]
  if need and need.status ~= "ok" then
    return { status = "skipped", text = ("not looked at: see %q above"):format(need.title or check.needs) }
  end
  local ok, finding = pcall(check.run)
  if ok then return finding end
  return { status = "error", text = "the check itself failed: " .. tostring(finding) }
end


local STYLES = { ok = "green", warning = "cyan", error = "red", skipped = "dim" }
local MARKS = { ok = "ok", warning = "look", error = "BAD", skipped = "-" }

local function tell(io, check, finding)
  io:print(("%s  %s%s"):format(text.paint(io.color, STYLES[finding.status], text.pad(MARKS[finding.status], 4)),
    text.pad(check.title, 24), finding.text))
  if finding.next then
    for _, line in ipairs(text.wrap(finding.next, (io.width or 110) - 32)) do io:print((" "):rep(30) .. "> " .. line) end
  end
end


local function as_json(results, counts)
  local rows = json.array {}
  for i, result in ipairs(results) do
    local f = result.finding
    rows[i] = json.object({ id = result.check.id, title = result.check.title, status = f.status, text = f.text, next = f.next,
      facts = f.facts }, { "id", "title", "status", "text", "next", "facts" })
  end
  return json.object({ ok = counts.error == 0, version = engine.status().version, platform = env.platform,
    errors = counts.error, warnings = counts.warning, checks = rows },
    { "ok", "version", "platform", "errors", "warnings", "checks" })
end


local function summary(counts)
  if counts.error == 0 and counts.warning == 0 then return "All is well." end
  local function some(count, word) return ("%d %s%s"):format(count, word, count == 1 and "" or "s") end
  if counts.error == 0 then return some(counts.warning, "thing") .. " to look at; nothing that is needed is missing." end
  return some(counts.error, "problem") .. (counts.warning > 0 and ", " .. some(counts.warning, "thing") .. " to look at." or ".")
end


---@return integer status  1 if a needed part is missing
local function run(args, io)
  local results, seen, counts = {}, {}, { ok = 0, warning = 0, error = 0, skipped = 0 }
  if args.ask and env.platform ~= "macos" then
    return nil, "--ask is for macOS; elsewhere nothing needs to be allowed. Omit it", "usage"
  end
  if not args.json then io:print(("perigee %s on %s"):format(engine.status().version, env.platform)) end
  if args.ask then require("doctor.macos").request(function(line) io:complain(line) end) end
  for i, check in ipairs(checks()) do
    local finding = look(check, seen)
    finding.title = check.title
    seen[check.id], results[i] = finding, { check = check, finding = finding }
    counts[finding.status] = counts[finding.status] + 1
    if not args.json then tell(io, check, finding) end
  end
  if args.json then io:json(as_json(results, counts)) else io:print(summary(counts)) end
  return counts.error > 0 and 1 or 0
end


---@type perigee.Command
return {
  summary     = "check this machine's setup and explain how to fix problems",
  description = "Checks the program's parts, its files and directories, the display, the window manager, applications, the "
             .. "buses, other programs and text recognition (on a Mac: permissions and which program holds them, Keynote, the "
             .. "signature). It reports what it finds, or what is wrong and how to fix it. Values of keys are never shown.",
  options     = {
    { "ask", "flag", "on a Mac: first have macOS ask for each permission that is missing; answer its dialogs" },
    { "json", "flag", "print one JSON object: ok, version, platform, errors, warnings, checks" },
  },
  notes       = "Exit status: 0 success, 1 something required is missing, 2 usage error",
  log         = "off", -- the checks report what is wrong, without log lines between them
  stoppable   = false,
  run         = run,

  examples = {
    { "says that all is well", args = {}, has = { "perigee 1.2.3 on plan9", "All is well." }, given = {
      ["sys.engine.status"] = { version = "1.2.3" }, ["sys.env.platform"] = "plan9",
      ["doctor.program.checks"] = {
        { id = "files", title = "Files", run = function() return { status = "ok", text = "12" } end } },
    } },
    { "asks only on a Mac", args = { "--ask" }, status = 2, err = "--ask is for macOS",
      given = { ["sys.env.platform"] = "linux" } },
    { "fails where something is missing", args = { "--json" }, status = 1, given = {
      ["sys.engine.status"] = { version = "1.2.3" }, ["sys.env.platform"] = "plan9",
      ["doctor.program.checks"] = {
        { id = "a", title = "A", run = function() return { status = "error", text = "none", next = "Get one." } end },
        { id = "b", title = "B", needs = "a", run = function() error "not reached" end },
      },
    }, has = { '"ok":false', '"errors":1', '"status":"skipped"' } },
  },
}
