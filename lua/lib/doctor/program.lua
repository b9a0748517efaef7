--- Checks the parts of the program itself, and its files and folders.

local common  = require "doctor.common_tools"
local dotenv  = require "dotenv"
local engine  = require "sys.engine"
local env     = require "sys.env"
local fs      = require "sys.picture_file"
local jail    = require "doctor.jail"
local json    = require "sys.json"
local mail    = require "doctor.mail"
local ocr     = require "sys.ocr"
local process = require "sys.process"
local python  = require "doctor.python"

local M = {}


local function libraries()
  local parts = engine.parts()
  local names, said = {}, {}
  for name in pairs(parts.libraries) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do said[i] = name .. " " .. parts.libraries[name] end
  return { status = "ok", text = table.concat(said, ", ") .. "; " .. parts.program,
    facts = { libraries = parts.libraries, program = parts.program } }
end


local function modules()
  local opened, broken, facts = {}, {}, {}
  for i, part in ipairs(engine.parts().modules) do
    facts[i] = { name = part.name, version = part.version, problem = part.problem }
    if part.problem then
      broken[#broken + 1] = ("%s (%s): %s"):format(part.name, part.purpose, part.problem)
    else
      local version = part.version and part.version:match "%S+"
      if version and not version:find(part.library, 1, true) then version = part.library .. " " .. version end
      opened[#opened + 1] = part.name .. (version and " (" .. version .. ")" or "")
    end
  end
  if #broken == 0 then return { status = "ok", text = table.concat(opened, ", "), facts = { modules = facts } } end
  return { status = "error", text = table.concat(broken, "; "), facts = { modules = facts },
    next = "Install the libraries that are named (vendor/install in the sources), or build and install the program again." }
end


local function files()
  local status = engine.status()
  local facts = { roots = status.roots, tools = status.tools, problems = status.problems }
  local foreign = status.foreign and (" (%d foreign)"):format(status.foreign) or ""
  local text = ("%d tools%s, %d prompts from %s"):format(status.tools, foreign, status.prompts, table.concat(status.roots, ", "))
  if status.tools == 0 then
    return { status = "error", text = "there are no tools: the program's Lua files were not found", facts = facts,
      next = "Set PERIGEE_LUA to the folder that holds tools/, or install the program again." }
  end
  if #status.problems == 0 then return { status = "ok", text = text, facts = facts } end
  local first = status.problems[1]
  return { status = "error", facts = facts, next = "`perigee check` tells all of it.",
    text = ("%s; %d file%s not load: %s: %s"):format(text, #status.problems, #status.problems == 1 and " does" or "s do",
      first.file, first.message) }
end


local function state_folder()
  local path, err = engine.state_folder "doctor"
  if not path then
    return { status = "error", text = err, next = "Make the folder writable, or set XDG_STATE_HOME to one that is." }
  end
  process.run { "rmdir", "--", path }  -- it was created to find out whether that is possible
  local folder = path:match "^(.*)/[^/]+$"
  return { status = "ok", text = folder, facts = { path = folder } }
end


local function temporary_folder()
  local path, err = fs.temporary("doctor", "png")
  if not path then
    return { status = "error", text = err, next = "Make room there, or set TMPDIR to a folder that can be written." }
  end
  fs.remove(path)
  return { status = "ok", text = path:match "^(.*)/", facts = { path = path:match "^(.*)/" } }
end


--- Lists the names of API keys that are set, never a value.
local function keys()
  local set, lacking = {}, {}
  for _, name in ipairs { "GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY" } do
    local list = env.get(name) and set or lacking
    list[#list + 1] = name
  end
  if #set > 0 then return { status = "ok", text = table.concat(set, ", ") .. " set", facts = { set = set } } end
  return { status = "warning", text = "none of " .. table.concat(lacking, ", ") .. " is set", facts = { set = json.array {} },
    next = "Only `perigee agent` and `analyze` need one: set it, or write it into the file .env of the user's root "
      .. "(~/.config/perigee) or of the directory that you run Perigee in." }
end


--- Tells of the .env in the working directory, which may be a stranger's.
local function settings()
  local path, taken, left, refused = env.file()
  if not path then return { status = "ok", text = "no .env in this directory" } end
  local ignored = dotenv.ours(left)
  local facts = { path = path, taken = taken, ignored = ignored, refused = refused }
  if refused then
    return { status = "warning", text = refused, facts = facts, next = "Or run Perigee in another directory." }
  end
  local text = ("%s sets %s"):format(path, taken or "nothing that is not set already")
  if not ignored then return { status = "ok", text = text, facts = facts } end
  return { status = "warning", text = ("%s, and may not set %s"):format(text, ignored), facts = facts,
    next = "A file of a working directory sets keys of models and settings of slides and of the log only. Set others in the "
      .. "environment, or in the file .env of the user's root (~/.config/perigee)." }
end


--- Programs that tools start: any one of `names` is enough.
local PROGRAMS = {
  { names = { "soffice", "libreoffice" }, purpose = "the keynote tools", system = "linux",
    package = "libreoffice-impress python3-uno" },
  { names = { "osascript" }, purpose = "the keynote tools", system = "macos" },
  { names = { "xdg-open" }, purpose = "opening files with their application", system = "linux", package = "xdg-utils" },
  { names = { "Xvfb" }, purpose = "a desktop in memory, where there is no screen", system = "linux", package = "xvfb" },
}

local function programs()
  local found, lacking, packages, facts = {}, {}, {}, {}
  for _, row in ipairs(PROGRAMS) do
    local there
    for _, name in ipairs(row.names) do there = there or process.exists(name) and name end
    if row.system == env.platform then
      facts[row.names[1]] = there or false
      if there then
        found[#found + 1] = there
      else
        lacking[#lacking + 1] = ("%s (%s)"):format(row.names[1], row.purpose)
        packages[#packages + 1] = row.package
      end
    end
  end
  if #lacking == 0 then return { status = "ok", text = table.concat(found, ", "), facts = { programs = facts } } end
  return { status = "warning", text = "not found: " .. table.concat(lacking, ", "), facts = { programs = facts },
    next = #packages > 0 and "On Debian: apt-get install " .. table.concat(packages, " ") or nil }
end


local RECOGNIZER = "On Debian: apt-get install libtesseract-dev tesseract-ocr-eng. With Homebrew: brew install tesseract. "
  .. "Then run make again. It reads applications that tell nothing of themselves."
local LANGUAGES = "On Debian: apt-get install tesseract-ocr-eng (tesseract-ocr-deu for German). With Homebrew: brew install "
  .. "tesseract (tesseract-lang for other languages than English). Or set TESSDATA_PREFIX to the directory of the .traineddata "
  .. "files."
local NO_LANGUAGE = { osd = true, equ = true, snum = true }   -- data that is stored beside that of languages


--- Checks the library and its data, which are packages of their own.
local function text_recognition()
  local found, err, code = ocr.installed()
  if not found then
    local why = code == "not_built" and "this build has none: tesseract was not there when it was made" or err
    return { status = "warning", text = why, facts = { code = code }, next = RECOGNIZER }
  end
  local languages, english = json.array {}, false
  for _, name in ipairs(found.languages) do
    if not NO_LANGUAGE[name] then languages[#languages + 1] = name end
    english = english or name == "eng"
  end
  local facts = { version = found.version, languages = languages }
  local text = ("tesseract %s for %s"):format(found.version, #languages > 0 and table.concat(languages, ", ") or "no language")
  if english then return { status = "ok", text = text, facts = facts } end
  text = text .. (#languages > 0 and "; eng, which is taken unless another is asked for, is not installed"
    or ": no data is installed")
  return { status = "warning", text = text, facts = facts, next = LANGUAGES }
end


--- Variables of other programs' settings for a process beside the server. Perigee has none: all of it is one program.
local NO_EFFECT = { "PEEKABOO_CLI_PATH", "MACOS_USE_SERVER_ADDR", "MACOS_USE_SERVER_TLS" }

local function set_without_effect()
  local set = {}
  for _, name in ipairs(NO_EFFECT) do
    if env.get(name) then set[#set + 1] = name end
  end
  return set
end


local function variables()
  local set = json.array(set_without_effect())
  return { status = "warning", text = table.concat(set, ", ") .. " set, without effect", facts = { set = set },
    next = "Perigee reaches the desktop itself, with no other program or server in between. Nothing has to be set for that." }
end


--- The checks, in the order in which they are reported.
M.checks = {
  { id = "libraries", title = "Program", run = libraries },
  { id = "modules", title = "Modules", run = modules },
  { id = "files", title = "Tools and prompts", run = files },
  { id = "state_folder", title = "State folder", run = state_folder },
  { id = "temporary_folder", title = "Temporary folder", run = temporary_folder },
  { id = "programs", title = "Other programs", run = programs },
  { id = "jail", title = "Jail of scripts", run = jail.look },
  { id = "python", title = "Python code", needs = "modules", run = python.look },
  { id = "text_recognition", title = "Text recognition", run = text_recognition },
  { id = "mail", title = "Mail", run = mail.look },
  { id = "common_tools", title = "Common tools", run = common.look },
  { id = "keys", title = "Keys of models", run = keys },
  { id = "settings", title = "Settings of this folder", run = settings },
}

if #set_without_effect() > 0 then M.checks[#M.checks + 1] = { id = "variables", title = "Variables", run = variables } end


return M
