--- Stand-in for sys.fs: `files` is the whole disk; a path in `broken` fails to be written.
local fs = { files = {}, broken = {} }

function fs.read(path)
  if fs.files[path] then return fs.files[path] end
  return nil, ("%s: no such file"):format(path), "not_found"
end

function fs.append(path, bytes)
  if fs.broken[path] then return nil, ("%s: permission denied"):format(path), "permission_denied" end
  fs.files[path] = (fs.files[path] or "") .. bytes
  return true
end

function fs.make_folder() return true end

return fs
