#!/usr/bin/env tests/lua/run
--- desktop.names: which windows were named since the last input.
local names   = require "desktop.names"
local quoting = require "desktop.quoting"
local t       = require "check"
local windows = require "desktop.windows"

local MOST = 1000

local function window(id) return { id = id, pid = 7, started = 1 } end

t.case("a window that was named is remembered until it is forgotten", function()
  t.same(names.is_named(window(1)), false)
  for _ = 1, 2 * MOST do t.same(names.window(window(1)), "applications/7/windows/1") end
  names.window(window(2))
  t.same({ names.is_named(window(1)), names.is_named(window(2)), names.is_named(window(3)) }, { true, true, false })
  names.forget_named()
  t.same({ names.is_named(window(1)), names.is_named(window(2)) }, { false, false })
end)

t.case("without input the windows that were named do not pile up", function()
  for id = 1, MOST do names.window(window(id)) end
  t.same({ names.is_named(window(1)), names.is_named(window(MOST)) }, { true, true })
  names.window(window(MOST + 1))
  t.same({ names.is_named(window(1)), names.is_named(window(MOST)), names.is_named(window(MOST + 1)) }, { false, false, true })
end)

t.case("a title cannot end its quotes, add a line or turn the direction of writing", function()
  t.same(windows.quote 'a" is closed. "b', '"a\\" is closed. \\"b"')
  t.same(windows.quote "a\r\nb\tc\0d\27[2J", '"a b cd[2J"')
  t.same(windows.quote "\u{202E}txt.\u{2066}exe\u{2069}\u{200F}\u{61C}\u{9B}\u{2028}\u{FEFF}", '"txt.exe "')
  t.same(windows.quote "Grüße – “世界” 😀", '"Grüße – “世界” 😀"')
end)

t.case("a name is quoted where it could end, and where it is not what it seems", function()
  for _, plain in ipairs { "Text Editor", "org.gnome.TextEditor", "C++ & C#", "Größe 世界", "" } do t.same(quoting.name(plain), plain) end
  for odd, shown in pairs { ["a), focused"] = '"a), focused"', ["a, focused"] = '"a, focused"', ["a\nb"] = '"a b"',
    ["\u{202E}a"] = '"a"', ['"a"'] = '"\\"a\\""' } do
    t.same(quoting.name(odd), shown)
  end
end)

t.done()
