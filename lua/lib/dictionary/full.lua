--- A dictionary as it is declared, suite by suite. A large one is cut into pages.

local json  = require "sys.json"
local kinds = require "dictionary.kinds"

local M = {}

M.PAGE = 100000         -- bytes of a page: a longer result of a tool is cut, and would be no JSON

local ORDER = { "name", "code", "type", "plural", "inherits", "extends", "list", "access", "required", "default",
                "description", "documentation", "directParameter", "parameters", "result", "properties", "elements", "values",
                "hidden" }


--- The members that nearly everything has.
local function described(thing, members)
  members.name, members.code, members.description = thing.name, thing.code, thing.description
  members.documentation, members.hidden = thing.documentation, thing.hidden
  if thing.synonyms then
    local synonyms = json.array {}
    for _, synonym in ipairs(thing.synonyms) do synonyms[#synonyms + 1] = synonym.name or synonym.code end
    if #synonyms > 0 then members.synonyms = synonyms end
  end
  return json.object(members, ORDER)
end


local function each(list, make)
  local made = json.array {}
  for i, one in ipairs(list) do made[i] = make(one) end
  return made
end


local function parameter_of(parameter)
  return described(parameter, { type = kinds.text(parameter.types), required = parameter.required, default = parameter.default })
end


--- The type of a result: its first one, with all of them if there are more.
local function result_of(result)
  local first = result.types[1]
  local members = { description = result.description, type = kinds.text(result.types) }
  if #result.types == 1 and first.list and not first.of then members.type, members.list = first.name, true end
  return json.object(members, ORDER)
end


--- How a command over D-Bus is called.
local function call_of(call)
  if not call then return nil end
  local members = {}
  for name, value in pairs(call) do members[name] = value end
  return json.object(members, { "kind", "bus", "to", "path", "interface", "member", "signature", "gives" })
end


local function command_of(command)
  return described(command, { directParameter = command.direct and parameter_of(command.direct) or nil,
    parameters = each(command.parameters, parameter_of), result = command.result and result_of(command.result) or nil,
    title = command.title, destructive = command.destructive, deprecated = command.deprecated, opensApp = command.opens_app,
    supportedModes = command.modes, call = call_of(command.call) })
end


local function property_of(property)
  return described(property, { type = kinds.text(property.types), access = property.access, call = call_of(property.call) })
end


local function element_of(element)
  return json.object({ type = element.type, access = element.access, hidden = element.hidden }, ORDER)
end


local function class_of(class)
  return described(class, { plural = class.plural, inherits = class.inherits, extends = class.extends,
    properties = each(class.properties, property_of), elements = each(class.elements or {}, element_of) })
end


local function value_of(value) return described(value, {}) end


local function enumeration_of(enumeration)
  return described(enumeration, { values = each(enumeration.values, value_of) })
end


-- The lists of a suite: their names in the model and in the JSON text, and what makes an item.
local LISTS = { { "commands", "commands", command_of }, { "events", "events", command_of }, { "classes", "classes", class_of },
                { "enumerations", "enumerations", enumeration_of }, { "records", "records", class_of },
                { "values", "valueTypes", value_of } }


--- A suite without its lists, as JSON text without the closing brace.
local function head_of(suite)
  local head = json.object({ name = suite.name or "", code = suite.code, description = suite.description or "",
    documentation = suite.documentation, hidden = suite.hidden, source = suite.source }, { "name", "description", "code" })
  return assert(json.encode(head)):sub(1, -2)
end


--- Writes what of the suites is on each page. An item is never cut.
local Writer = {}
Writer.__index = Writer


function Writer:turn_page()
  self:close_suite()
  self.pages[#self.pages + 1] = self.parts
  self.parts, self.size = {}, 0
end


function Writer:close_suite()
  if not self.in_suite then return end
  self:close_list()
  self:put "}"
  self.in_suite = false
end


function Writer:close_list()
  if self.in_list then self:put "]" end
  self.in_list = nil
end


function Writer:put(text)
  self.parts[#self.parts + 1] = text
  self.size = self.size + #text
end


--- Adds an item to a list of a suite, both of which it opens if they are not open on this page.
function Writer:add(head, name, text)
  local around = #head + #name + #',,"":[]}]'     -- at most what opens and closes them
  if self.size > 0 and self.size + #text + around > self.room then self:turn_page() end
  if not self.in_suite then
    self:put((#self.parts > 0 and "," or "") .. head)
    self.in_suite = true
  end
  if self.in_list ~= name then
    self:close_list()
    self:put((',"%s":['):format(name))
    self.in_list = name
  elseif text ~= "" then
    self:put ","
  end
  self:put(text)
end


--- The suites of each page, as JSON text of at most so many bytes. Only an item that is longer has a longer page.
local function pages_of(model, room)
  local writer = setmetatable({ pages = {}, parts = {}, size = 0, in_suite = false, room = room }, Writer)
  for _, suite in ipairs(model.suites) do
    local head = head_of(suite)
    for _, list in ipairs(LISTS) do
      local items = suite[list[1]] or {}
      if #items == 0 and (list[1] == "commands" or list[1] == "classes") then writer:add(head, list[2], "") end
      for _, item in ipairs(items) do writer:add(head, list[2], assert(json.encode(list[3](item)))) end
    end
    writer:close_suite()
  end
  writer:turn_page()
  for i, parts in ipairs(writer.pages) do writer.pages[i] = table.concat(parts) end
  return writer.pages
end


local ENDS = '{"suites":[],'

--- The members behind the suites of a page, as JSON text without the opening brace.
local function tail_of(model, uri, page, pages)
  local tail = json.object({ version = model.version }, { "version", "page", "pages", "next" })
  if #model.notes > 0 then tail.notes = json.array(model.notes) end
  if pages > 1 then
    tail.page, tail.pages, tail.next = page, pages, page < pages and ("%s?page=%d"):format(uri, page + 1) or nil
  end
  return assert(json.encode(tail)):sub(2)
end


--- The pages as JSON text, each an object with `suites`. If there are several, `next` is the URI of the page after it.
---@param model dictionary.Model
---@param uri string  of the first page
---@return string[] pages
function M.pages(model, uri)
  local pages = pages_of(model, M.PAGE - #ENDS - #tail_of(model, uri, 99998, 99999))
  for i, suites in ipairs(pages) do pages[i] = ('{"suites":[%s],%s'):format(suites, tail_of(model, uri, i, #pages)) end
  return pages
end


return M
