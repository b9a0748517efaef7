--- The known dictionaries, by bundle ID and by application name, and the meaning of their terms.

local language = require "applescript.language"
local sdef     = require "applescript.sdef"
local standard = require "applescript.standard"
local suites   = require "applescript.suites"
local sys_text = require "sys.text"

local M = {}

local NEAR = 3              -- terms that a message suggests
local CHAIN = 32            -- classes in a chain of inheritance

---@class applescript.Terms : applescript.Dictionary  a dictionary and its lookups
---@field open boolean  it has terms that are not known: it includes a file that was not followed
---@field id? string
---@field name string
local Terms = {}
Terms.__index = Terms


--- True if one letter is missing, added, wrong or changed places with its neighbor.
---@param a string
---@param b string
---@return boolean
function M.one_slip(a, b)
  if a == b or math.abs(#a - #b) > 1 then return false end
  local i = 1
  while i <= #a and a:byte(i) == b:byte(i) do i = i + 1 end
  if #a ~= #b then return a:sub(i) == b:sub(i + 1) or a:sub(i + 1) == b:sub(i) end
  local swapped = a:sub(i, i) == b:sub(i + 1, i + 1) and a:sub(i + 1, i + 1) == b:sub(i, i)
  return a:sub(i + 1) == b:sub(i + 1) or swapped and a:sub(i + 2) == b:sub(i + 2)
end


--- A word, and the word without each of its letters: two words with one slip between them have one of these in common.
local function shortened(word)
  local list = { word }
  for i = 1, #word do list[i + 1] = word:sub(1, i - 1) .. word:sub(i + 1) end
  return list
end


local function add_term(terms, name)
  local first = name:match "^%S+"
  local list = terms.first[first]
  if not list then
    list = {}
    terms.first[first] = list
  end
  if list[name] then return end
  list[name] = true
  local words = {}
  for word in name:gmatch "%S+" do words[#words + 1] = word end
  list[#list + 1] = { name = name, words = words }
end


local function index_classes(terms)
  for name, class in pairs(terms.classes) do
    add_term(terms, name)
    terms.plurals[class.plural or name .. "s"] = name
    terms.children[class.inherits or ""] = terms.children[class.inherits or ""] or {}
    table.insert(terms.children[class.inherits or ""], name)
  end
  for plural in pairs(terms.plurals) do add_term(terms, plural) end
  for _, map in ipairs { terms.classes, terms.records } do
    for _, class in pairs(map) do
      for name, property in pairs(class.properties) do
        add_term(terms, name)
        terms.owners[name] = terms.owners[name] or {}
        table.insert(terms.owners[name], { class = class, property = property })
      end
    end
  end
end


--- Adds the lookups. `phrases` are names of other dictionaries that may contain terms of this one.
local function index(terms, phrases)
  terms.first, terms.plurals, terms.owners, terms.children, terms.values = {}, {}, {}, {}, {}
  terms.parameters, terms.meanings = {}, {}
  index_classes(terms)
  for name, command in pairs(terms.commands) do
    add_term(terms, name)
    for parameter in pairs(command.parameters) do
      add_term(terms, parameter)
      terms.parameters[parameter] = true
    end
  end
  for key, enumeration in pairs(terms.enumerations) do
    for value in pairs(enumeration.values) do
      add_term(terms, value)
      terms.values[value] = terms.values[value] or {}
      terms.values[value][key] = true
    end
  end
  for phrase in pairs(phrases) do add_term(terms, phrase) end
  for _, list in pairs(terms.first) do
    table.sort(list, function(a, b) return #a.words > #b.words end)
  end
  return setmetatable(terms, Terms)
end


--- The longest term that begins at a token.
---@param line applescript.Line
---@param i integer
---@return string? name
---@return integer? last  the last token of the term
function Terms:term(line, i)
  if line.kinds[i] ~= "word" then return nil end
  local list = self.first[line.texts[i]]
  for _, term in ipairs(list or {}) do
    local fits = true
    for k = 2, #term.words do
      if line.kinds[i + k - 1] ~= "word" or line.texts[i + k - 1] ~= term.words[k] then
        fits = false
        break
      end
    end
    if fits then return term.name, i + #term.words - 1 end
  end
  return nil
end


--- The meanings of a name; nil if it is only a part of a name of AppleScript itself.
---@param name string
---@return {command: boolean, parameter: boolean, class: boolean, property: boolean, value: boolean}?
function Terms:roles(name)
  local roles = self.meanings[name]
  if roles == nil then
    roles = { command = self.commands[name] and true, parameter = self.parameters[name], class = self:class(name) and true,
              property = self.owners[name] and true, value = self.values[name] and true }
    if not next(roles) then roles = false end
    self.meanings[name] = roles
  end
  return roles or nil
end


--- A name as the dictionary writes it.
---@param name string  in lower case
---@return string
function Terms:written(name)
  local thing = self.commands[name] or self.classes[name] or self.owners[name] and self.owners[name][1].property
  if thing and thing.name:lower() == name then return thing.name end
  local key = self.values[name] and next(self.values[name])
  return key and self.enumerations[key].values[name] or name
end


--- The name that differs from a word by one slip, as the dictionary writes it; nil if there is none. The time does not depend
--- on how many names there are.
---@param word string
---@return string?
function Terms:nearly(word)
  if not self.by_part then
    self.by_part = {}
    for _, name in ipairs(self:names()) do
      for _, part in ipairs(self:roles(name) and #name <= 40 and shortened(name) or {}) do
        self.by_part[part] = self.by_part[part] or {}
        table.insert(self.by_part[part], name)
      end
    end
  end
  if #word > 40 then return nil end
  for _, part in ipairs(shortened(word)) do
    for _, name in ipairs(self.by_part[part] or {}) do
      if M.one_slip(word, name) then return self:written(name) end
    end
  end
  return nil
end


--- Every name of the dictionary, in lower case.
---@return string[]
function Terms:names()
  if self.every_name then return self.every_name end
  local names = {}
  for _, list in pairs(self.first) do
    for _, term in ipairs(list) do names[#names + 1] = term.name end
  end
  table.sort(names)
  self.every_name = names
  return names
end


--- True if this name has a meaning as the key of a record.
function Terms:is_key(name)
  return self.owners[name] ~= nil
end


--- A class by its name or its plural.
---@param name string
---@return applescript.Class? class
---@return boolean plural
function Terms:class(name)
  if self.classes[name] then return self.classes[name], false end
  local single = self.plurals[name]
  return single and self.classes[single], single ~= nil
end


--- A class and those that it inherits from, nearest first; the second result is false if some of them are not known.
function Terms:chain(class)
  local list, seen, whole = {}, {}, true
  while class and not seen[class] and #list < CHAIN do
    list[#list + 1], seen[class] = class, true
    if class.partial then whole = false end
    class = class.inherits and self.classes[class.inherits]
  end
  return list, whole
end


--- The property of a class, its own or inherited.
---@param class applescript.Class
---@param name string
---@return applescript.Property?
function Terms:property(class, name)
  for _, one in ipairs((self:chain(class))) do
    if one.properties[name] then return one.properties[name] end
  end
  return nil
end


--- True if the contents of an object stand for it, and have the property: `busy of window 1` is that of the selected tab.
local function has_by_contents(terms, class, name)
  for _, one in ipairs((terms:chain(class))) do
    local shown = one.contents or one.properties.text
    for _, kind in ipairs(shown and shown.types or {}) do
      local other = terms.classes[kind.name]
      if not other or select(2, terms:chain(other)) == false or terms:property(other, name) then return true end
    end
  end
  return false
end


--- True if an object of this class may have the property. A subclass may have it, and classes that are not completely known
--- may.
function Terms:may_have(class, name)
  if standard.ANYTHING[name] then return true end
  local _, whole = self:chain(class)
  if not whole or self:property(class, name) or has_by_contents(self, class, name) then return true end
  local left, seen = { class.name:lower() }, {}
  while #left > 0 do
    local key = table.remove(left)
    for _, child in ipairs(not seen[key] and self.children[key] or {}) do
      local one = self.classes[child]
      if one.partial or one.properties[name] then return true end
      left[#left + 1] = child
    end
    seen[key] = true
  end
  return false
end


--- The names of a class's properties, including inherited ones.
function Terms:properties_of(class)
  local names = {}
  for _, one in ipairs((self:chain(class))) do
    for _, property in pairs(one.properties) do names[#names + 1] = property.name end
  end
  return names
end


local function shares_word(a, b)
  for word in a:lower():gmatch "%w+" do
    if #word > 2 and (" " .. b:lower() .. " "):find(" " .. word .. " ", 1, true) then return true end
  end
  return false
end


--- The most similar names: few letters apart, or with a word in common.
---@param name string
---@param names string[]
---@return string[]
function M.near(name, names)
  local ranked, seen = {}, {}
  for _, other in ipairs(names) do
    local apart = sys_text.distance(name:lower():sub(1, 64), other:lower():sub(1, 64), math.max(1, #name // 3))
    if not seen[other] and other ~= "" and (apart or shares_word(name, other)) then
      seen[other] = true
      ranked[#ranked + 1] = { other, apart or 100 + #other }
    end
  end
  table.sort(ranked, function(a, b)
    if a[2] ~= b[2] then return a[2] < b[2] end
    return a[1] < b[1]
  end)
  local near = {}
  for i = 1, math.min(NEAR, #ranked) do near[i] = ranked[i][1] end
  return near
end


--- The name that is fewest letters apart, and how many; nil if none is near.
---@param name string
---@param names string[]
---@return string? nearest
---@return integer? apart
function M.nearest(name, names)
  local best, apart
  local limit = math.max(1, #name // 4)
  for _, other in ipairs(names) do
    local near = math.abs(#other - #name) <= limit
    local distance = near and (M.one_slip(name, other) and 1 or sys_text.distance(name:sub(1, 64), other:sub(1, 64), limit))
    if distance and distance > 0 and (not apart or distance < apart) then best, apart = other, distance end
  end
  return best, apart
end


--- True if a dictionary includes a file whose terms are not known. Those of Folder Actions are (language.lua).
local function is_open(dictionary)
  for _, note in ipairs(dictionary.notes) do
    if note:find("include", 1, true) and not note:find("FolderActions.sdef", 1, true) then return true end
  end
  return false
end


---@class applescript.Dictionaries
local Dictionaries = {}
Dictionaries.__index = Dictionaries


--- Adds a .sdef file. Its name without the ending is the bundle ID if it contains a dot ("com.apple.Keynote"), otherwise the
--- application's name; its title is also a name. It replaces an earlier one with the same ID or name.
---@param name string
---@param bytes string
---@return applescript.Terms? terms
---@return string? err
---@return string? code
function Dictionaries:add(name, bytes)
  local read, err, code = suites.read(bytes)
  if not read then return nil, ("The dictionary %s cannot be read: %s."):format(name, err), code end
  return self:take(name, read)
end


--- Adds a dictionary that was read before, as add() does.
---@param name string
---@param read applescript.Suites
---@return applescript.Terms
function Dictionaries:take(name, read)
  local dictionary = sdef.view(read)
  local terms = index(dictionary, standard.phrases())
  terms.open = is_open(dictionary)
  local title = dictionary.title:gsub("%s+[Tt]erminology$", "")
  terms.id = name:find(".", 1, true) and name or nil
  terms.name = not terms.id and name or title ~= "" and title or name
  local at = #self + 1
  for i, other in ipairs(self) do
    if (other.id or other.name):lower() == (terms.id or terms.name):lower() then at = i end
  end
  self[at] = terms
  return terms
end


---@param id string
---@return applescript.Terms?
function Dictionaries:by_id(id)
  for _, terms in ipairs(self) do
    if terms.id and terms.id:lower() == id:lower() then return terms end
  end
  return nil
end


--- All dictionaries of applications with this name; of a path the last part is the name.
---@param name string
---@return applescript.Terms[]
function Dictionaries:by_name(name)
  local plain = name:gsub("/+$", ""):match "[^/:]*$":gsub("%.app$", ""):lower()
  local found = {}
  for _, terms in ipairs(self) do
    if terms.name:lower() == plain then found[#found + 1] = terms end
  end
  return found
end


local everywhere

--- The terms of AppleScript itself and its scripting additions.
---@return applescript.Terms
function M.language()
  everywhere = everywhere or index(language.dictionary(), {})
  return everywhere
end


---@return applescript.Dictionaries
function M.new()
  return setmetatable({}, Dictionaries)
end


return M
