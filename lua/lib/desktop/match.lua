--- Finds the running application that a person or a model means: by process ID, ID, name, the start of a name, a word of it,
--- letters in their order, or a name with a typo.
---
-- The kinds of matches have ranks. The best kind that any application has decides. If two applications have it, the query is
-- refused and both are listed, because a guess would act on the wrong one.

local app_names = require "app_names"
local letters   = require "letters"
local listable  = require "desktop.listable"
local quoting   = require "desktop.quoting"
local sys_text  = require "sys.text"

local M = {}

local SCORES = {
  pid = 1, id = 1, name = 0.98, name_any_case = 0.96, executable = 0.94, joined = 0.9,
  prefix = 0.8, word = 0.7, part = 0.6, letters = 0.45, typo = 0.3,
}
local SHOWN = 10        -- candidates in an error's text
local LETTERS_MIN = 3   -- letters of a query that may be spread over a name, at least


-- --- text -----------------------------------------------------------------------

local function is_letter(c)
  if c < 0xAA then return c >= 97 and c <= 122 or c >= 48 and c <= 57 end
  return c ~= 0xD7 and c ~= 0xF7 and not (c >= 0x2000 and c <= 0x206F)
end


--- The text in the form that is compared: its letters and digits alone as one string ("texteditor"), and the words they make.
---@class desktop.match.Text
---@field codes integer[]
---@field whole string    folded, without spaces at the ends
---@field joined string   letters and digits only
---@field words string[]  in order

