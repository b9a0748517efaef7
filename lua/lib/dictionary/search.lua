--- Finds commands, properties and actions of applications by what they do.
--
-- Each of them is a row, and a curated example is a further row, which leads to its command. A question's word also finds the
-- words that mean the same (dictionary.rings); a word of an application counts for all its rows. The best matches are then judged
-- a second time, by how much of their name the question explains.

local rank  = require "rank"
local rows  = require "dictionary.rows"
local task  = require "sys.task"
local words = require "dictionary.words"

local M = {}

local MATE     = 0.7     -- a word of the same ring, against the word itself
local WEAK     = 0.3     -- a word that says little
local PREFIX   = 0.6     -- the word begins with it
local EVER     = 0.3     -- weight of a word that is in all rows; a word that is in none has 1 more
local SIFTED   = 0.3     -- of the best first score: matches below it are not judged a second time
local KINDS    = { command = 1.3, action = 1.3, property = 1 }
local COMMON   = 0.8     -- a row of the suite that all applications share
local STOPPED  = 0.8     -- a row of an application that has to be started first
local NAME, TASK, ABOUT = 7, 6, 3   -- weights: of an application's words among its own, of an example, of an application
local NAMED    = 2.5     -- the question names the application
local RARE     = 5       -- rows; an application's name that is in more is also an ordinary word
local LIMIT    = 10

---@class dictionary.Found : dictionary.Row
---@field score number        the best has the greatest; only the order means something
---@field example? dictionary.Example  one that does it

---@class dictionary.Entry  a row of the index
---@field row dictionary.Row
---@field names string[]   the words of its name, or of an example's task
---@field factor number
---@field example? dictionary.Example

---@class dictionary.Index
---@field private rows rank.Index
---@field private apps rank.Index
---@field private entries table<integer, dictionary.Entry>  by place
---@field private models table<integer, table>   by group; searches run in turns with changes, so a change replaces the table
---@field private groups table<string, integer>  by id
---@field private count integer   groups so far
local Index = {}
Index.__index = Index


---@return dictionary.Index
function M.new()
  return setmetatable({ rows = rank.new(), apps = rank.new(), entries = {}, models = {}, groups = {}, count = 0 }, Index)
end


-- --- changes ----------------------------------------------------------------------------------------

--- Names by which a question may mean the application, as text and as words.
local function own_names(model)
  local names = {}
  for _, text in ipairs { model.name, model.id:match "[^.]*$" } do
    local list = words.of(text)
    if #list > 0 then names[#names + 1] = { text = text, words = list } end
  end
  return names
end


--- The interfaces of D-Bus, by which a caller may name the application.
local function interfaces_of(model)
  local set = {}
  for _, suite in ipairs(model.source == "dbus" and model.suites or {}) do set[(suite.name or ""):lower()] = true end
  return set
end


--- The row of an example whose command is not known because the application does not run; nil of any other example.
local function row_of(model, example)
  local call = example.call
  if model.source ~= "desktop" or not call or call.desktop then return nil end
  return { id = model.id, app = model.name, kind = call.member and "command" or call.property and "property" or "action",
    name = example.command, description = "Only while the application runs: start it with open_application.", args = {} }
end


