#!/usr/bin/env tests/lua/run
--- Notifications on macOS outside of Perigee.app, with a double of osascript: what it is asked, and what is refused.
local applescript = require "notify.applescript"
local t           = require "check"

local function request(more)
  local given = { title = "Build", text = "All tests pass.", buttons = {}, urgency = "normal" }
  for name, value in pairs(more or {}) do given[name] = value end
  return given
end

local function session_of(result)
  local asked = {}
  local system = applescript.new(function(spec)
    asked[#asked + 1] = spec
    return table.unpack(result or { "" }, 1, 3)
  end)
  return assert(system.open()), asked, system
end

t.case("title and text are arguments, never part of the script", function()
  local session, asked = session_of()
  t.ok(session:show(request { title = 'say "x"', text = "\\ & end run" }):find "^osascript%-%d+$")
  t.same(asked[1].args, { 'say "x"', "\\ & end run" })
  t.ok(not asked[1].text:find("say", 1, true))
end)

t.case("buttons and a reply are refused, and nothing is shown", function()
  for _, more in ipairs { { buttons = { "Yes" } }, { reply = "" } } do
    local session, asked = session_of()
    local _, err, code = session:show(request(more))
    t.same(code, "not_supported")
    t.ok(err:find("Start it from Perigee.app", 1, true))
    t.same(#asked, 0)
  end
end)

t.case("it is not replaced and not removed", function()
  local session, asked = session_of()
  assert(session:show(request()))
  t.same(select(3, session:show(request())), "not_supported")
  t.same(select(3, session:withdraw()), "not_supported")
  t.same(#asked, 1)
end)

t.case("fields that it cannot show are reported", function()
  local session = session_of()
  t.same(session:ignored(request { timeout = 5, image = "/a.png", urgency = "critical" }), { "timeout", "image", "urgency" })
  t.same(session:ignored(request()), {})
end)

t.case("nothing is told of it, which is its end for the caller", function()
  local session = session_of()
  assert(session:show(request()))
  t.same(session:next(), { what = "closed", reason = "unknown" })
end)

t.case("errors of osascript", function()
  t.same(select(3, session_of({ nil, "osascript was not found", "no_osascript" }):show(request())), "no_notifications")
  t.same(select(3, session_of({ nil, "it took too long", "timeout" }):show(request())), "timeout")
end)

t.case("it reports that it has no buttons, replies or images", function()
  local _, _, system = session_of()
  local can = system.capabilities()
  t.same({ can.buttons, can.reply, can.images }, { false, false, false })
end)

t.done()
