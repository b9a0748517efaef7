---@meta sys.fs

--- Files in the folders that were granted (`--grant DIR`; for `perigee run` also the current folder). "~" is the home
--- directory, and relative paths start at the first granted folder. `..` and links that lead outside are refused. All functions
--- wait for the disk without blocking other calls. A change that has begun when its call is cancelled is still completed.
---@class sys.fs
local fs = {}

--- Returns all bytes of a file.
---@param path string
---@param max_bytes? integer  default 10485760, at most 268435456
---@return string? bytes
---@return string? err
---@return string? code  "not_granted", "not_found", "too_large", "permission_denied", ...
function fs.read(path, max_bytes) end

---@class sys.fs.Like
---@field mode? integer  the permissions of the file, 0 to 511; default: those that it has, or those of a new file
---@field uid? integer   with `mode`: the user it belongs to, where the system allows that; default: that of this process
---@field gid? integer   with `mode`: the group, likewise
---@field loose? boolean  true: the file is not flushed to the disk, which is quicker. It outlives the process, but a loss of power
---                       may leave the old one, or a damaged one

--- Writes a file, whole or not at all: it is written beside and renamed. Missing parent folders are made.
---@param path string
---@param bytes string
---@param like? sys.fs.Like
---@return true? ok
---@return string? err
---@return string? code
function fs.write(path, bytes, like) end

---@class sys.fs.Make
---@field private? boolean  true: a new file or folder is for this user alone (0600, a folder 0700); an existing file of the user
---                         that is appended to becomes so as well
---@field tighten? boolean  true, for folders: an existing one of the user also becomes private
---@field mode? integer     for folders: a new one has at most these permissions

--- Adds bytes to the end of a file, which is made if it is missing.
---@param path string
---@param bytes string
---@param options? sys.fs.Make
---@return true? ok
---@return string? err
---@return string? code
function fs.append(path, bytes, options) end

--- Returns the digest of a file, in hexadecimal digits, as sha256sum and similar programs print it. It is read on another
--- thread, piece by piece, however large it is; a cancelled call stops reading.
---@param path string
---@param algorithm? "md5"|"sha1"|"sha256"|"sha512"|"crc32"  default: "sha256"
---@return string? digits
---@return string? err
---@return string? code  "not_granted", "not_found", "not_a_file", "module_missing", ...
function fs.digest(path, algorithm) end

---@class sys.fs.Replace
---@field replace? boolean  true: replace a file at `to`; otherwise it fails with "exists"

---@class sys.fs.Entry
---@field name string
---@field kind "file"|"folder"|"link"|"other"
---@field size integer   bytes
---@field modified number  seconds since 1970, UTC
---@field mode? integer  permissions, 0 to 511: of stat()
---@field uid? integer   user and group: of stat()
---@field gid? integer

--- Lists a folder, sorted by name. Links are not followed.
---@param path string
---@return sys.fs.Entry[]? entries
---@return string? err
---@return string? code  "too_large" above 100000
function fs.list(path) end

--- Returns the entry of a file. A link is followed if its target is granted.
---@param path string
---@return sys.fs.Entry? entry
---@return string? err
---@return string? code
function fs.stat(path) end

--- Makes a folder and its parents. An existing folder is not a failure.
---@param path string
---@param options? sys.fs.Make
---@return true? ok
---@return string? err
---@return string? code
function fs.make_folder(path, options) end

--- Removes a file or an empty folder.
---@param path string
---@return true? ok
---@return string? err
---@return string? code
function fs.remove(path) end

--- Moves a file or a folder.
---@param from string
---@param to string
---@param options? sys.fs.Replace
---@return true? ok
---@return string? err
---@return string? code  "exists", "other_disk" (a folder), ...
function fs.rename(from, to, options) end

--- Copies a file with its permissions; whole or not at all.
---@param from string
---@param to string
---@param options? sys.fs.Replace
---@return true? ok
---@return string? err
---@return string? code
function fs.copy(from, to, options) end

--- Returns the absolute path, links resolved, if it is (or would be) inside a granted folder.
---@param path string
---@param options? {write?: boolean}  write: only folders that are granted for writing
---@return string? path
---@return string? err
---@return string? code
function fs.resolve(path, options) end

return fs
