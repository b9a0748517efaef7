--- The texts that were copied, once the history is on.

local clipboard = require "sys.clipboard"
local clips     = require "desktop.clips"
local fail      = require "desktop.fail"
local inputs    = require "desktop.inputs"
local json      = require "sys.json"
local s         = require "schema"
local state     = require "sys.state"

local CHARACTERS = 2000


---@return boolean? ok
---@return string? err
---@return string? code
local function keep(entries)
  local ok, err, code = clipboard.keep_history { entries = entries }
  if ok then state.open("desktop").clipboard_keep = entries end
  return ok, err, code
end


local function text_of(entries, keeping)
  if keeping == 0 then
    return "The history is off: call with keep = 20, say, to remember the texts that are copied from then on."
  end
  local lines = { ("The last %d texts are remembered from when it was asked for. %s"):format(keeping,
    #entries == 0 and "Nothing was copied since." or "Newest first:") }
  for _, entry in ipairs(entries) do
    lines[#lines + 1] = ("%s  %s%s"):format(entry.time, entry.text:gsub("%c", " "), entry.text_cut and "..." or "")
  end
  return table.concat(lines, "\n")
end


---@param args {keep?: integer, max_characters?: integer}
---@param call Call
local function run(args, call)
  if args.keep then
    local ok, err, code = keep(args.keep)
    if not ok then return fail.with(err, code) end
  end
  local keeping = state.open("desktop").clipboard_keep or 0
  local entries = {}
  if keeping > 0 then
    local found, err, code = clipboard.history()
    if not found then return fail.with(err, code) end
    for i, entry in ipairs(found) do
      local text, cut = clips.cut(entry.text, args.max_characters or CHARACTERS)
      entries[i] = { time = inputs.utc(entry.when), text = text, text_cut = cut, length = utf8.len(entry.text) or #entry.text }
    end
  end
  return call:result {
    content = { { type = "text", text = text_of(entries, keeping) } },
    structuredContent = { keeping = keeping, entries = json.array(entries) },
  }
end


---@type Tool
return {
  title        = "Clipboard history",
  description  = "List the texts that were copied since the history was turned on with `keep`. It is off at first, lives in "
              .. "memory only, and leaves out what a password manager marked and texts above 64 kB.",
  inputSchema  = s.object {
    { "keep", s.integer("Remember so many texts from now on; 0: stop and forget them.",
      { optional = true, minimum = 0, maximum = 100 }) },
    { "max_characters", s.integer("Of each text; the rest is cut.",
      { optional = true, minimum = 1, maximum = 65536, default = CHARACTERS }) },
  },
  outputSchema = s.object {
    { "keeping", s.integer "How many texts are remembered; 0: the history is off." },
    { "entries", s.array(s.object {
      { "time", s.string "When it was copied, UTC." },
      { "text", s.string "What was copied." },
      { "text_cut", s.boolean "It is longer." },
      { "length", s.integer "All its characters." },
    }, "Newest first.") },
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = true },
  listed       = false,
  codes        = fail.told("NOT_SUPPORTED"),

  run = run,

  examples = {
    { "says that it is off", args = {}, want = { keeping = 0 }, has = { "The history is off" } },

    { "is turned on, and lists",
      given = { ["sys.clipboard.keep_history"] = true,
                ["sys.clipboard.history"] = function() return { { text = "copied", when = 1795312800 } } end },
      args  = { keep = 20 },
      want  = { keeping = 20, entries = { { text = "copied", text_cut = false, length = 6, time = "2026-11-22T02:00:00Z" } } },
      has   = { "2026-11-22T02:00:00Z  copied" },
      did   = { "clipboard.keep_history entries=20", "clipboard.history" } },
  },
}