--- Adds the examples of a dictionary by the names of their commands. Those of D-Bus name a property without its class.
local function add_examples(index, model, examples, by_name, group, places)
  for _, example in ipairs(examples) do
    local key = example.command:lower()
    local row = not by_name[key] and row_of(model, example)
    if row then by_name[key] = { row = row, weight = STOPPED } end
    local entry = by_name[key]
    if entry then
      local text = words.asked(example.task)
      local place = index.rows:add({ { TASK, text } }, group)
      index.entries[place] = { row = entry.row, names = text, factor = KINDS[entry.row.kind] * (entry.weight or 1),
        example = example }
      entry.example = entry.example or example
      places[#places + 1] = place
    end
  end
end


local function add_rows(index, model, group, examples)
  local by_name, places = {}, {}
  rows.each(model, function(row, parts, name, common)
    local place = index.rows:add(parts, group)
    local entry = { row = row, names = name, factor = KINDS[row.kind] * (common and COMMON or 1) }
    index.entries[place], places[#places + 1] = entry, place
    local key = row.name:lower()
    by_name[key] = by_name[key] or entry
    local short = model.source == "dbus" and row.kind == "property" and key:match "[^.]*$"
    if short then by_name[short] = by_name[short] or entry end
  end)
  add_examples(index, model, examples, by_name, group, places)
  return places
end


local function with(models, group, known)
  local copy = {}
  for other, each in pairs(models) do copy[other] = each end
  copy[group] = known
  return copy
end


local function remove(index, id)
  local group = index.groups[id]
  if not group then return end
  local known = index.models[group]
  index.groups[id], index.models = nil, with(index.models, group, nil)
  index.apps:remove(known.place)
  for _, place in ipairs(known.places) do
    index.rows:remove(place)
    index.entries[place] = nil
  end
end


--- Adds a dictionary, in place of the one with the same id.
---@param model dictionary.Model
---@param curation? dictionary.Curation  words and examples about it
function Index:add(model, curation)
  local held <close> = task.lock "dictionary.search"
  remove(self, model.id)
  self.count = self.count + 1
  local group, about = self.count, words.of(((curation and curation.words) or "") .. " " .. (model.words or ""))
  local names = own_names(model)
  for _, name in ipairs(names) do table.move(name.words, 1, #name.words, #about + 1, about) end
  local known = { id = model.id:lower(), name = model.name:lower(), names = names, interfaces = interfaces_of(model),
    place = self.apps:add({ { NAME, about } }, group) }
  known.places = add_rows(self, model, group, curation and curation.examples or {})
  self.models, self.groups[model.id] = with(self.models, group, known), group
end


---@param id string
function Index:remove(id)
  local held <close> = task.lock "dictionary.search"
  remove(self, id)
end


---@return integer rows  with those of examples
function Index:count_rows()
  return self.rows:size()
end


-- --- a question -------------------------------------------------------------------------------------

--- The words of a term: the question's word, and those of its rings; if no row has any, those that begin with it.
local function term_of(index, word, weak)
  local found, mates = { { word, 1 } }, weak and {} or words.mates(word)
  local heard, all = index.rows:frequency(word), index.rows:size()
  for other in pairs(mates) do
    found[#found + 1] = { other, MATE }
    heard = heard + index.rows:frequency(other) // 2
  end
  if heard == 0 and #word > 4 then
    index.rows:each_match(word, function(whole, fit)
      if fit > 0.5 then found[#found + 1] = { whole, PREFIX } end
    end)
  end
  local rarity = math.log(1 + all / (1 + heard)) / math.log(1 + all)
  return { weight = (weak and WEAK or 1) * (EVER + rarity), words = found }
end


--- For each group the points that its application's words give to a term.
local function given_by_apps(index, term)
  local given = {}
  local hits = index.apps:hits { term }
  for _, place in ipairs(hits.places) do given[hits.groups[place]] = hits.points[place] / NAME * ABOUT end
  return given
end


--- The groups that a caller means by `app`; nil: all.
local function meant(index, app)
  if not app then return nil end
  local only, wanted = {}, app:lower()
  for group, known in pairs(index.models) do
    only[group] = known.id == wanted or known.name == wanted or known.id:sub(-#wanted - 1) == "." .. wanted
      or known.interfaces[wanted]
  end
  return only
end


--- The groups that a question names, and the words that do nothing else. A name of ordinary words ("Notes") is meant only where
--- it is written as a name.
local function named(index, query, asked)
  local has, groups, used = {}, {}, {}
  for _, word in ipairs(asked) do has[word] = true end
  for group, known in pairs(index.models) do
    for _, name in ipairs(known.names) do
      local all, ordinary = true, true
      for _, word in ipairs(name.words) do
        all = all and has[word]
        ordinary = ordinary and index.rows:frequency(word) > RARE
      end
      if all and (not ordinary or query:find(name.text, 1, true)) then
        groups[group] = true
        for _, word in ipairs(name.words) do used[word] = not ordinary or used[word] end
      end
    end
  end
  return groups, used
end


local function ask(index, query)
  local asked, weak = words.asked(query)
  local groups, used = named(index, query, asked)
  local question = { terms = {}, weight = 0, fits = {}, named = groups }
  for _, word in ipairs(asked) do
    if not used[word] then
      local term = term_of(index, word, weak[word])
      question.terms[#question.terms + 1] = term
      question.weight = question.weight + term.weight
      for _, one in ipairs(term.words) do question.fits[one[1]] = math.max(question.fits[one[1]] or 0, one[2]) end
    end
  end
  for _, term in ipairs(question.terms) do term.given = given_by_apps(index, term) end
  return question
end


--- For each group what the words of its application add to all its rows.
local function extras_of(index, question)
  local extras = {}
  for group in pairs(index.models) do
    local points, matched = 0, 0
    for _, term in ipairs(question.terms) do
      local given = term.given[group]
      if given then points, matched = points + given, matched + term.weight end
    end
    extras[group] = { points = points, matched = matched, factor = question.named[group] and NAMED or 1 }
  end
  return extras
end


--- Returns {entry, score}[] of the hits that may come first. One that was removed meanwhile is left out.
local function sift(index, hits, question)
  local extras, most, scores, kept = extras_of(index, question), 0, {}, {}
  local entries, groups, points, matched = index.entries, hits.groups, hits.points, hits.matched
  for i, place in ipairs(hits.places) do
    local extra, entry, score = extras[groups[place]], entries[place], 0
    if extra and entry then
      score = (points[place] + extra.points) * (matched[place] + extra.matched) * extra.factor * entry.factor
      if score > most then most = score end
    end
    scores[i] = score
  end
  for i, place in ipairs(hits.places) do
    if scores[i] > most * SIFTED then kept[#kept + 1] = { entry = entries[place], score = scores[i] / question.weight } end
  end
  return kept
end


--- How much of a name the question explains: 0 to 1.
local function explained(names, fits)
  local sum = 0
  for _, word in ipairs(names) do sum = sum + (fits[word] or 0) end
  return #names > 0 and sum / #names or 0
end


--- The best of each row, by application and name.
local function best_of(candidates, fits)
  local best, list = {}, {}
  for _, one in ipairs(candidates) do
    local row = one.entry.row
    local key, score = row.id .. "\n" .. row.name, one.score * (1 + explained(one.entry.names, fits))
    local known = best[key]
    if not known then
      known = { score = -1, key = key }
      best[key], list[#list + 1] = known, known
    end
    if score > known.score then known.score, known.entry = score, one.entry end
    known.example = known.example or one.entry.example
  end
  table.sort(list, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    return a.key < b.key
  end)
  return list
end


---@param query string
---@param options? {app?: string, limit?: integer}  app: an id, a name, the last part of an id, or an interface
---@return dictionary.Found[]  best first
function Index:search(query, options)
  local question, found = ask(self, query), {}
  local hits = self.rows:hits(question.terms, meant(self, options and options.app))
  local list = best_of(sift(self, hits, question), question.fits)
  for i = 1, math.min(#list, options and options.limit or LIMIT) do
    local one, row = list[i], list[i].entry.row
    found[i] = { id = row.id, app = row.app, kind = row.kind, name = row.name, description = row.description, args = row.args,
                 score = one.score, example = one.entry.example or one.example }
  end
  return found
end


return M
