--- The clipboard history for get_clipboard_history: how many copies are kept, and entries as facts and text.

local clipboard = require "sys.clipboard"
local clips     = require "desktop.clips"
local inputs    = require "desktop.inputs"
local quoting   = require "desktop.quoting"
local state     = require "sys.state"

local M = {}

local IMAGE_MAX = 5 << 20  -- bytes that are returned; a result has its limit


--- Sets how many copies the history keeps from now on.
---@param entries integer
---@return boolean? ok
---@return string? err
---@return string? code
function M.keep(entries)
  local ok, err, code = clipboard.keep_history { entries = entries }
  if ok then state.open("desktop").clipboard_keep = entries end
  return ok, err, code
end


local function line_of(number, entry)
  local shown = entry.text or entry.files and table.concat(entry.files, ", ") or entry.html
    or ("an image of %d bytes"):format(entry.image.size)
  local more = (entry.text_cut or not entry.text and entry.html_cut) and "..." or ""
  return ("%d  %s  %s%s"):format(number, entry.time, quoting.plain(shown), more)
end


---@param entries table[]  facts
---@param keeping integer
---@param first integer     number of the first entry
---@return string
function M.text(entries, keeping, first)
  if keeping == 0 then
    return "The history is off. To record what is copied from now on, pass keep, for example keep=20."
  end
  local lines = { ("The history keeps the last %d copies. %s"):format(keeping,
    #entries == 0 and "Nothing has been copied yet." or first == 1 and "Newest first:" or "One of them:") }
  for i, entry in ipairs(entries) do lines[#lines + 1] = line_of(first + i - 1, entry) end
  return table.concat(lines, "\n")
end


local function facts_of(entry, most)
  return clips.facts(entry.parts, most, { time = inputs.utc(entry.when) })
end


--- One complete entry, and its image for the result's content.
---@param entry {parts: table<string, string>, when: number}
---@param most integer  characters of text
---@param call Call
function M.one(entry, most, call)
  local image = entry.parts["image/png"]
  return { facts_of(entry, most) }, image and #image <= IMAGE_MAX and call:image(image, "image/png") or nil
end


--- The entries for a list. HTML is omitted if the entry also has text.
---@param most integer  characters of text
function M.list(found, most)
  local entries = {}
  for i, entry in ipairs(found) do
    entries[i] = facts_of(entry, most)
    if entries[i].text then entries[i].html, entries[i].html_cut = nil, nil end
  end
  return entries
end


return M
