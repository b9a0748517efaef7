--- The applications and windows of a run, by the names that it had for them: applications/7 means nothing later.

local M = {}

local DEPTH = 6   -- levels of a result that are searched

---@class macros.OfApplication
---@field said? string      as the run opened it
---@field id? string
---@field display? string
---@field path? string

---@class macros.Resources
---@field applications table<string, macros.OfApplication>  by resource name
---@field windows table<string, {application: string, title: string}>  by resource name
---@field current? string   the resource name of the application that was used last
local Resources = {}
Resources.__index = Resources

---@return macros.Resources
function M.new() return setmetatable({ applications = {}, windows = {} }, Resources) end


local function application_in(text) return text:match "^applications/%d+" end
local function is_application(text) return type(text) == "string" and text:find "^applications/%d+$" ~= nil end
local function is_window(text) return type(text) == "string" and text:find "^applications/%d+/windows/%d+$" ~= nil end

M.is_application, M.is_window = is_application, is_window


function Resources:of(name)
  self.applications[name] = self.applications[name] or {}
  return self.applications[name]
end


local function given(text) return type(text) == "string" and text ~= "" and text or nil end


--- Takes what a table of a result says of an application or a window.
function Resources:take(facts)
  if is_application(facts.name) then
    local of = self:of(facts.name)
    of.id, of.display, of.path = given(facts.id) or of.id, given(facts.display_name) or of.display, given(facts.path) or of.path
  elseif is_window(facts.name) and type(facts.title) == "string" then
    local application = application_in(facts.name)
    self.windows[facts.name] = { application = application, title = facts.title }
    self:of(application).display = self:of(application).display or given(facts.app)
  end
end


function Resources:search(value, depth)
  if type(value) ~= "table" or depth > DEPTH then return end
  self:take(value)
  for _, each in pairs(value) do self:search(each, depth + 1) end
end


--- Takes the lines of results that have no structured content.
function Resources:read(text)
  for line in text:gmatch "[^\n]+" do
    local application, display = line:match "^Opened (applications/%d+) %((.-)%)"
    if application then self:of(application).display = display end
    local name, found, id = line:match "^%- (.-) %((applications/%d+)%), ([^%s,]+)"
    if found then self:take { name = found, display_name = name:gsub('^"(.*)"$', "%1"), id = id:find "%." and id or nil } end
    local title, window, app = line:match '^%- "(.-)" %((applications/%d+/windows/%d+)%), ([^,]+)'
    if window then self:take { name = window, title = title, app = app } end
  end
end


--- Learns from a call.
---@param made macros.Made
function Resources:add(made)
  if made.structured ~= nil then self:search(made.structured, 1) else self:read(made.text or "") end
  local facts = type(made.structured) == "table" and made.structured or {}
  local opens = made.tool == "open_application"
  local found = type(facts.application) == "table" and facts.application.name or facts.application
    or opens and (made.text or ""):match "applications/%d+"
  if not is_application(found) then return end
  if opens then self.current = found end
  local said, of = given(made.arguments.application or made.arguments.name), self:of(found)
  if said and not is_application(said) and not is_window(said) and (opens or not of.said) then of.said = said end
end


local function same(a, b) return a ~= nil and a:lower() == b:lower() end


--- The resource name of the application that a call names.
---@param said string
---@return string?
function Resources:resource(said)
  if is_application(said) then return said end
  if is_window(said) then return application_in(said) end
  for name, of in pairs(self.applications) do
    if same(of.said, said) or same(of.id, said) or same(of.display, said) or of.path == said
      or same(of.path and of.path:match "[^/]*$", said) then return name end
  end
end


--- The name of an application that lasts; nil: nothing but its number is known.
---@param said? string  default: the one that was used last
---@return string? name
---@return string? resource
function Resources:application(said)
  local resource = said and self:resource(said) or not said and self.current or nil
  local of = resource and self.applications[resource]
  local name = of and (of.said or of.id or of.display)
  if not name and said and not is_application(said) and not is_window(said) then name = said end
  return name, resource
end


--- The title of a window that a call names, and the application that it is of.
---@param said string
---@return string? title
---@return string? application  its resource name
function Resources:window(said)
  local known = self.windows[said]
  if known then return known.title, known.application end
  if is_window(said) then return nil, application_in(said) end
  for _, each in pairs(self.windows) do
    if each.title == said then return said, each.application end
  end
  return said, nil
end


return M
