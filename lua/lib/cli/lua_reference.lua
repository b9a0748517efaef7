--- The reference of the modules that Lua can require, in Markdown: the pages of docs/lua. The same declarations give the same
-- text.

local modules = require "cli.lua_modules"
local stubs   = require "stubs"
local text    = require "terminal.text"

local M = {}

local WIDTH = 120
local LONG  = 80           -- code that may be broken
local BLANK = "\u{E000}"   -- replaces a blank within code, where no line is broken


---@class cli.Page
---@field out fun(line: string)
---@field stub stubs.Stub
---@field examples table<string, string>
---@field head string                   the lines by which the examples require their modules
---@field places table<string, string>  the place that describes a type: "sys.display.md#sysdisplaydisplay"


-- --- text -----------------------------------------------------------------------------------

--- Escapes text so that none of it is HTML or emphasis; code between backticks stays as it is.
local function prose(words)
  local parts, code = {}, false
  for part, tick in words:gmatch "([^`]*)(`?)" do
    parts[#parts + 1] = (code and part or part:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub("%*", "\\*")) .. tick
    if tick ~= "" then code = not code end
  end
  return table.concat(parts)
end


--- Marks error codes and other words in quotes as code.
local function with_codes(words)
  local parts, code = {}, false
  for part, tick in words:gmatch "([^`]*)(`?)" do
    parts[#parts + 1] = (code and part or part:gsub('"([%w_%-%.]+)"', '`"%1"`')) .. tick
    if tick ~= "" then code = not code end
  end
  return table.concat(parts)
end


--- Writes a paragraph or a list item on as many lines as it needs.
local function wrapped(page, words, first, rest)
  local whole = words:gsub("`[^`]*`", function(code)
    return #code < LONG and code:gsub(" ", BLANK) or nil
  end)
  local lines = text.wrap(whole, WIDTH - #rest)
  for i, line in ipairs(lines) do page.out(((i == 1 and first or rest) .. line:gsub(BLANK, " "))) end
end


--- Writes lines as code, without their common indentation.
local function code_block(page, lines)
  local indent = #lines[1]:match "^ *"
  page.out ""
  page.out "```lua"
  for i, line in ipairs(lines) do
    if line ~= "" or i < #lines then page.out(line:sub(indent + 1)) end
  end
  page.out "```"
end


--- Writes comments as Markdown: indented lines are code, the others paragraphs and lists.
local function about(page, words)
  if words == "" then return end
  local paragraph, code = {}, nil
  local function flush()
    if #paragraph > 0 then
      page.out ""
      wrapped(page, with_codes(prose(table.concat(paragraph, " "))), "", "")
    end
    if code then code_block(page, code) end
    paragraph, code = {}, nil
  end
  for line in (words .. "\n"):gmatch "(.-)\n" do
    local inner = line:match "^  %s*%S.*"
    if line == "" and not code then flush()
    elseif (inner or line == "") and (code or #paragraph == 0) then
      code = code or {}
      code[#code + 1] = line
    else
      if code then flush() end
      paragraph[#paragraph + 1] = line:match "^%s*(.-)%s*$"
    end
  end
  flush()
end


-- --- types ----------------------------------------------------------------------------------

local function anchor(heading)
  return (heading:lower():gsub("[^%w_ %-]", ""):gsub(" ", "-"))
end


--- Shows a type as code, with a link to the description of the first class in it.
local function kind(page, type)
  local code = "`" .. type .. "`"
  for name in type:gmatch "[%a_][%w_%.]*" do
    local place = page.places[name]
    if place then
      local file, heading = place:match "^(.-)(#.*)$"
      return ("[%s](%s%s)"):format(code, file == page.stub.name .. ".md" and "" or file, heading)
    end
  end
  return code
end


local function item(page, name, type, optional, words, indent)
  local line = ("%s%s%s%s"):format(name and "`" .. name .. "` " or "", type and kind(page, type) or "",
    optional and not (type or ""):find "%?$" and ", optional" or "", words and ": " .. with_codes(prose(words)) or "")
  wrapped(page, line, indent .. "- ", indent .. "  ")
end


-- --- functions ------------------------------------------------------------------------------

--- The index of the message among the returns, if the error code follows it.
local function failure_at(returns)
  for i = 2, #returns - 1 do
    if returns[i].name == "err" and returns[i + 1].name == "code" then return i end
  end
end


local function write_failure(page, returns, at)
  local err, code, more = returns[at], returns[at + 1], {}
  local words = code.about or err.about
  for i = at + 2, #returns do more[#more + 1] = ", " .. (returns[i].name or "...") end
  wrapped(page, "or `nil, message, code" .. table.concat(more) .. "`" .. (words and ": " .. with_codes(prose(words)) or ""),
    "- ", "  ")
  for i = at + 2, #returns do
    local each = returns[i]
    item(page, each.name, each.type, false, each.about, "  ")
  end
end


local function write_returns(page, fn)
  if #fn.returns == 0 then return end
  local failure = failure_at(fn.returns)
  page.out ""
  page.out "Returns:"
  page.out ""
  for i = 1, failure and failure - 1 or #fn.returns do
    local each = fn.returns[i]
    item(page, each.name, each.type, false, each.about, "")
  end
  if failure then write_failure(page, fn.returns, failure) end
end


local function write_example(page, name)
  local example = page.examples[name]
  if not example then return end
  page.out ""
  page.out "```lua"
  page.out(example)
  page.out "```"
end


local function write_function(page, level, heading, signature, fn)
  local out = page.out
  out ""
  out(level .. " " .. heading)
  out ""
  out("`" .. signature .. "`")
  about(page, fn.about)
  local shown = false
  for _, param in ipairs(fn.params) do shown = shown or param.type ~= nil end
  if shown then
    out ""
    for _, param in ipairs(fn.params) do item(page, param.name, param.type, param.optional, param.about, "") end
  end
  write_returns(page, fn)
end


local function write_type(page, type)
  local out = page.out
  out ""
  out("### " .. type.name)
  about(page, type.about)
  if type.stands_for then
    out ""
    wrapped(page, "Stands for " .. kind(page, type.stands_for) .. ".", "", "")
  end
  if type.extends ~= "" then
    out ""
    wrapped(page, (#type.own > 0 and "Besides these fields, those of " or "The same as ") .. kind(page, type.extends) .. ".",
      "", "")
  end
  if #type.own > 0 then out "" end
  for _, field in ipairs(type.own) do item(page, field.name, field.type, field.optional, field.about, "") end
  for _, fn in ipairs(type.methods) do
    local name = stubs.method_name(type, fn)
    write_function(page, "####", name, stubs.method_signature(type, fn), fn)
    write_example(page, name)
  end
end


-- --- pages ----------------------------------------------------------------------------------

--- Maps each type to the place that describes it.
local function places_of(names)
  local places = {}
  for _, name in ipairs(names) do
    for _, type in ipairs(assert(stubs.of(name), name).types) do
      if type.name ~= name then places[type.name] = places[type.name] or ("%s.md#%s"):format(name, anchor(type.name)) end
    end
  end
  return places
end


local function contents(page)
  local links = {}
  for _, name in ipairs(page.stub.order) do
    if name ~= "" then links[#links + 1] = ("[%s](#%s)"):format(name, anchor(name)) end
  end
  if #links < 2 then return end
  page.out ""
  wrapped(page, table.concat(links, ", "), "", "")
end


--- Writes the fields of the module's table that are not functions.
local function module_fields(page)
  for _, type in ipairs(page.stub.types) do
    if type.name == page.stub.name and #type.own > 0 then
      page.out ""
      for _, field in ipairs(type.own) do item(page, field.name, field.type, field.optional, field.about, "") end
    end
  end
end


--- Returns the comment at the head of a module without the module's name, which the page has as its heading.
local function without_name(stub)
  local words = stub.about:gsub("^sys%.[%w_]+[:,] ", "")
  return (words:gsub("^%l", string.upper))
end


local function write_functions(page)
  local stub, itself = page.stub, page.stub.functions[""]
  if itself then write_function(page, "##", stub.name .. "()", stubs.signature(stub, itself), itself) end
  contents(page)
  if #stub.order > 0 and not itself then
    page.out ""
    page.out "## Functions"
  end
  for _, name in ipairs(stub.order) do
    if name ~= "" then
      write_function(page, "###", name, stubs.signature(stub, stub.functions[name]), stub.functions[name])
      write_example(page, name)
    end
  end
end


local function write_types(page)
  local heading = false
  for _, type in ipairs(page.stub.types) do
    local own = type.name ~= page.stub.name and not type.private
    if own and not heading then
      page.out ""
      page.out "## Types"
      heading = true
    end
    if own then write_type(page, type) end
  end
end


--- Writes the lines by which the examples require their modules.
local function write_head(page)
  if page.head == "" then return end
  page.out ""
  page.out "The examples require:"
  page.out ""
  page.out "```lua"
  page.out(page.head)
  page.out "```"
end


local function write_page(page)
  page.out("# " .. page.stub.name)
  about(page, without_name(page.stub))
  module_fields(page)
  write_head(page)
  write_example(page, "")
  if not modules.ONLY_TYPES[page.stub.name] then write_functions(page) end
  write_types(page)
end


--- Returns the page of a module.
---@param name string
---@return string markdown
function M.page(name)
  local lines, shown = {}, stubs.examples(name)
  write_page {
    out = function(line) lines[#lines + 1] = line end, stub = assert(stubs.of(name), name), examples = shown and shown.of or {},
    head = shown and shown.head or "", places = places_of(modules.names()),
  }
  return table.concat(lines, "\n") .. "\n"
end


--- The functions of a module, for the list of all modules.
local function functions_of(stub)
  local names = {}
  for _, name in ipairs(modules.ONLY_TYPES[stub.name] and {} or stub.order) do
    if name ~= "" then names[#names + 1] = ("`%s`"):format(name) end
  end
  return #names > 0 and " " .. table.concat(names, " ") or ""
end


local HEAD = [[
# What Lua can require

The functions that tools, services, commands and scripts use ([scripts.md](../scripts.md)). `make docs` writes these
pages from the declarations in [lua/types](../../lua/types) and [lua/lib/sys](../../lua/lib/sys). The same is shown by
`perigee help sys.window`, `perigee help sys.window.move`, and `help(sys.window.move)` in `perigee repl`.

- Wrong arguments raise an error. Failures of the world return `nil, message, code`. Codes stay the same from version to
  version, messages do not.
- A function that waits lets other calls go on. Seconds are numbers with fractions. Points are the desktop's, with the
  origin at the top left corner of the main display.
- In a signature, what is in brackets can be omitted. In a type, `?` says that a value may be nil.
- The examples run in the tests. `-->` shows what `print` prints; `...` stands for anything. They act on the desktop in
  memory (`PERIGEE_DESKTOP=fake`).]]


--- Returns the list of all modules.
---@return string markdown
function M.index()
  local lines = { HEAD }
  local page = { out = function(line) lines[#lines + 1] = line end }
  for _, group in ipairs(modules.groups()) do
    page.out ""
    page.out("## " .. group.title)
    if group.about then
      page.out ""
      wrapped(page, group.about, "", "")
    end
    page.out ""
    for _, name in ipairs(group) do
      local stub = assert(stubs.of(name), name)
      wrapped(page, ("[%s](%s.md): %s"):format(name, name, prose(text.summary(without_name(stub)))) .. functions_of(stub),
        "- ", "  ")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end


return M
