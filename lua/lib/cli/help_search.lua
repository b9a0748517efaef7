--- Searches what `perigee help` can show for words: commands, tools, Lua functions and pages.

local declaration = require "cli.declaration"
local engine      = require "sys.engine"
local modules     = require "cli.lua_modules"
local pages       = require "cli.pages"
local stubs       = require "stubs"
local text        = require "terminal.text"

local M = {}

local MOST   = 8    -- the limit of printed matches of a kind
local COLUMN = 28

---@class help_search.Match
---@field name string
---@field about string

---@class help_search.Found
---@field commands help_search.Match[]
---@field tools help_search.Match[]
---@field lua help_search.Match[]
---@field pages help_search.Match[]


--- Returns a function that tells whether a text has all words, in any case. Names of keys may have underscores, which the table
--- of names leaves out: Page_Down.
local function matcher(words)
  local wanted = {}
  for word in words:lower():gmatch "%S+" do wanted[#wanted + 1] = { word, (word:gsub("(%w)_%f[%w]", "%1")) } end
  return function(...)
    local all = table.concat({ ... }, " "):lower()
    for _, word in ipairs(wanted) do
      if not all:find(word[1], 1, true) and not all:find(word[2], 1, true) then return false end
    end
    return true
  end
end


local function search_commands(has, io)
  local list = {}
  for _, declared in ipairs(declaration.all(io.host)) do
    if has(declared.name, declared.summary, declared.description or "") then
      list[#list + 1] = { name = declared.name, about = declared.summary }
    end
  end
  return list
end


local function search_tools(has)
  local list = {}
  for _, tool in ipairs(engine.tools()) do
    local about = text.summary(tool.description)
    if has(tool.name, tool.title or "", about) then list[#list + 1] = { name = tool.name, about = about } end
  end
  return list
end


local function search_lua(has)
  local list = {}
  local function add(name, about)
    about = text.summary(about)
    if has(name, about) then list[#list + 1] = { name = name, about = about } end
  end
  for _, module in ipairs(modules.names()) do
    local stub = stubs.of(module)
    if stub then add(module, stub.about) end
    for _, name in ipairs(stub and stub.order or {}) do
      if name ~= "" then add(module .. "." .. name, stub.functions[name].about) end
    end
  end
  return list
end


local function search_pages(has, io)
  local headings, lines = {}, {}
  for _, name in ipairs(pages.names(io)) do
    local page = pages.read(name, io) or ""
    for _, place in ipairs(has(page) and pages.places(page, has) or {}) do   -- most pages lack a word: no line of them is read
      local list = place.line and lines or headings
      list[#list + 1] = { name = name .. ".md", about = place.heading .. (place.line and ": " .. place.line or "") }
    end
  end
  return table.move(lines, 1, #lines, #headings + 1, headings)
end


---@param words string
---@param io perigee.IO
---@return help_search.Found
function M.find(words, io)
  local has = matcher(words)
  return { commands = search_commands(has, io), tools = search_tools(has), lua = search_lua(has), pages = search_pages(has, io) }
end


---@param found help_search.Found
---@return boolean
function M.is_empty(found) return #found.commands + #found.tools + #found.lua + #found.pages == 0 end


--- Prints rows under a title, with the number of those that are left out.
---@param title string
---@param list help_search.Match[]
---@param io perigee.IO
---@param most integer
function M.print_rows(title, list, io, most)
  if #list == 0 then return end
  local width = 0
  for i = 1, math.min(#list, most) do width = math.max(width, math.min(text.width(list[i].name), COLUMN)) end
  io:print(text.paint(io.color, "bold", title))
  for i = 1, math.min(#list, most) do
    local name = list[i].name
    local used = 4 + math.max(width, text.width(name))
    io:print(("  %s  %s"):format(text.paint(io.color, "cyan", text.pad(name, width)),
      text.cut(text.clean(list[i].about), (io.width or 120) - used)))
  end
  if #list > most then io:print(("  ... and %d more; more words find fewer"):format(#list - most)) end
end


--- Prints the matches, by kind.
---@param found help_search.Found
---@param io perigee.IO
function M.print(found, io)
  local titles = { { "commands", "Commands" }, { "tools", "Tools" }, { "lua", "Lua" }, { "pages", "Pages" } }
  for _, title in ipairs(titles) do M.print_rows(title[2], found[title[1]], io, MOST) end
  io:print "Run `perigee help NAME` for one of these."
end


return M
