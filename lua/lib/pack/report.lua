--- Shows a pack to the user before it is approved.

local content = require "pack.content"
local text    = require "terminal.text"

local M = {}

local NAMED = 3        -- the number of files that are named behind a module
local CHANGES = 20     -- the number of changed files that are listed


---@param count integer
---@param word string
---@return string
function M.plural(count, word) return ("%d %s%s"):format(count, word, count == 1 and "" or "s") end


--- Shows a size: "21 kB"
local function size_of(bytes)
  if bytes < 1000 then return M.plural(bytes, "byte") end
  return ("%d kB"):format((bytes + 500) // 1000)
end


--- Lists some names: "a, b and 2 more"
local function some(list)
  if #list <= NAMED then return table.concat(list, ", ") end
  return ("%s and %d more"):format(table.concat(list, ", ", 1, NAMED), #list - NAMED)
end


---@param source? string
---@param ref? string
---@param commit? string
---@return string
function M.source(source, ref, commit)
  if not source then return "put there by hand" end
  return ("%s%s%s"):format(source, ref and "@" .. ref or "", commit and (" (commit %s)"):format(commit:sub(1, 12)) or "")
end


--- Prints the pack's name, where it is from, and what is in it.
---@param pack pack.Content
---@param from {source?: string, ref?: string, commit?: string}
---@param io perigee.IO
function M.print_pack(pack, from, io)
  local manifest = pack.manifest
  io:print(("%s %s: %s"):format(text.paint(io.color, "bold", manifest.name), manifest.version, manifest.description))
  io:print(("  %s%s"):format(from.source and "from " or "", text.clean(M.source(from.source, from.ref, from.commit))))
  io:print(("  %s, %s: %s"):format(M.plural(#pack.files, "file"), size_of(pack.bytes), content.summary(pack)))
end


--- Prints rows in columns of equal width.
local function print_rows(rows, io)
  local widths = {}
  for _, row in ipairs(rows) do
    for i = 1, #row - 1 do widths[i] = math.max(widths[i] or 0, text.width(row[i])) end
  end
  for _, row in ipairs(rows) do
    local line = "  "
    for i = 1, #row do line = line .. (i < #row and text.pad(row[i], widths[i] + 2) or text.clean(row[i])) end
    io:print((line:gsub("%s+$", "")))
  end
end


local function through(permission)
  return #permission.via > 0 and ("%s, through %s"):format(some(permission.files), some(permission.via)) or some(permission.files)
end


--- Prints what the pack can reach. Modules in `new` are marked.
---@param permissions pack.Permissions
---@param io perigee.IO
---@param new? table<string, boolean>  names of modules; nil marks nothing
---@param new_hidden? boolean  true if more places cannot be determined than before
function M.print_permissions(permissions, io, new, new_hidden)
  local rows = {}
  for i, each in ipairs(permissions.reach) do
    rows[i] = { each.module, each.what or "", through(each) }
    if new then table.insert(rows[i], 1, new[each.module] and "NEW" or "") end
  end
  if #rows > 0 then
    io:print "\nIt requires these modules, which reach beyond computing:"
    print_rows(rows, io)
  else
    io:print "\nIt requires no module that reaches beyond computing."
  end
  if #permissions.compute > 0 then io:print("Others: " .. text.clean(table.concat(permissions.compute, ", "))) end
  if #permissions.unknown > 0 then
    io:print("Modules that do not exist here: " .. text.clean(table.concat(permissions.unknown, ", ")))
  end
  if #permissions.hidden == 0 then return end
  io:print(("%sWhat else it requires cannot be told, so take it for everything:"):format(new_hidden and "NEW " or ""))
  for _, place in ipairs(permissions.hidden) do
    io:print(("  %s:%d: %s"):format(text.clean(place.file), place.line, text.clean(place.why)))
  end
end


--- Lists the files that differ between two lists.
---@param before {path: string, sha256: string}[]
---@param now {path: string, sha256: string}[]
---@return {path: string, what: "added"|"changed"|"missing"}[]
function M.changes(before, now)
  local had, has, list = {}, {}, {}
  for _, file in ipairs(before) do
    if type(file) == "table" and type(file.path) == "string" then had[file.path] = file.sha256 or "" end
  end
  for _, file in ipairs(now) do
    has[file.path] = true
    if not had[file.path] then
      list[#list + 1] = { path = file.path, what = "added" }
    elseif had[file.path] ~= file.sha256 then
      list[#list + 1] = { path = file.path, what = "changed" }
    end
  end
  for path in pairs(had) do
    if not has[path] then list[#list + 1] = { path = path, what = "missing" } end
  end
  table.sort(list, function(a, b) return a.path < b.path end)
  return list
end


---@param changes {path: string, what: string}[]
---@param io perigee.IO
---@param words table<string, string>  the words to print for "missing", ...
function M.print_changes(changes, io, words)
  for i, change in ipairs(changes) do
    if i > CHANGES then return io:print(("  and %d more"):format(#changes - CHANGES)) end
    io:print(("  %s %s"):format(words[change.what] or change.what, text.clean(change.path)))
  end
end


M.print_rows = print_rows

return M
