---@meta sys.picture_file

--- Places for images: checks the path that a user named, and makes temporary files. Nothing is written here except the empty
--- temporary file; sys.screen.capture{path=...} fills it.
---@class sys.picture_file
local picture_file = {}

---@class sys.picture_file.Place
---@field path string  absolute: "~/" is the home folder, others start at the current folder
---@field kind "free"|"folder"|"picture"|"other"  free: there is no file. picture: a PNG or JPEG by its first bytes, or an empty
---                                               file. other: anything else, including files that cannot be read

--- Checks a path. In a call of run_lua's code, a path outside the granted directories is "not_granted", whatever is there.
---@param path string
---@return sys.picture_file.Place? place
---@return string? err
---@return string? code  "bad_path", "not_granted"
function picture_file.look(path) end

--- Makes a new, empty file in the temporary folder that no other user may read: perigee_UUID_INFO.EXTENSION. Files that are an
--- hour old or older are removed first.
---@param info string       part of the file's name
---@param extension string  "png"
---@return string? path
---@return string? err
---@return string? code
function picture_file.temporary(info, extension) end

--- Removes a file that temporary() made, and no other. A missing file is not a failure.
---@param path string
---@return true? ok
---@return string? err
---@return string? code  "not_ours"
function picture_file.remove(path) end

return picture_file
