--- sys.path: paths as text. Nothing here looks at the disk, so links count for nothing: sys.fs resolves them.

local M = {}


--- The parts, joined by single slashes; what stands before an absolute part falls away, an empty one adds nothing.
---@param ... string
---@return string
function M.join(...)
  local joined = ""
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if part:sub(1, 1) == "/" then
      joined = part
    elseif part ~= "" then
      joined = joined == "" and part or joined:gsub("/+$", "") .. "/" .. part
    end
  end
  return joined
end


--- The last name: "b.txt" of "/a/b.txt" and of "/a/b.txt/"; "/" of "/".
---@param path string
---@return string
function M.name(path)
  local bare = path:gsub("/+$", "")
  return bare == "" and path:sub(1, 1) or bare:match "[^/]*$"
end


--- What the last name is in: "/a" of "/a/b.txt"; "." of a name alone; "/" of "/".
---@param path string
---@return string
function M.directory(path)
  local bare = path:gsub("/+$", "")
  if bare == "" then return path == "" and "." or "/" end
  local before = bare:match "^(.*)/[^/]*$"
  if not before then return "." end
  before = before:gsub("/+$", "")
  return before == "" and "/" or before
end


--- The ending of the last name, with its dot: ".gz" of "a.tar.gz"; "" of ".profile".
---@param path string
---@return string
function M.extension(path) return M.name(path):match "^.+(%.[^.]*)$" or "" end


--- The last name without its ending: "a.tar" of "/x/a.tar.gz".
---@param path string
---@return string
function M.stem(path)
  local name, ending = M.name(path), M.extension(path)
  return name:sub(1, #name - #ending)
end


--- Does it begin at the root?
---@param path string
---@return boolean
function M.is_absolute(path) return path:sub(1, 1) == "/" end


--- Without ".", "..", double slashes and one at the end: "/b" of "/a/../b/". What leads above the beginning stays: "../x".
---@param path string
---@return string
function M.normal(path)
  local parts, absolute = {}, M.is_absolute(path)
  for part in path:gmatch "[^/]+" do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then
      parts[#parts] = nil
    elseif part == ".." and not absolute or part ~= ".." and part ~= "." then
      parts[#parts + 1] = part
    end
  end
  local joined = table.concat(parts, "/")
  if absolute then return "/" .. joined end
  return joined == "" and "." or joined
end


--- The way from a directory to a path, both absolute or both relative: "../c/d" from "/a/b" to "/a/c/d".
---@param path string
---@param from string
---@return string
function M.relative(path, from)
  if M.is_absolute(path) ~= M.is_absolute(from) then error("one of the paths is absolute and the other is not", 2) end
  local to, start, parts = {}, {}, {}
  for part in M.normal(path):gmatch "[^/]+" do to[#to + 1] = part ~= "." and part or nil end
  for part in M.normal(from):gmatch "[^/]+" do start[#start + 1] = part ~= "." and part or nil end
  local same = 0
  while to[same + 1] and to[same + 1] == start[same + 1] do same = same + 1 end
  for i = same + 1, #start do
    if start[i] == ".." then error("what is above \"" .. from .. "\" is not known", 2) end
    parts[#parts + 1] = ".."
  end
  table.move(to, same + 1, #to, #parts + 1, parts)
  return #parts > 0 and table.concat(parts, "/") or "."
end


--- With the home directory for "~" at the beginning.
---@param path string
---@return string
function M.expand(path)
  local rest = path:match "^~(.*)$"
  local home = rest and (rest == "" or rest:sub(1, 1) == "/") and require("sys.env").get "HOME"
  return home and home .. rest or path
end


return M
