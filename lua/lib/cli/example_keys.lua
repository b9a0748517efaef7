--- The keys that an example may have, by the kind of its file. A key that no runner reads would check nothing, and the example
-- would pass.

local keys    = require "keys"
local nearest = require "nearest"

local M = {}

local KEYS = {
  tool     = { args = "table", shows = "table", given = "table", env = "table", want = "any", has = "table", err = "string",
               code = "string", did = "table" },
  resource = { uri = "string", given = "table", env = "table", want = "any", has = "table", err = "string", code = "string",
               did = "table" },
  command  = { args = "table", stdin = "string", files = "table", width = "number", interactive = "boolean", given = "table",
               env = "table", out = "string", has = "table", err = "string", status = "number", saved = "table", did = "table" },
  service  = { given = "table", env = "table", events = "table", state = "table", log = "table", kept = "table", err = "string",
               did = "table" },
  policy   = { tool = "string", resource = "string", prompt = "string", args = "table", caller = "any", via = "any",
               app = "any", from = "any", toolset = "string", annotations = "table", mounted = "boolean", trust = "string",
               want = "string" },
  prompt   = { args = "table", has = "table", want = "string" },
  text     = { has = "table", want = "string" },
  rule     = { want = "any" },
  provider = { request = "table", sends = "any", url = "string", receives = "any", want = "any", code = "string",
               model = "string", base = "string", request_text = "string", tape = "table" },
}


--- The number of the line on which the text has this key of a table; nil if it has none.
---@param text? string  the text of the file
---@param key string
---@return integer?
function M.line_of(text, key)
  local number = 0
  for line in ((text or "") .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local code = line:gsub("%-%-.*$", "")
    if code:find("%f[%w_]" .. key .. "%f[^%w_][\"'%] ]*=[^=]") then return number end
  end
end


--- Says what is wrong with one example: a message, and the key that it is about.
local function wrong(kind, example, given)
  if type(example) ~= "table" then return "must be a table, not " .. type(example) end
  for _, key in ipairs(keys.sorted(example)) do
    local known, value = KEYS[kind][key], example[key]
    if not known and key ~= "1" then
      return ("unknown key %q in an example of a %s%s"):format(key, kind,
        nearest.question(key, keys.sorted(KEYS[kind]), "; ")), key
    elseif known and known ~= "any" and type(value) ~= known then
      return ("%s of an example must be a %s, not a %s"):format(key, known, type(value)), key
    end
  end
  if kind ~= "prompt" then return nil end
  local declared = {}
  for _, argument in ipairs(given.arguments or {}) do declared[argument.name] = true end
  for _, name in ipairs(keys.sorted(example.args or {})) do
    if not declared[name] then
      return ("unknown argument %q in an example's args%s"):format(name,
        nearest.question(name, keys.sorted(declared), "; ")), name
    end
  end
end


---@class cli.ExampleProblem
---@field message string
---@field line?   integer
---@field name    string   the name of the example

--- Lists what is wrong with a file's examples, at most one problem for each.
---@param kind string
---@param given table   the table that the file returned
---@param text? string  the file's text, to find the lines
---@return cli.ExampleProblem[]
function M.problems(kind, given, text)
  local problems = {}
  if given.examples == nil or not KEYS[kind] then return problems end
  if type(given.examples) ~= "table" then
    return { { name = "examples", message = "examples must be a list, not a " .. type(given.examples),
      line = M.line_of(text, "examples") } }
  end
  for key, example in pairs(given.examples) do
    local name = type(example) == "table" and type(example[1]) == "string" and example[1] or "example " .. tostring(key)
    local message, about = wrong(kind, example, given)
    if math.type(key) ~= "integer" then
      message, about = ("examples must be a list; %q names one of its items"):format(tostring(key)), tostring(key)
    end
    if message then
      problems[#problems + 1] = { name = name, message = message, line = about and M.line_of(text, about) }
    end
  end
  table.sort(problems, function(a, b)
    if (a.line or 0) ~= (b.line or 0) then return (a.line or 0) < (b.line or 0) end
    return a.message < b.message
  end)
  return problems
end


return M
