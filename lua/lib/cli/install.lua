--- Puts this program's entry into a client's file, or takes it out.

local declaration = require "cli.declaration"
local env         = require "sys.env"
local fs          = require "sys.fs"
local json        = require "sys.json"
local options     = require "options"
local session     = require "clients.session"

local M = {}

local BYTES = 16 * 1024 * 1024
local EDITORS = { json = "clients.jsonc", toml = "clients.toml", yaml = "clients.yaml" }
local ORIGINAL = ".before-perigee"     -- the file before the first change; it is never replaced
local LAST = ".before-perigee-last"    -- the file before the newest of the later changes
local ORDER = { "source", "type", "command", "args", "env" }  -- the order of an entry's keys in JSON


-- --- the file ---------------------------------------------------------------------------

local function home() return env.get "HOME" or "~" end


--- Returns the byte order mark, with which some editors begin a file.
local function mark_of(text) return text:match "^\xEF\xBB\xBF" or "" end


--- Gives the changed text the line ends of the original.
local function with_ends_of(text, changed)
  if not text:find("\r\n", 1, true) or text:find "[^\r]\n" then return changed end
  return (changed:gsub("\r?\n", "\r\n"))
end


---@param client clients.Client
---@param args table
---@return string? path
---@return string? err
local function file_of(client, args)
  if args.file then return args.file end
  if args.project then
    if client.project then return client.project end
    return nil, ("%s has no file for one project"):format(client.title)
  end
  local moved = client.home and env.get(client.home.variable)
  if moved then return moved .. "/" .. client.home.path end
  local path = client.path[env.platform]
  if not path then
    return nil, ("where %s keeps its servers on %s is not known. Name the file with --file"):format(client.title, env.platform)
  end
  local moved_all = (env.get("XDG_CONFIG_HOME", "")):match "^/.*" -- the specification ignores a relative path
  path = path:gsub("^%$XDG", function() return moved_all or "~/.config" end)
  if path:find "^~" and not env.get "HOME" then return nil, "HOME is not set. Set it, or name the file with --file" end
  return (path:gsub("^~", home))
end


--- Reads the file; a missing one is empty.
local function read(path, io)
  local text, err, code = io:read(path, BYTES)
  if text then return text, true end
  if code == "not_found" then return "", false end
  return nil, err
end


--- Copies the file: the first time for good, later over the copy before.
---@return string? ending  of the name of the copy
---@return string? err
local function keep(path)
  local ok, err, code = fs.copy(path, path .. ORIGINAL)
  if ok then return ORIGINAL end
  if code == "exists" then
    ok, err = fs.copy(path, path .. LAST, { replace = true })
    if ok then return LAST end
  end
  return nil, "cannot keep a copy: " .. err
end


--- Copies the file, then writes it. Returns the ending of the copy's name; nil if there was no file.
local function write(path, text, there, io)
  local directory, name = path:match "^(.*)/([^/]*)$"
  directory, name = directory or ".", name or path
  local granted, err = io:grant(directory == "" and "/" or directory, "write")
  if not granted then return nil, err end
  local ending, ok
  if there then
    ending, err = keep(granted .. "/" .. name)
    if not ending then return nil, err end
  end
  ok, err = io:save(path, text)
  if not ok then return nil, err end
  return true, nil, ending
end


-- --- the entry ---------------------------------------------------------------------------

