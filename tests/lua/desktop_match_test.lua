#!/usr/bin/env tests/lua/run
--- desktop.match: the application that is meant, or none.
local match = require "desktop.match"
local t     = require "check"

local function app(name, id, pid, path)
  return { name = name, id = id or "", pid = pid, path = path or "", started = 1, active = false, windows = 1 }
end

local APPS = {
  app("Text Editor", "org.gnome.TextEditor", 10, "/usr/bin/gnome-text-editor"),
  app("Mousepad", "org.xfce.mousepad", 11, "/usr/bin/mousepad"),
  app("Calculator", "org.gnome.Calculator", 12, "/usr/bin/gnome-calculator"),
  app("LibreOffice Calc", "libreoffice-calc", 13, "/usr/lib/libreoffice/program/soffice.bin"),
  app("Firefox", "firefox-esr", 14, "/usr/lib/firefox-esr/firefox-esr"),
  app("XTerm", "debian-xterm", 15, "/usr/bin/xterm"),
  app("Éditeur de Ωmega Файл", "fr.exemple.redacteur", 16, "/opt/redac"),
  app("2048", "org.game.2048", 17),
}

local function found(query, apps)
  local one, how, code, candidates = match.find(apps or APPS, query)
  if one then return one.name, how end
  t.same(type(how), "string")
  if code == "app_ambiguous" then return #candidates, code end
  t.same(code, "app_not_found")
  return nil, code
end

local KINDS = {
  { "10", "Text Editor", "pid" },
  { " PID:12 ", "Calculator", "pid" },
  { "pid 12", "Calculator", "pid" },
  { "org.gnome.calculator", "Calculator", "id" },
  { "org.gnome.Calculator.desktop", "Calculator", "id" },
  { "/usr/bin/mousepad", "Mousepad", "id" },
  { "Mousepad", "Mousepad", "name" },
  { "MOUSEPAD", "Mousepad", "name_any_case" },
  { "gnome-text-editor", "Text Editor", "executable" },
  { "firefox-esr", "Firefox", "id" },
  { "fire-fox", "Firefox", "joined" },
  { "éDITEUR DE ωMEGA фАЙЛ", "Éditeur de Ωmega Файл", "name_any_case" },
  { "calc", "Calculator", "prefix" },
  { "libre calc", "LibreOffice Calc", "word" },
  { "office calc", "LibreOffice Calc", "word" },
  { "ωmega", "Éditeur de Ωmega Файл", "word" },
  { "sepad", "Mousepad", "part" },
  { "mspd", "Mousepad", "letters" },
  { "mosuepad", "Mousepad", "typo" },
  { "clculator", "Calculator", "letters" },
  { "xalculator", "Calculator", "typo" },
  { "2048", "2048", "name" },
}

for _, case in ipairs(KINDS) do
  t.case(("%q is %s by %s"):format(case[1], case[2], case[3]), function()
    t.same({ found(case[1]) }, { case[2], case[3] })
  end)
end

t.case("a name that nothing fits is not found, and the message lists what runs", function()
  for _, query in ipairs { "zzz", "", "   ", "\0", "photoshop", ".", "--", "0", "99999999999999999999", ("x"):rep(100000) } do
    t.same({ found(query) }, { nil, "app_not_found" }, query:sub(1, 20))
  end
  local _, text = match.find(APPS, "photoshop")
  t.has(text, "Mousepad (org.xfce.mousepad, PID 11)")
  _, text = match.find({}, "x")
  t.has(text, "No application is running.")
  _, text = match.find(APPS, ("x"):rep(100000))
  t.ok(#text < 2000, "the error is short")
  _, text = match.find(APPS, "a\nb\"c")
  t.hasnt(text, "\n")
end)

t.case("a name that fits several is refused, and the message lists all of them", function()
  local two = { app("Terminal", "xterm", 1), app("Terminal", "xterm", 2), app("Terminator", "terminator", 3) }
  t.same({ found("Terminal", two) }, { 2, "app_ambiguous" })
  t.same({ found("term", two) }, { 3, "app_ambiguous" })
  t.same({ found("terminator", two) }, { "Terminator", "id" })
  t.same({ found("2", two) }, { "Terminal", "pid" })
  local _, text = match.find(two, "Terminal")
  t.has(text, "Terminal (xterm, PID 1); Terminal (xterm, PID 2)")
  local many = {}
  for i = 1, 200 do many[i] = app("Tool " .. i, "", i) end
  _, text = match.find(many, "tool")
  t.has(text, "and 190 more")
end)

t.case("text that is not UTF-8 does no harm", function()
  t.same({ found "mousepad\xff" }, { "Mousepad", "typo" })
  t.same({ found "\xff\xfe\xfd" }, { nil, "app_not_found" })
end)

t.case("an unknown id and path are nothing that could be meant", function()
  t.same({ found("", { app("A", "", 1) }) }, { nil, "app_not_found" })
  t.same({ found("0", { app("A", "", 0) }) }, { nil, "app_not_found" })
end)


-- --- rules for any names --------------------------------------------------------------------

math.randomseed(20261122)  -- the same names every time

local LETTERS = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "v", "é", "ж", "語" }

