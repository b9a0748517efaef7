--- Writes the events of a run to the log file, the journal, and the output: as lines for a terminal or as JSON.
--
-- A log that cannot be written is reported once and never stops a run. Keys are removed from everything that is written.

local env    = require "sys.env"
local fs     = require "sys.fs"
local hidden = require "sys.secrets"
local log    = require "sys.log"
local report = require "agent.report"
local time   = require "sys.time"

---@class agent.Recorder
---@field run agent.Run
---@field journal string
local recorder = {}
recorder.__index = recorder

local PRIVATE = { private = true }  -- requests, answers and the content of the screen
local OURS    = { private = true, tighten = true }  -- for folders that Perigee names; a folder that the user named may be shared
local SECRETS = { "GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY" }

--- Events that a program that reads JSON lines does not need: they repeat the whole transcript.
local JOURNAL_ONLY = { request = true }

local function folder_of(path)
  return path:match "^(.*)/[^/]*$"
end


--- Returns a short id for one run: six hexadecimal digits.
---@return string
function recorder.run_id()
  return ("%06x"):format(math.random(0, 0xFFFFFF))
end


---@param options agent.Options
---@param run_id string
---@param speaker string
---@return agent.Recorder
function recorder.open(options, run_id, speaker)
  local stamp = time.iso():gsub("%.%d+Z$", "Z"):gsub("[-:]", "")
  local self = setmetatable({
    run     = { run_id = run_id, speaker = speaker, logged = 0 },
    options = options,
    log     = options.log or "logs/agent.log",
    journal = ("%s/%s-%s.jsonl"):format(options.journal or "logs/runs", stamp, run_id),
    pending = {},
    failed  = {},
    secrets = {},
  }, recorder)
  for _, name in ipairs(SECRETS) do
    local value = env.get(name)
    if value and #value >= 6 then self.secrets[#self.secrets + 1] = value end
  end
  local function make_folder_of(path, named)
    local folder = folder_of(path)
    if folder and folder ~= "" then fs.make_folder(folder, named and PRIVATE or OURS) end
  end
  make_folder_of(self.log, options.log)
  make_folder_of(self.journal, options.journal)
  return self
end


function recorder:clean(text)
  text = hidden.without(text)
  for _, secret in ipairs(self.secrets) do
    local at, stop = text:find(secret, 1, true)
    while at do
      text = text:sub(1, at - 1) .. "***" .. text:sub(stop + 1)
      at, stop = text:find(secret, at, true)
    end
  end
  return text
end


function recorder:append(path, text)
  if text == "" or self.failed[path] then return end
  local ok, err = fs.append(path, self:clean(text), PRIVATE)
  if not ok then
    self.failed[path] = true
    log.warn(("cannot write %s: %s"):format(path, err))
  end
end


--- Keeps a line of a server's stderr for the next event to write. It is called where nothing can wait.
---@param line string
function recorder:server_line(line)
  self.pending[#self.pending + 1] = { type = "server", time = time.iso(), line = line }
end


function recorder:flush()
  local events = self.pending
  if #events == 0 then return end
  self.pending = {}
  local lines, records = {}, {}
  for i, event in ipairs(events) do
    lines[i], records[i] = report.log(event, self.run), report.json(event)
  end
  self:append(self.log, table.concat(lines))
  self:append(self.journal, table.concat(records))
end


--- Writes an event to all places for it.
---@param kind string
---@param event table
---@return table event
function recorder:event(kind, event)
  event.type, event.time = kind, time.iso()
  self:flush()
  local record = report.json(event)
  self:append(self.log, report.log(event, self.run))
  self:append(self.journal, record)
  self:show(kind, event, record)
  return event
end


--- Shows an event: progress goes to people and the answer to the output; with JSON every event goes there.
function recorder:show(kind, event, record)
  local options = self.options
  if options.json then
    if not JOURNAL_ONLY[kind] then options.output(self:clean(record)) end
    return
  end
  local text = report.terminal(event, self.run, options.color)
  if text ~= "" then (options.progress or options.output)(self:clean(text)) end
  if kind == "final" then self.answer = report.answer(event) end
  if kind == "outcome" and event.ok and self.answer and options.progress then options.output(self:clean(self.answer .. "\n")) end
end


return recorder