---@param client clients.Client
---@return table entry
---@return string? note
local function entry_of(client, args, io)
  local serve = json.array { "serve" }
  for _, option in ipairs(args.serve or {}) do serve[#serve + 1] = option end
  local variables, note = session.variables()
  local server = { name = args.name, command = session.program(io.program), args = serve, env = variables }
  local entry = client.entry and client.entry(server) or { command = server.command, args = serve, env = variables }
  return json.object(entry, ORDER), note
end


--- Says what is wrong with the words for `perigee serve`; nil if nothing is.
local function wrong_words(words, io)
  local _, message = options.parse(words, declaration.spec(declaration.find(io.host, "serve"), io.common))
  return message and "--serve: " .. message
end


-- --- the command -------------------------------------------------------------------------

local function show(io, text)
  for line in text:gmatch "[^\n]+" do io:print("  " .. line) end
end


--- Shows the change before it is written.
local function announce(client, io, done)
  io:print(("%s: %s"):format(client.title, done.path))
  show(io, done.snippet)
  if done.note then io:print(done.note) end
end


local function report(client, args, io, done)
  if args.json then
    return io:json(json.object({ client = client.id, file = done.path, changed = done.changed, written = done.written,
      copy = done.copy, original = done.original, entry = done.entry, note = done.note },
      { "client", "file", "changed", "written", "copy", "original", "entry", "note" }))
  end
  if not done.changed then
    io:print(args.remove and ("%s has no entry %q."):format(done.path, args.name) or "The file has this entry already.")
  elseif not done.written then
    io:print "Nothing was written (--dry-run)."
  else
    io:print((args.remove and "Removed from %s." or "Written to %s."):format(done.path)
      .. (done.copy and (" The file as it was: %s"):format(done.copy) or ""))
    if done.original then io:print(("The file before the first change: %s"):format(done.original)) end
    if done.replaced then io:print(("Another entry %q was there. The new one replaces all of it."):format(args.name)) end
    io:print(client.after)
  end
end


---@param client clients.Client
---@param args table
---@param io perigee.IO
function M.run(client, args, io)
  if args.project and args.file then return nil, "--project and --file exclude each other", "usage" end
  local mistake = wrong_words(args.serve or {}, io)
  if mistake then return nil, mistake, "usage" end
  local path, err = file_of(client, args)
  if not path then return nil, err, "usage" end
  local text, there = read(path, io)
  if not text then return nil, there end
  local editor = require(EDITORS[client.format])
  local done = { path = path, written = false }
  if not args.remove then
    done.entry, done.note = entry_of(client, args, io)
    done.snippet = editor.snippet(client.key, args.name, done.entry)
  end
  local mark = mark_of(text)
  local body = text:sub(#mark + 1)
  local changed, problem = editor.set(body, client.key, args.name, done.entry)
  changed = changed and mark .. with_ends_of(text, changed)
  if not changed then
    local todo = args.remove and ("Remove the entry %q yourself"):format(args.name) or "Add this yourself:\n" .. done.snippet
    return nil, ("%s is left as it is: %s. %s"):format(path, problem, todo), "not_understood"
  end
  done.changed = changed ~= text
  done.replaced = done.entry and editor.set(body, client.key, args.name) ~= body
  if done.entry and not args.json then announce(client, io, done) end
  if done.changed and not args.dry_run then
    local ending
    done.written, err, ending = write(path, changed, there, io)
    if not done.written then return nil, err end
    done.copy = ending and path .. ending
    done.original = ending == LAST and path .. ORIGINAL or nil
  end
  report(client, args, io, done)
end


--- Lists every client, and whether its file has the entry.
function M.list(args, io)
  local rows = json.array {}
  for _, client in ipairs(require("clients.list").all) do
    local path, state = file_of(client, args), "unknown"
    local text, there = read(path or "", io)
    if text then
      text = text:sub(#mark_of(text) + 1)
      local without = require(EDITORS[client.format]).set(text, client.key, args.name)
      state = not there and "no file" or not without and "unknown" or without == text and "not installed" or "installed"
    end
    rows[#rows + 1] = json.object({ client = client.id, title = client.title, file = path, state = state },
      { "client", "title", "file", "state" })
  end
  if args.json then return io:json(rows) end
  io:print(("%-15s %-14s %s"):format("CLIENT", "STATE", "FILE"))
  for _, row in ipairs(rows) do io:print(("%-15s %-14s %s"):format(row.client, row.state, row.file or "")) end
end


return M
