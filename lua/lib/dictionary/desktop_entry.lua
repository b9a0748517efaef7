--- The text of a desktop entry (freedesktop.org's specification 1.5): names, words and actions.

local M = {}

---@class dictionary.EntryAction
---@field id string    the name in its group: "new-window"
---@field name string  for people
---@field exec string  the command line

---@class dictionary.Entry
---@field id string
---@field path string
---@field name string
---@field words string         GenericName, Comment and Keywords
---@field mark string          another one when the file changed
---@field exec string
---@field activatable boolean  it can be started, and its actions called, over D-Bus
---@field hidden boolean       menus do not show it
---@field actions dictionary.EntryAction[]

local ESCAPES = { s = " ", n = "\n", t = "\t", r = "\r", ["\\"] = "\\" }


local function unescaped(text) return (text:gsub("\\(.)", ESCAPES)) end


--- Splits a list at the semicolons that have no backslash.
local function list_of(text)
  local items = {}
  for item in ((text or ""):gsub("\\;", "\0") .. ";"):gmatch "([^;]*);" do
    item = unescaped((item:gsub("%z", ";"))):match "^%s*(.-)%s*$"
    if item ~= "" then items[#items + 1] = item end
  end
  return items
end


--- The keys of each group. A text in the user's language stands under its plain name.
local function groups_of(text)
  local groups, keys = {}, {}
  for line in text:gmatch "[^\r\n]+" do
    local title = line:match "^%[(.-)%]%s*$"
    if title then
      keys = groups[title] or {}
      groups[title] = keys
    else
      local key, tag, value = line:match "^%s*([%w-]+)%s*(%[?[^%]=]*%]?)%s*=%s*(.-)%s*$"
      if key and (tag ~= "" or not keys[key]) then keys[key] = value end
    end
  end
  return groups
end


--- Reads an entry.
---@param file sys.app.Entry
---@param mark? string
---@return dictionary.Entry
function M.read(file, mark)
  local groups = groups_of(file.text)
  local main = groups["Desktop Entry"] or {}
  local entry = { id = file.id, mark = mark or "", path = file.path, name = unescaped(main.Name or file.id),
    exec = unescaped(main.Exec or ""), activatable = main.DBusActivatable == "true", hidden = main.NoDisplay == "true",
    actions = {} }
  local words = list_of(main.Keywords)
  for _, key in ipairs { "Comment", "GenericName" } do
    if main[key] then table.insert(words, 1, unescaped(main[key])) end
  end
  entry.words = table.concat(words, ", ")
  for _, id in ipairs(list_of(main.Actions)) do
    local action = groups["Desktop Action " .. id]
    if action then
      entry.actions[#entry.actions + 1] = { id = id, name = unescaped(action.Name or id), exec = unescaped(action.Exec or "") }
    end
  end
  return entry
end


--- Splits a command line of an entry, as its specification quotes. Codes for files are left out, because none is opened.
---@param exec string
---@param entry dictionary.Entry
---@return string[]? argv
---@return string? err
---@return string? code
function M.argv(exec, entry)
  local argv, word, at = {}, nil, 1
  local fields = { ["%c"] = entry.name, ["%k"] = entry.path, ["%%"] = "%" }
  while at <= #exec do
    local sign = exec:sub(at, at)
    if sign:find "%s" then
      argv[#argv + 1], word, at = word, nil, at + 1
    elseif sign == '"' then
      local stop = at
      repeat
        stop = exec:find('"', stop + 1, true)
        if not stop then return nil, ("the command line of %s has a quote that is not closed"):format(entry.id), "bad_entry" end
      until #exec:sub(at + 1, stop - 1):match "\\*$" % 2 == 0
      word = (word or "") .. exec:sub(at + 1, stop - 1):gsub('\\([`"$\\])', "%1")
      at = stop + 1
    elseif sign == "%" then
      local code = exec:sub(at, at + 1)
      if fields[code] then word = (word or "") .. fields[code] end
      at = at + 2
    else
      word, at = (word or "") .. sign, at + 1
    end
  end
  argv[#argv + 1] = word
  if not argv[1] then return nil, ("the action of %s has no command line"):format(entry.id), "bad_entry" end
  return argv
end


return M
