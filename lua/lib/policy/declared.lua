--- The arguments of a tool by the kinds that its file declares in `about`: "options.url" is the member `url` of `options`, and of
--- each item if that is a list.

local M = {}

local DEPTH = 8   -- levels of nested arguments that are searched

--- The kinds that are paths, and where relative ones start: in the first granted directory, in that of the server, or wherever a
--- program has it.
---@type table<string, "granted"|"server"|"elsewhere">
M.PATHS = { path = "granted", folder = "granted", server_path = "server", program_path = "elsewhere" }

--- The kinds that the names of arguments suggest, where no file declares them.
---@type table<string, "path"|"folder"|"host">
M.GUESSED = { path = "path", paths = "path", file = "path", files = "path", image_path = "path", cwd = "folder",
  folder = "folder", directory = "folder", host = "host", hostname = "host", domain = "host", url = "host", uri = "host",
  href = "host" }


--- The kind of an argument: its own, or that of what it is in.
---@param about? table
---@param at string   "options.url"
---@param value any   some have a kind for each value
---@param outer? string
---@return string?
local function kind_of(about, at, value, outer)
  local kind = about and about[at]
  if type(kind) == "table" then kind = kind[value] or kind[1] end
  return kind or outer
end


local function below(at, name)
  if type(name) ~= "string" then return at end   -- an item of a list
  return at == "" and name or at .. "." .. name
end


local function walk(about, value, at, key, outer, visit, depth)
  local kind = kind_of(about, at, value, outer)
  if type(value) == "string" then visit(value, key, kind, at) end
  if type(value) ~= "table" or depth == 0 then return end
  for name, each in pairs(value) do
    walk(about, each, about and below(at, name) or "", type(name) == "string" and name or key, kind, visit, depth - 1)
  end
end


--- Visits every string in the arguments.
---@param about? table  nil: no kinds are declared
---@param args any
---@param visit fun(text: string, key: string, kind?: string, at: string)  `key`: the nearest name that it has; `at`: with those
---                                                         around it, where kinds are declared
function M.each(about, args, visit) walk(about, args, "", "", nil, visit, DEPTH) end


local function changed(about, value, at, outer, change, depth)
  local kind = kind_of(about, at, value, outer)
  if type(value) == "string" then return kind and change(value, kind) or value end
  if type(value) ~= "table" or depth == 0 then return value end
  local copy = {}
  for name, each in pairs(value) do copy[name] = changed(about, each, below(at, name), kind, change, depth - 1) end
  return copy
end


--- A copy of the arguments in which the strings with a kind are changed.
---@param about table
---@param args table
---@param change fun(text: string, kind: string): string?  nil: it stays
---@return table
function M.changed(about, args, change) return changed(about, args, "", nil, change, DEPTH) end


--- True if the file declares arguments of such kinds.
---@param about? table
---@param kinds table<string, any>
---@return boolean
function M.has(about, kinds)
  for at, kind in pairs(about or {}) do
    if type(at) == "string" and type(kind) == "string" and kinds[kind] then return true end
  end
  return false
end


return M
