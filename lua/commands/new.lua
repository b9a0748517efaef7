--- perigee new: writes a file to start from.

local engine   = require "sys.engine"
local luarc    = require "cli.luarc"
local skeleton = require "pack.skeleton"
local starters = require "cli.starters"

local KINDS = { "tool", "prompt", "resource", "rule", "provider", "service", "command", "pack" }
local NAMES = "^[a-z][a-z0-9_]*$"
local TOOLSET = "mine"


--- Returns the title of a name: "Count words" for "count_words".
local function title_of(name) return (name:gsub("_", " "):gsub("^%l", string.upper)) end


local function filled(text, words)
  local name = words.name
  return (text:gsub("%f[%w_]%u+", { NAME = name, TITLE = title_of(name), SCHEME = name:gsub("_", "-"), VARIABLE = name:upper(),
    TOOLSET = words.toolset }))
end


--- Returns the root for the user's own files.
local function root_of(roots)
  if #roots > 1 then return roots[#roots] end
  return nil, "there is no directory for files of your own. Name one with --root DIRECTORY", "usage"
end


--- Adds the settings without which an editor reports half of a file as wrong. An existing file is left as it is.
local function add_settings(root, roots, io)
  local path = root .. "/" .. luarc.NAME
  local _, _, why = io:read(path)
  if why ~= "not_found" then return true end
  return io:save(path, luarc.text(luarc.settings(roots[1], {})))
end


--- Writes a pack, which is a directory of its own, here and not in a root.
local function write_pack(args, io)
  local directory, err, code = skeleton.write(args.name, io)
  if not directory then return nil, err, code end
  local test, try = "perigee pack test ./" .. args.name, "perigee pack add ./" .. args.name
  if args.json then
    io:json { path = directory, test = test, try = try }
    return 0
  end
  io:print(("%s\nCheck it:  %s\nTry it:    %s"):format(directory, test, try))
end


local function run(args, io)
  if args.kind == "pack" then return write_pack(args, io) end
  local toolset, name = args.name:match "^([^/]*)/(.*)$"
  local words = { name = name or args.name, toolset = toolset or TOOLSET }
  if not words.name:find(NAMES) or not words.toolset:find(NAMES) or toolset and args.kind ~= "tool" then
    local more = args.kind == "tool" and "; a toolset may stand before it, for example office/count" or ""
    return nil, ("\"%s\" cannot be the name of a %s: use small letters, digits and _, and begin with a letter%s"):format(
      args.name, args.kind, more), "usage"
  end
  local roots, starter = engine.status().roots, starters[args.kind]
  local root, err, code = root_of(roots)
  if not root then return nil, err, code end
  local folder = filled(starter.folder, words)
  local granted
  granted, err, code = io:grant(("%s/%s"):format(root, folder), "write")
  if not granted then return nil, err, code end
  local path = ("%s/%s.lua"):format(granted, words.name)
  local there, problem, why = io:read(path)
  if there then return nil, path .. " exists already, and was left as it is", "exists" end
  if why ~= "not_found" then return nil, problem, why end
  local ok
  ok, err, code = io:save(path, filled(starter.text, words))
  if ok then ok, err, code = add_settings(root, roots, io) end
  if not ok then return nil, err, code end
  if args.json then
    io:json { path = path, test = "perigee test " .. words.name, try = filled(starter.try, words) }
    return 0
  end
  io:print(("%s\nCheck it:  perigee test %s\nTry it:    %s\nA running server loads it each time you save it."):format(path,
    words.name, filled(starter.try, words)))
end


local GIVEN = { ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" } } }

---@type perigee.Command
return {
  summary     = "write a tool, prompt, resource, rule, provider, service, command or pack to start from",
  description = "Writes a file of KIND called NAME that works as it is, with examples that pass, into the directory for files "
             .. "of your own: the last root, usually ~/.config/perigee. Change it from there. A file that exists is left as it "
             .. "is. If the directory has no .luarc.json yet, writes that, too, for your editor (`perigee help editor`). A pack "
             .. "is a directory NAME in the current one, with a tool, a lib file and a test (docs/packs.md).",
  arguments   = {
    { "kind", "string", "what it is to be", enum = KINDS },
    { "name", "string", "its name: small letters, digits and _ (of a pack also -); of a tool also TOOLSET/NAME (default: "
                          .. "mine/NAME)" },
  },
  options     = {
    { "json", "flag", "print one JSON object: path, test, try" },
  },
  log         = "off",
  stoppable   = false,
  run         = run,

  examples = {
    { "writes a tool", args = { "tool", "count_words" }, given = GIVEN, files = { ["/mine/.luarc.json"] = "{}" },
      out = "/mine/tools/mine/count_words.lua\nCheck it:  perigee test count_words\n"
         .. "Try it:    perigee call count_words name=Ann\nA running server loads it each time you save it.\n" },
    { "names its place", args = { "tool", "office/x", "--json" }, given = GIVEN,
      files = { ["/mine/.luarc.json"] = "{}" }, has = { '"path":"/mine/tools/office/x.lua"' } },
    { "writes a pack", args = { "pack", "word-list" }, given = { ["sys.fs.stat"] = false },
      has = { "/word-list\nCheck it:  perigee pack test ./word-list\nTry it:    perigee pack add ./word-list\n" } },
    { "leaves a directory as it is", args = { "pack", "moon" }, given = { ["sys.fs.stat"] = { kind = "directory" } }, status = 1,
      err = "/moon exists already" },
    { "needs a name that a pack can have", args = { "pack", "Moon" }, status = 2, err = "cannot be the name of a pack" },
    { "leaves a file as it is", args = { "prompt", "mine" }, given = GIVEN, files = { ["/mine/prompts/mine.lua"] = "return {}" },
      status = 1, err = "/mine/prompts/mine.lua exists already" },
    { "needs a name that a file can have", args = { "tool", "../x" }, given = GIVEN, status = 2, err = "small letters" },
    { "has toolsets for tools only", args = { "prompt", "a/x" }, given = GIVEN, status = 2,
      err = "cannot be the name of a prompt" },
    { "knows its kinds", args = { "toll", "x" }, status = 2, err = "tool" },
    { "needs a directory", args = { "tool", "x" }, status = 2, err = "--root DIRECTORY",
      given = { ["sys.engine.status"] = { roots = { "/r" } } } },
  },
}
