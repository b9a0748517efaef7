-- A server of MCP in plain Lua, as the peer of tests/bench/figures.py: `lua_peer peer.lua FOLDER LOG`. It checks nothing and
-- keeps nothing. Half of the folder's files are read at its start and the rest by the first call. A call of "all" runs their
-- functions, and one of "small" the small ones, which read more memory than they work. Each call is a line of the log.
local folder, log_path = ...
local log = assert(io.open(log_path, "a"))
log:setvbuf "no"
local FILES = 40
local loaded = {}

local function read_files(first, last)
  for number = first, last do
    local file = assert(io.open(("%s/%d.lua"):format(folder, number)))
    loaded[number] = assert(load(file:read "a", "@" .. number, "t"))()
    file:close()
  end
end

local function text_of(name, message)
  if not loaded[FILES] then
    read_files(FILES // 2 + 1, FILES)
  end
  if name == "echo" then
    return message
  end
  local sum = 0
  for number = 1, FILES do
    sum = sum + loaded[number][name](number)
  end
  return tostring(sum)
end

--- The outermost members of an object on one line, numbers and texts without escapes as they stand.
local function members(line)
  local found = {}
  for key, value in line:gmatch '"(%w+)":%s*("?[^",}]*)' do
    found[key] = value:gsub('^"', "")
  end
  return found
end

local function answer(line)
  local said = members(line)
  local text = "ok"
  if said.method == "tools/call" then
    text = text_of(said.name, said.message or "ok")
    log:write(('{"at":%d,"tool":"%s","message":"%s"}\n'):format(os.time(), said.name, text))
  end
  local parts = { '{"jsonrpc":"2.0","id":', said.id, ',"result":{"content":[{"type":"text","text":"', text, '"}]}}\n' }
  return table.concat(parts)
end

read_files(1, FILES // 2)
io.stdout:setvbuf("full", 65536)
for line in io.lines() do
  if line:find('"id":', 1, true) then
    io.write(answer(line))
    io.flush()
  end
end
