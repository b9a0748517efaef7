--- sys.path: paths as text. No function here reads the disk, so links are not resolved: sys.fs does that.

local M = {}


--- A path without the slashes at its end; nil if nothing else is in it. Each pattern here is anchored at the beginning, so that
--- it takes no longer than the text is: some "paths" are the words of a long command.
local function without_slashes(path) return path:match "^.*[^/]" end


--- Joins parts by single slashes. An absolute part replaces all parts before it; an empty one adds nothing.
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


--- Returns the last name: "b.txt" for "/a/b.txt" and for "/a/b.txt/"; "/" for "/".
---@param path string
---@return string
function M.name(path)
  local bare = without_slashes(path)
  if not bare then return path:sub(1, 1) end
  return bare:match "^.*/(.*)$" or bare
end


--- Returns the directory of the last name: "/a" for "/a/b.txt"; "." for a name alone; "/" for "/".
---@param path string
---@return string
function M.directory(path)
  local bare = without_slashes(path)
  if not bare then return path == "" and "." or "/" end
  local before = bare:match "^(.*)/"
  if not before then return "." end
  return without_slashes(before) or "/"
end


--- Returns the ending of the last name, with its dot: ".gz" for "a.tar.gz"; "" for ".profile".
---@param path string
---@return string
function M.extension(path) return M.name(path):match "^.+(%.[^.]*)$" or "" end


--- Returns the last name without its ending: "a.tar" for "/x/a.tar.gz".
---@param path string
---@return string
function M.stem(path)
  local name, ending = M.name(path), M.extension(path)
  return name:sub(1, #name - #ending)
end


--- True if the path begins at the root.
---@param path string
---@return boolean
function M.is_absolute(path) return path:sub(1, 1) == "/" end


--- Removes ".", "..", double slashes and a slash at the end: "/b" for "/a/../b/". A ".." that leads above the beginning stays.
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


--- Returns the path from a directory to a path, both absolute or both relative: "../c/d" from "/a/b" to "/a/c/d".
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


--- Replaces "~" at the beginning by the home directory.
---@param path string
---@return string
function M.expand(path)
  local rest = path:match "^~(.*)$"
  local home = rest and (rest == "" or rest:sub(1, 1) == "/") and require("sys.env").get "HOME"
  return home and home .. rest or path
end


return M
