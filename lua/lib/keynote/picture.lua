--- An image file that another program makes. It is moved to its path completely or not at all.

local env     = require "sys.env"
local process = require "sys.process"

local M = {}


--- Runs a program that must succeed. The last line of its messages is the error.
---@param what string  the beginning of the error: what failed
---@param argv string[]
---@return string? stdout  without the last newline
---@return string? err
---@return string? code
local function must(what, argv)
  local done, err, code = process.run(argv)
  if not done then return nil, ("%s: %s"):format(what, err), code end
  if done.code == 0 then return (done.stdout:gsub("\n$", "")) end
  local said = done.stderr:match "([^\n]+)\n*$" or ("%s failed"):format(argv[1])
  return nil, ("%s: %s"):format(what, said), "io_error"
end


--- The folder of a PNG file that may be written.
---@param path string
---@return string? folder  it may not exist yet
---@return string? err
---@return string? code
function M.folder_of(path)
  if path:sub(1, 1) ~= "/" then
    return nil, ("The path %q is not absolute. Pass an absolute path."):format(path), "bad_argument"
  end
  if path:find("\0", 1, true) then return nil, "The path contains a NUL character. Remove it.", "bad_argument" end
  local looked, err, code = process.run { "test", "-d", path }
  if not looked then return nil, err, code end
  local folder = path:match "^(.*)/[^/]+$"
  if not folder or looked.code == 0 then
    return nil, ("%s is a directory. Pass the path of a file."):format(path), "bad_argument"
  end
  if not path:lower():find("%.png$") then
    return nil, ("%s does not end in .png. Pass a path that does."):format(path), "bad_argument"
  end
  return folder == "" and "/" or folder
end


--- Makes a folder, unless it is there.
---@param folder string
---@return boolean? made
---@return string? err
---@return string? code
function M.make_folder(folder)
  local made, err, code = must(("Directory %s cannot be created"):format(folder), { "mkdir", "-p", "--", folder })
  return made ~= nil or nil, err, code
end


--- A new folder of our own in an existing folder; by default in TMPDIR.
---@param place? string
---@return string? folder
---@return string? err
---@return string? code
function M.workshop(place)
  place = place or env.get("TMPDIR", "/tmp"):gsub("/+$", "")
  return must("The temporary directory cannot be created", { "mktemp", "-d", place .. "/perigee-slide.XXXXXX" })
end


--- Removes a folder with all of its content.
---@param folder string
function M.remove(folder)
  process.run { "rm", "-rf", "--", folder }
end


--- The one image in a directory or below it.
---@param folder string
---@return string? path
---@return string? err
---@return string? code
function M.find(folder)
  local listing, err, code = must("The exported images cannot be listed", { "find", folder, "-type", "f", "-iname", "*.png" })
  if not listing then return nil, err, code end
  local paths = {}
  for line in listing:gmatch "[^\n]+" do paths[#paths + 1] = line end
  if #paths == 1 then return paths[1] end
  return nil, ("The export wrote %d images instead of 1."):format(#paths), "export_failed"
end


--- Moves a file to its place in one step. It is copied beside that place first, because it may come from another disk.
---@param from string
---@param folder string  the folder of `path`
---@param path string
---@return string? path
---@return string? err
---@return string? code
function M.put(from, folder, path)
  local what = ("The image cannot be written to %s"):format(path)
  local beside, err, code = must(what, { "mktemp", folder:gsub("/+$", "") .. "/.perigee-slide.XXXXXX" })
  if not beside then return nil, err, code end
  local ok
  ok, err, code = must(what, { "mv", "-f", "--", from, beside })
  if ok then ok, err, code = must(what, { "mv", "-f", "--", beside, path }) end
  if ok then return path end
  process.run { "rm", "-f", "--", beside }
  return nil, err, code
end


return M