---@param text string
---@return desktop.match.Text
local function read(text)
  -- A capital after a small letter begins a word: "TextEditor".
  local spaced = text:gsub("(%l)(%u)", "%1\1%2")
  local words, word, joined = {}, {}, {}
  for _, c in ipairs(letters.codes(spaced)) do
    if is_letter(c) then
      word[#word + 1] = utf8.char(c)
      joined[#joined + 1] = c
    elseif #word > 0 then
      words[#words + 1] = table.concat(word)
      word = {}
    end
  end
  if #word > 0 then words[#words + 1] = table.concat(word) end
  local whole = {}
  for i, c in ipairs(letters.codes(text:match "^%s*(.-)%s*$")) do whole[i] = utf8.char(c) end
  local chars = {}
  for i, c in ipairs(joined) do chars[i] = utf8.char(c) end
  return { codes = joined, whole = table.concat(whole), joined = table.concat(chars), words = words }
end


--- The number of typos that text of this length may have: one, and one more for every four letters; none in a short one.
local function reach(length)
  return length < 3 and 0 or 1 + (length - 1) // 4
end


-- --- one text against one name ------------------------------------------------------------

local function starts(text, part)
  return text:sub(1, #part) == part
end


--- True if every word of the query begins another word of the name, in order.
local function words_fit(query, name)
  local at = 1
  for _, word in ipairs(query.words) do
    while name.words[at] and not starts(name.words[at], word) do at = at + 1 end
    if not name.words[at] then return false end
    at = at + 1
  end
  return #query.words > 0
end


--- Their closeness, up to 1, if the letters occur in this order and the first one begins a word; otherwise nil.
local function letters_fit(query, name)
  if #query.codes < LETTERS_MIN then return nil end
  local first = utf8.char(query.codes[1])
  local begins = false
  for _, word in ipairs(name.words) do begins = begins or starts(word, first) end
  if not begins then return nil end
  local at, from = 1, nil
  for i, c in ipairs(name.codes) do
    if c == query.codes[at] then
      from = from or i
      at = at + 1
      if not query.codes[at] then return #query.codes / (i - from + 1) end
    end
  end
  return nil
end


--- The fewest typos between the query and the name, one of its words, or its beginning; nil: there are too many.
local function typos(query, name)
  local most = reach(#query.codes)
  if most == 0 then return nil end
  local best = sys_text.distance(query.joined, name.joined, most)
  local function try(text)
    local count = sys_text.distance(query.joined, text, best and best - 1 or most)
    if count then best = count end
  end
  if best ~= 0 then
    for _, word in ipairs(name.words) do
      if best ~= 0 then try(word) end
    end
    if best ~= 0 and #name.codes > #query.codes then
      try(name.joined:sub(1, utf8.offset(name.joined, #query.codes + 1) - 1))
    end
  end
  return best
end


---@class desktop.match.Name
---@field text desktop.match.Text
---@field exact string  the kind of match for equal text: "name_any_case", "executable"

--- The kind of match with one name of an application, and its quality within the kind, up to 1.
---@param query desktop.match.Text
---@param name desktop.match.Name
---@return string? kind
---@return number? quality
local function fit(query, name)
  local text = name.text
  if query.whole == text.whole then return name.exact, 1 end
  if query.joined == "" then return nil end
  local covered = #query.joined / math.max(#text.joined, 1)
  if query.joined == text.joined then return "joined", 1 end
  if starts(text.joined, query.joined) then return "prefix", covered end
  if words_fit(query, text) then return "word", covered end
  if #query.codes >= LETTERS_MIN and text.joined:find(query.joined, 1, true) then return "part", covered end
  local close = letters_fit(query, text)
  if close then return "letters", close end
  local count = typos(query, text)
  if count then return "typo", 1 - count / math.max(#query.codes, 1) end
  return nil
end


-- --- one text against an application ---------------------------------------------------------

--- The names of an application: its name, the last part of its ID, the file name of its program.
local function names_of(app)
  local names = { { text = read(app.name), exact = "name_any_case" } }
  local last = app.id:gsub("%.desktop$", ""):match "([^%.]+)$"
  local file = app.path:match "([^/]+)$"
  if last then names[#names + 1] = { text = read(last), exact = "executable" } end
  if file then names[#names + 1] = { text = read(file), exact = "executable" } end
  return names
end


--- The number in "42", "PID:42" or "pid 42".
local function pid_of(query)
  local digits = query:match "^%s*(%d+)%s*$" or query:match "^%s*[Pp][Ii][Dd]%s*[:=]?%s*(%d+)%s*$"
  return digits and math.tointeger(tonumber(digits))
end


---@param app sys.app.App
---@param query string
---@param text desktop.match.Text
---@return string? kind
---@return number? quality
local function kind_of(app, query, text)
  if app.pid ~= 0 and pid_of(query) == app.pid then return "pid", 1 end
  local plain = query:match "^%s*(.-)%s*$"
  if plain == "" then return nil end
  if app.id ~= "" and (plain:lower() == app.id:lower() or plain:lower() == app.id:lower() .. ".desktop") then return "id", 1 end
  if plain == app.path and plain ~= "" then return "id", 1 end
  if plain == app.name then return "name", 1 end
  local wanted, best, quality = letters.fold(plain), nil, nil
  if app_names.names_app(app, wanted) then return "name_any_case", 1 end
  if #wanted >= LETTERS_MIN and letters.fold(app.id):sub(1, #wanted) == wanted then best, quality = "prefix", #plain / #app.id end
  for _, name in ipairs(names_of(app)) do
    local kind, how_good = fit(text, name)
    if kind and (not best or SCORES[kind] > SCORES[best] or kind == best and how_good > quality) then
      best, quality = kind, how_good
    end
  end
  return best, quality
end


---@class desktop.Match
---@field app sys.app.App
---@field score number  up to 1
---@field kind "pid"|"id"|"name"|"name_any_case"|"executable"|"joined"|"prefix"|"word"|"part"|"letters"|"typo"
---@field quality number  within the kind, up to 1

--- All applications that match, best first.
---@param apps sys.app.App[]
---@param query string
---@return desktop.Match[]
function M.rank(apps, query)
  local text, list = read(query), {}
  for _, app in ipairs(apps) do
    local kind, quality = kind_of(app, query, text)
    if kind then list[#list + 1] = { app = app, kind = kind, quality = quality, score = SCORES[kind] + 0.015 * (quality - 1) } end
  end
  table.sort(list, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    if a.app.name ~= b.app.name then return a.app.name < b.app.name end
    return a.app.pid < b.app.pid
  end)
  return list
end


--- "Text Editor (org.gnome.TextEditor, PID 42)"
---@param app sys.app.App
---@return string
function M.label(app)
  local facts = app.id ~= "" and quoting.name(app.id) .. ", " or ""
  return ("%s (%sPID %d)"):format(quoting.name(app.name), facts, app.pid)
end


local function labels(apps)
  local list = {}
  apps = listable.those(apps, listable.application)
  if #apps == 0 then return "none that the policy lets you list" end
  for i = 1, math.min(#apps, SHOWN) do list[i] = M.label(apps[i]) end
  local more = #apps > SHOWN and (" and %d more"):format(#apps - SHOWN) or ""
  return table.concat(list, "; ") .. more
end


--- The applications that match equally well. Among names with typos the fewest typos win.
local function equals(list)
  local best, apps = list[1], {}
  for _, match in ipairs(list) do
    if match.kind == best.kind and (match.kind ~= "typo" or match.quality == best.quality) then apps[#apps + 1] = match.app end
  end
  return apps
end


--- Text from outside for a sentence: quoted, on one line, and not too long.
---@param query string
---@return string
function M.quoted(query) return quoting.quote(query, 80) end


--- The one application that the query means.
---@param apps sys.app.App[]
---@param query string
---@return sys.app.App? app
---@return string match_or_err  the kind of match, or what failed
---@return string? code         "app_not_found", "app_ambiguous"
---@return sys.app.App[]? candidates  the applications that an ambiguous query matches
function M.find(apps, query)
  local list = M.rank(apps, query)
  if #list == 0 then
    local others = #apps == 0 and "No application is running." or "Running: " .. labels(apps) .. "."
    return nil, ("No running application matches %s. %s"):format(M.quoted(query), others), "app_not_found"
  end
  local best = equals(list)
  if #best == 1 then return best[1], list[1].kind end
  return nil, ("%s matches %d applications: %s. Use a full name or ID that matches only one, or \"PID:%d\".")
    :format(M.quoted(query), #best, labels(best), best[1].pid), "app_ambiguous", best
end


return M
