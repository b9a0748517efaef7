#!/usr/bin/env tests/lua/run
--- sys.fs: files in a granted folder, the script's first argument.
local t       = require "check"
local crypto  = require "sys.crypto"
local engine  = require "sys.engine"
local fs      = require "sys.fs"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

local folder = ... .. "/"

local function shell(command)
  local result = assert(process.run { "sh", "-c", command, cwd = folder })
  t.same({ result.code, result.stderr }, { 0, "" }, command)
  return result.stdout
end

local function codes(...)
  local list = table.pack(...)
  t.same(list[1], nil)
  t.same(type(list[2]), "string")
  return list[3]
end

t.case("bytes come back as they were written", function()
  local bytes = {}
  for i = 0, 255 do bytes[#bytes + 1] = string.char(i) end
  local text = table.concat(bytes):rep(1000)
  t.same(fs.write(folder .. "bytes", text), true)
  t.ok(fs.read(folder .. "bytes") == text)
  t.same(fs.write(folder .. "bytes", ""), true)
  t.same(fs.read(folder .. "bytes"), "")
end)

t.case("a loose file is written whole, too", function()
  t.same(fs.write(folder .. "loose", "old", { loose = true }), true)
  t.same(fs.write(folder .. "loose", "new", { loose = true, mode = 384 }), true)
  t.same(shell "cat loose; ls -l loose | cut -c1-10", "new-rw-------\n")
  t.raises(function() fs.write(folder .. "loose", "", { loose = 1 }) end, "loose")
end)

t.case("write makes the folders above", function()
  t.same(fs.write(folder .. "a/b/c.txt", "deep"), true)
  t.same(shell "cat a/b/c.txt", "deep")
end)

t.case("write leaves nothing but the file, and keeps its permissions", function()
  shell "mkdir w && echo old > w/f && chmod 640 w/f"
  t.same(fs.write(folder .. "w/f", "new"), true)
  t.same(shell "ls -A w; ls -l w/f | cut -c1-10", "f\n-rw-r-----\n")
end)

t.case("append adds at the end, and begins a file", function()
  t.same(fs.append(folder .. "log", "one\n"), true)
  t.same(fs.append(folder .. "log", "two\n"), true)
  t.same(fs.read(folder .. "log"), "one\ntwo\n")
end)

t.case("the digest of a file is that of its bytes", function()
  local bytes = ("0123456789abcde\n"):rep(2600000)   -- 40 MB: read in three turns
  t.same(fs.write(folder .. "large", bytes), true)
  for _, name in ipairs { "md5", "sha1", "sha256", "sha512" } do
    local wanted = shell(name .. "sum < large | cut -d' ' -f1"):gsub("\n", "")
    t.same(fs.digest(folder .. "large", name), wanted, name)
  end
  t.same(fs.digest(folder .. "large", "crc32"), ("%08x"):format(crypto.crc32(bytes)))
  fs.write(folder .. "small", "")
  t.same({ fs.digest(folder .. "small"), fs.digest(folder .. "small", "crc32") }, { crypto.hex(crypto.sha256 ""), "00000000" })
  shell "mkfifo queue"
  t.same(codes(fs.digest(folder .. "queue")), "not_a_file")
  t.same(codes(fs.digest(folder .. "none")), "not_found")
  t.same(codes(fs.digest "/etc/passwd"), "not_granted")
  t.raises(function() fs.digest(folder .. "small", "sha3") end, "invalid option 'sha3'")
  fs.remove(folder .. "large")
end)

t.case("a digest ends with its call", function()
  shell "truncate -s 64G endless"
  t.same(select(3, task.with_timeout(0.1, function() return fs.digest(folder .. "endless", "md5") end)), "timeout")
  local begun = time.monotonic()
  t.same(task.map({ 1, 2, 3, 4, 5 }, function() return #fs.read(folder .. "small") end), { 0, 0, 0, 0, 0, n = 5 }, "the disk is free again")
  t.ok(time.monotonic() - begun < 15)
  fs.remove(folder .. "endless")
end)

t.case("list and stat tell names, kinds, sizes and times", function()
  shell "mkdir l l/sub && printf 12345 > l/file && ln -s file l/link && touch -d 2001-02-03T04:05:06Z l/file"
  local entries = fs.list(folder .. "l")
  local seen = {}
  for i, entry in ipairs(entries) do seen[i] = entry.name .. " " .. entry.kind end
  t.same(seen, { "file file", "link link", "sub folder" })
  t.same({ entries[1].size, entries[1].modified }, { 5, 981173106.0 })
  local file = fs.stat(folder .. "l/link")
  t.same({ file.name, file.kind, file.size }, { "link", "file", 5 })
  t.same(fs.stat(folder .. "l/sub/").kind, "folder")
end)

t.case("folders are made, things are moved, copied and removed", function()
  t.same(fs.make_folder(folder .. "m/n"), true)
  t.same(fs.make_folder(folder .. "m/n"), true)
  fs.write(folder .. "m/x", "x")
  t.same(fs.copy(folder .. "m/x", folder .. "m/y"), true)
  t.same(codes(fs.copy(folder .. "m/x", folder .. "m/y")), "exists")
  t.same(codes(fs.rename(folder .. "m/x", folder .. "m/y")), "exists")
  t.same(fs.rename(folder .. "m/x", folder .. "m/y", { replace = true }), true)
  t.same(fs.rename(folder .. "m", folder .. "moved"), true)
  t.same(codes(fs.remove(folder .. "moved")), "not_empty")
  t.same(fs.remove(folder .. "moved/y"), true)
  t.same(fs.remove(folder .. "moved/n"), true)
  t.same(fs.remove(folder .. "moved"), true)
  t.same(codes(fs.stat(folder .. "moved")), "not_found")
end)

t.case("a path outside of the granted folder is refused, whichever way it is named", function()
  shell "ln -s /etc out && ln -s /etc/passwd passwd"
  for _, path in ipairs { "/etc/passwd", folder .. "../../etc/passwd", folder .. "out/passwd", folder .. "passwd",
                          folder .. "./out/../out/passwd" } do
    local bytes, err, code = fs.read(path)
    t.same({ bytes, code }, { nil, "not_granted" }, path)
    t.has(err, "Start perigee with --grant DIR to allow more")
    t.same(codes(fs.write(path, "x")), "not_granted", path)
    t.same(codes(fs.append(path, "x")), "not_granted", path)
  end
  t.same(codes(fs.list(folder .. "out")), "not_granted")
  t.same(codes(fs.resolve(folder .. "out/passwd")), "not_granted")
  t.same(codes(fs.copy(folder .. "passwd", folder .. "copy")), "not_granted")
  t.same(codes(fs.rename(folder .. "log", "/tmp/perigee-stolen")), "not_granted")
end)

t.case("resolve gives the real path", function()
  shell "mkdir -p r/real && ln -s real r/link"
  local real = shell "cd r/real && pwd -P":gsub("\n", "")
  t.same(fs.resolve(folder .. "r/link"), real)
  t.same(fs.resolve(folder .. "r/link/../link/./new.txt"), real .. "/new.txt")
  t.same(fs.resolve(folder .. "r/link", { write = true }), real)
  t.raises(function() fs.resolve(folder, { writes = true }) end, "writes")
end)

t.case("limits and wrong paths have codes", function()
  fs.write(folder .. "big", ("x"):rep(100))
  t.same(codes(fs.read(folder .. "big", 99)), "too_large")
  t.same(#fs.read(folder .. "big", 100), 100)
  t.same(codes(fs.read(folder .. "nothing")), "not_found")
  t.same(codes(fs.read(folder .. "a")), "is_a_folder")
  t.same(codes(fs.read(folder .. "log/x")), "not_a_folder")
  t.same(codes(fs.read(folder .. "a\0b")), "bad_path")
  t.same(codes(fs.read ""), "bad_path")
  t.same(codes(fs.read(folder .. ("x"):rep(300))), "name_too_long")
  shell "mkfifo pipe"
  t.same(codes(fs.read(folder .. "pipe")), "not_a_file")
end)

t.case("many files at once", function()
  local items = {}
  for i = 1, 200 do items[i] = i end
  task.map(items, function(i) assert(fs.write(folder .. "many/" .. i, ("x"):rep(i))) end, 64)
  local sizes = task.map(items, function(i) return #fs.read(folder .. "many/" .. i) end, 64)
  for i = 1, 200 do t.same(sizes[i], i) end
  t.same(#fs.list(folder .. "many"), 200)
end)

t.case("a stopped task leaves its file whole", function()
  local text = ("y"):rep(1000000)
  for i = 1, 20 do
    fs.write(folder .. "whole", "old")
    task.with_timeout(0.0001 * i, function() fs.write(folder .. "whole", text) end)
    local now = fs.read(folder .. "whole")
    t.ok(now == "old" or now == text, "half a file")
  end
end)

t.case("wrong arguments raise", function()
  t.raises(function() fs.read() end, "string expected")
  t.raises(function() fs.read(folder, "x") end, "number expected")
  t.raises(function() fs.read(folder, 0) end, "expected 1 to")
  t.raises(function() fs.write(folder .. "x") end, "string expected")
  t.raises(function() fs.rename(folder .. "x", folder .. "y", { replce = true }) end, "'replce': there is no such option")
end)

t.case("guest scripts have none of it", function()
  local result, err = engine.run_lua 'return require "sys.fs"'
  t.same(result, nil)
  t.has(err, "module 'sys.fs' is not available here")
end)

t.case("a file is written with the permissions of another, and keeps them", function()
  local path = folder .. "like"
  local function mode_of(file) return assert(fs.stat(file)).mode end
  for _, mode in ipairs { 384, 292, 511, 0 } do   -- 0600, 0444, 0777, 0
    assert(fs.write(path, "x", { mode = mode }))
    t.same(mode_of(path), mode)
    assert(fs.write(path, "y"))
    t.same(mode_of(path), mode)
  end
  local entry = assert(fs.stat(path))
  t.same({ math.type(entry.uid), math.type(entry.gid) }, { "integer", "integer" })
  assert(fs.write(path, "z", { mode = 416, uid = entry.uid, gid = entry.gid }))
  t.same({ mode_of(path), fs.stat(path).uid }, { 416, entry.uid })
  assert(fs.make_folder(folder .. "folder_like/in", { mode = 448 }))
  t.same(mode_of(folder .. "folder_like/in"), 448)
  t.raises(function() fs.write(path, "x", { mode = 512 }) end, "expected 0.0 to 511.0")
  t.raises(function() fs.write(path, "x", { mode = -1 }) end, "expected 0.0 to 511.0")
  t.raises(function() fs.write(path, "x", { moed = 1 }) end, "there is no such option")
  t.same(fs.read(path), "z")
end)

t.case("the state folder that sys.engine names can be written, the engine's own cannot", function()
  local state = assert(engine.state_folder "notes")
  assert(fs.write(state .. "/a.txt", "kept"))
  t.same(fs.read(state .. "/a.txt"), "kept")
  for _, name in ipairs { "secrets", "Secrets", "logs", "mounts", "audit" } do
    t.raises(function() engine.state_folder(name) end, "its own data")
  end
end)

t.done()
