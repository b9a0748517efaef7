#!/usr/bin/env tests/lua/run
--- doctor.macos, on a Mac that is made up: what each check says, and what it says to do.
local mac = require "doctor.macos"
local t   = require "check"

local PROGRAM = "/opt/homebrew/bin/perigee"
local DENIED = "macOS does not allow this: the permission Screen Recording is missing. Allow it in System Settings > Privacy & "
  .. "Security > Screen Recording (open \"x-apple.systempreferences:...\") for /Applications/Claude.app (process 7), which answers "
  .. "for this program, then restart that"

local function keynote(id, path) return { id = id, path = path, pid = 9, name = "Keynote" } end

--- A Mac where all is well, with these parts in the place of its own.
local function made_up(parts)
  mac.ask(setmetatable(parts, { __index = {
    program     = function() return PROGRAM end,
    responsible = function() return 7, "/Applications/Claude.app/Contents/MacOS/Claude" end,
    check       = function() return true end,
    script      = function() return "42" end,
    installed   = function() return { keynote("com.apple.Keynote", "/Applications/Keynote Creator Studio.app") } end,
    list        = function() return { keynote("com.apple.Keynote", "/Applications/Keynote.app/Contents/MacOS/Keynote") } end,
    run         = function(spec)
      if spec[1] == "/usr/bin/defaults" then return { code = 0, stdout = "15.1\n", stderr = "" } end
      return { code = 0, stdout = "", stderr = "Executable=x\nAuthority=My Certificate\nAuthority=Root\n" }
    end,
  } }))
end

local function look(id)
  for _, check in ipairs(mac.checks) do
    if check.id == id then return check.run() end
  end
  error("no check " .. id)
end

t.case("the application that answers for the program is named", function()
  made_up {}
  local found = look "responsible"
  t.same(found.status, "ok")
  t.has(found.text, "/Applications/Claude.app/Contents/MacOS/Claude (process 7) answers")
  t.has(found.next, "--own-identity")
  made_up { responsible = function() return 5, PROGRAM end }
  found = look "responsible"
  t.same({ found.facts.own, found.next }, { true, nil })
  t.has(found.text, "this program itself")
end)

t.case("--ask asks for what is missing, and says what came of it", function()
  local asked, said = {}, {}
  made_up {
    check = function(name) return name == "accessibility" or nil, DENIED, "permission_denied_screen" end,
    ask = function(name, options)
      asked[#asked + 1] = name .. (options.app and " " .. options.app or "")
      if name == "automation" then return true end
      return nil, DENIED, "permission_denied_screen"
    end,
  }
  mac.request(function(line) said[#said + 1] = line end)
  t.same(asked, { "screen", "automation com.apple.Keynote" })
  t.has(said[1], "Screen Recording: macOS has asked. Allow it in System Settings")
  t.same({ said[2], said[3] }, { "Accessibility: allowed already", "Automation of Keynote: allowed now" })
  made_up { list = function() return {} end }
  said = {}
  mac.request(function(line) said[#said + 1] = line end)
  t.has(said[3], "open Keynote and run this again")
end)

t.case("a permission that is missing says where it is given", function()
  made_up {}
  t.same({ look("screen_recording").status, look("accessibility").status }, { "ok", "ok" })
  local asked
  made_up { check = function(name) asked = name return nil, DENIED, "permission_denied_screen" end }
  local found = look "screen_recording"
  t.same({ asked, found.status, found.facts.allowed, found.facts.code },
    { "screen", "error", false, "permission_denied_screen" })
  t.same(found.text, "macOS does not allow this: the permission Screen Recording is missing (pictures of the screen, titles of windows)")
  t.match(found.next, "^Allow it in System Settings > Privacy & Security > Screen Recording %(open .* then restart that%.$")
  made_up { check = function() return nil, "the desktop did not answer", "desktop_hung" end }
  t.same(look("accessibility").text, "the desktop did not answer (windows, mouse, keyboard)")
end)

t.case("AppleScript is tried", function()
  made_up {}
  t.same(look("applescript").status, "ok")
  made_up { script = function() return nil, "the program \"osascript\" was not found", "no_osascript" end }
  local found = look "applescript"
  t.same({ found.status, found.facts.code }, { "warning", "no_osascript" })
  made_up { script = function() return "43" end }
  t.has(look("applescript").text, "said \"43\" to 6 * 7")
end)

t.case("every Keynote has its version and identifier", function()
  made_up {}
  t.same(look("keynote").text, "/Applications/Keynote Creator Studio.app 15.1 (com.apple.Keynote)")
  made_up {
    installed = function()
      return { keynote("com.apple.iWork.Keynote", "/Applications/Keynote.app"), keynote("com.apple.Keynote", "/A/K.app"),
        { id = "com.apple.TextEdit", path = "/T.app" } }
    end,
    run = function() return nil, "no defaults here", "not_found" end,
  }
  t.same(look("keynote").text, "/A/K.app of unknown version (com.apple.Keynote), "
    .. "/Applications/Keynote.app of unknown version (com.apple.iWork.Keynote)")
  made_up { installed = function() return nil, "no display", "no_display" end }
  t.same({ look("keynote").status, look("keynote").text }, { "warning", "not installed" })
end)

t.case("automation is asked of the Keynote that runs", function()
  local asked
  made_up { check = function(name, o) asked = { name, o.app } return nil, DENIED, "permission_denied_automation" end }
  local found = look "automation"
  t.same(asked, { "automation", "com.apple.Keynote" })
  t.same({ found.status, found.facts.allowed }, { "warning", false })
  made_up { list = function() return {} end }
  found = look "automation"
  t.same(found.status, "skipped")
  t.has(found.next, "with a user at the screen")
end)

t.case("the signature", function()
  made_up {}
  t.same(look("signature").text, "by My Certificate")
  made_up { run = function() return { code = 0, stdout = "", stderr = "Identifier=x\nSignature=adhoc\n" } end }
  t.has(look("signature").text, "ad hoc")
  t.has(look("signature").next, "make sign IDENTITY")
  made_up { run = function() return { code = 1, stdout = "", stderr = PROGRAM .. ": code object is not signed at all\n" } end }
  t.same({ look("signature").status, look("signature").text }, { "warning", PROGRAM .. ": code object is not signed at all" })
end)

t.done()