local function word(least, most)
  local parts = {}
  for i = 1, math.random(least, most) do parts[i] = LETTERS[math.random(#LETTERS)] end
  return table.concat(parts)
end

local function some_apps(count)
  local apps = {}
  for i = 1, count do
    local name = word(4, 9)
    if math.random(3) == 1 then name = name .. " " .. word(3, 8) end
    apps[i] = app(name, math.random(2) == 1 and "org." .. word(3, 6) .. "." .. word(4, 9) or "", 100 + i)
  end
  return apps
end

local function shuffled(list)
  local copy = table.move(list, 1, #list, 1, {})
  for i = #copy, 2, -1 do
    local j = math.random(i)
    copy[i], copy[j] = copy[j], copy[i]
  end
  return copy
end

local function chars(text)
  local list = {}
  for _, c in utf8.codes(text) do list[#list + 1] = utf8.char(c) end
  return list
end

t.case("a name, an id and a number find their application among any others", function()
  for _ = 1, 200 do
    local apps = some_apps(math.random(1, 12))
    for _, one in ipairs(apps) do
      local same = 0
      for _, other in ipairs(apps) do
        if other.name == one.name then same = same + 1 end
      end
      if same == 1 then t.ok(match.find(apps, one.name) == one, one.name) end
      if one.id ~= "" then t.ok(match.find(apps, one.id:upper()) == one or one.id:find "[\128-\255]", one.id) end
      t.ok(match.find(apps, "PID:" .. one.pid) == one)
    end
  end
end)

t.case("the order of the list changes nothing", function()
  for _ = 1, 200 do
    local apps = some_apps(8)
    local query = word(1, 5)
    local one, how, code = match.find(apps, query)
    local again, how_again, code_again = match.find(shuffled(apps), query)
    t.ok(one == again, query)
    t.same(code, code_again, query)
    if one then t.same(how, how_again, query) end
  end
end)

t.case("scores fall, lie within 0 and 1, and the one that is found has the best alone", function()
  for _ = 1, 300 do
    local apps = some_apps(10)
    local query = math.random(2) == 1 and word(1, 6) or chars(apps[1].name)[1] .. word(0, 4)
    local ranked = match.rank(apps, query)
    local last = 1
    for _, hit in ipairs(ranked) do
      t.ok(hit.score <= last and hit.score > 0, query)
      last = hit.score
    end
    local one = match.find(apps, query)
    if one then
      t.ok(ranked[1].app == one, query)
      if ranked[2] then t.ok(ranked[2].kind ~= ranked[1].kind or ranked[2].quality < ranked[1].quality, query) end
    end
  end
end)

t.case("a start of a name that no other text holds finds it", function()
  local apps = { app("wxyz quartz", "", 1), app("banana", "", 2), app("coconut", "", 3) }
  for count = 1, 10 do
    t.ok(match.find(apps, ("wxyz quartz"):sub(1, count)) == apps[1], tostring(count))
  end
end)

t.case("one slip in a name of four letters or more still finds it", function()
  local function slip(list)
    local at, kind = math.random(#list), math.random(4)
    if kind == 1 then table.remove(list, at)
    elseif kind == 2 then table.insert(list, at, "x")
    elseif kind == 3 then list[at] = "x"
    elseif at < #list then list[at], list[at + 1] = list[at + 1], list[at] end
    return table.concat(list)
  end
  local apps = { app("gimp", "", 1), app("Thunderbird", "", 2), app("Écouteur", "", 3), app("スクリーン録画", "", 4) }
  for _ = 1, 400 do
    local one = apps[math.random(#apps)]
    local query = slip(chars(one.name))
    local got, why = match.find(apps, query)
    t.ok(got == one, ("%s for %s: %s"):format(query, one.name, why))
  end
end)

t.case("a short text finds nothing by a slip", function()
  local apps = { app("vi", "", 1), app("ed", "", 2) }
  t.same({ found("vo", apps) }, { nil, "app_not_found" })
  t.same({ found("x", apps) }, { nil, "app_not_found" })
end)

t.done()
