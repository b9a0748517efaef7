--- perigee editor: gives an editor the types of the Lua API for tool files.

local engine = require "sys.engine"
local json   = require "sys.json"
local luarc  = require "cli.luarc"

local function run(args, io)
  local roots = engine.status().roots
  local directory = args.directory or #roots > 1 and roots[#roots] or nil
  if not directory and not args.print then
    return nil, "there is no directory for files of your own. Name one: perigee editor DIRECTORY", "usage"
  end
  local had = {}
  if not args.print then
    local path, err, code = io:grant(directory, "write")
    if not path then return nil, err, code end
    directory = path
    local text, problem, why = io:read(directory .. "/" .. luarc.NAME)
    if not text and why ~= "not_found" then return nil, problem, why end
    if text then had = json.decode((text:gsub("^\xEF\xBB\xBF", ""))) end -- some editors begin a file with this mark
    if type(had) ~= "table" or json.is_array(had) then
      return nil, ("%s/%s is not plain JSON, so it stays as it is. Add what `perigee editor --print` prints"):format(
        directory, luarc.NAME)
    end
  end
  local text = luarc.text(luarc.settings(roots[1], had))
  if args.print then
    io:write(text)
    return 0
  end
  local ok, err, code = io:save(directory .. "/" .. luarc.NAME, text)
  if not ok then return nil, err, code end
  io:print(("%s/%s: the types are in %s/types. Reopen the directory in your editor."):format(directory, luarc.NAME, roots[1]))
end


---@type perigee.Command
return {
  summary     = "give your editor the types of the Lua API",
  description = "Writes .luarc.json, the settings of lua-language-server (VS Code, Neovim, Zed and others have it), so that the "
             .. "editor completes and checks what tool files use: `sys` modules, lib files, `call`, what a file returns. Other "
             .. "settings in an existing .luarc.json are kept. DIRECTORY is where your tools/ is; by default the last root, "
             .. "usually ~/.config/perigee.",
  arguments   = { { "directory", "string", "the directory with tools/ (default: the last root)", optional = true } },
  options     = { { "print", "flag", "print the settings and write nothing" } },
  log         = "off",
  stoppable   = false,
  run         = run,

  examples = {
    { "writes the settings", args = { "/mine" }, has = { "/mine/.luarc.json: the types are in /usr/share/perigee/lua/types" },
      given = { ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua" } } },
      saved = { ["/mine/.luarc.json"] = [==[
{
  "$schema": "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
  "runtime.builtin": {"coroutine":"disable","debug":"disable","io":"disable","os":"disable","package":"disable"},
  "runtime.path": ["lib/?.lua","?.lua","/usr/share/perigee/lua/lib/?.lua","/usr/share/perigee/lua/?.lua","/usr/share/perigee/lua/types/?.lua"],
  "runtime.version": "Lua 5.4",
  "workspace.library": ["/usr/share/perigee/lua/types","/usr/share/perigee/lua/lib","/usr/share/perigee/lua/testing"]
}
]==] } },
    { "keeps other settings", args = { "/mine" }, files = { ["/mine/.luarc.json"] = '{"hint.enable":true}' },
      given = { ["sys.engine.status"] = { roots = { "/r" } } }, has = { ".luarc.json" } },
    { "leaves a file with comments alone", args = { "/mine" }, files = { ["/mine/.luarc.json"] = '{ // mine\n}' }, status = 1,
      given = { ["sys.engine.status"] = { roots = { "/r" } } }, err = "is not plain JSON, so it stays as it is" },
    { "needs a directory", status = 2, err = "perigee editor DIRECTORY",
      given = { ["sys.engine.status"] = { roots = { "/r" } } } },
  },
}
