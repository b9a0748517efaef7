#!/usr/bin/env tests/lua/run
--- The names of keys and buttons, as X and macOS report them. tests/desktop/record_test.py has those of a real display.
local presses = require "events.presses"
local t       = require "check"


--- "+shift+a A": a press that types a character.
local function told(raw)
  raw.about, raw.symbol, raw.plain, raw.typed = "input", raw.symbol or "", raw.plain or 0, raw.typed or 0
  local words = {}
  for i, event in ipairs { presses.named(raw) } do
    local name = event.key or (event.held .. (event.held ~= "" and " " or "") .. event.button)
    words[i] = (event.what == "pressed" and "+" or "-") .. name .. (event.text and " " .. event.text or "")
  end
  return table.concat(words, ", ")
end


local function x11(type, symbol, plain, state, typed)
  return told { type = type, code = 40, symbol = symbol, plain = plain, state = state, typed = typed or plain }
end

local function x11_button(type, code, state) return told { type = type, code = code, symbol = "NoSymbol", state = state } end

local function mac(type, code, state, plain, typed)
  return told { type = type, code = code, state = state, plain = plain, typed = typed }
end

local PRESS, RELEASE = 2, 3
local SHIFT, CTRL, ALT, META = 1, 4, 8, 64


t.case("keys of X", function()
  t.same(x11(PRESS, "a", 97, 0), "+a a")
  t.same(x11(RELEASE, "a", 97, SHIFT, 65), "-shift+a A")
  t.same(x11(PRESS, "a", 97, CTRL), "+ctrl+a")
  t.same(x11(PRESS, "t", 116, ALT | CTRL | SHIFT | META, 84), "+ctrl+alt+shift+meta+t")
  t.same(x11(PRESS, "space", 32, 0), "+space  ")
  t.same(x11(PRESS, "Return", 13, 0), "+return")
  t.same(x11(PRESS, "Escape", 27, CTRL | ALT), "+ctrl+alt+escape")
  t.same(x11(PRESS, "Delete", 127, 0), "+delete")
  t.same(x11(PRESS, "Prior", 0, 0), "+pageup")
  t.same(x11(PRESS, "Page_Up", 0, 0), "+pageup")
  t.same(x11(PRESS, "F12", 0, SHIFT), "+shift+f12")
  t.same(x11(PRESS, "KP_Home", 0, 0), "+home")
  t.same(x11(PRESS, "KP_7", 55, 0), "+7 7")
  t.same(x11(PRESS, "KP_Enter", 13, 0), "+kp_enter")
  t.same(x11(PRESS, "XF86AudioRaiseVolume", 0, 0), "+volumeup")
  t.same(x11(PRESS, "odiaeresis", 246, 0), "+ö ö")
  t.same(x11(PRESS, "plus", 43, 0), "++ +")
end)

t.case("modifiers of X, and keys without a name", function()
  t.same(x11(PRESS, "Shift_L", 0, 0), "+shift")
  t.same(x11(RELEASE, "Shift_L", 0, SHIFT), "-shift")
  t.same(x11(PRESS, "Super_R", 0, CTRL), "+ctrl+meta")
  t.same(x11(PRESS, "Caps_Lock", 0, 0), "+capslock")
  t.same(x11(PRESS, "ISO_Level3_Shift", 0, 0), "+")
  t.same(x11(PRESS, "dead_acute", 0, CTRL), "+")
  t.same(x11(PRESS, "NoSymbol", 0, 0), "+")
end)

t.case("buttons of X", function()
  t.same(x11_button(4, 1, 0), "+left")
  t.same(x11_button(5, 3, CTRL | SHIFT), "-ctrl+shift right")
  t.same(x11_button(4, 7, 0), "+wheel_right")
  t.same(x11_button(4, 12, 0), "+")
end)

t.case("keys of a Mac", function()
  t.same(mac(10, 0, 0, 97, 97), "+a a")
  t.same(mac(11, 0, 0x20000, 97, 65), "-shift+a A")
  t.same(mac(10, 8, 0x100000, 99, 99), "+meta+c")
  t.same(mac(10, 1, 0x80000, 115, 223), "+alt+s ß")
  t.same(mac(10, 8, 0x40000, 99, 3), "+ctrl+c")
  t.same(mac(10, 123, 0xA00000, 28, 0xF702), "+left")
  t.same(mac(10, 36, 0, 13, 13), "+return")
  t.same(mac(10, 111, 0x800000, 16, 0xF70F), "+f12")
  t.same(mac(10, 49, 0, 32, 32), "+space  ")
  t.same(mac(10, 53, 0xC0000, 27, 27), "+ctrl+alt+escape")
end)

t.case("modifiers of a Mac, which say only what holds after them", function()
  t.same(mac(12, 56, 0x20000), "+shift")
  t.same(mac(12, 56, 0), "-shift")
  t.same(mac(12, 55, 0x120000), "+shift+meta")
  t.same(mac(12, 55, 0x20000), "-shift+meta")
end)

t.case("buttons and the wheel of a Mac", function()
  t.same(mac(1, 0, 0), "+left")
  t.same(mac(4, 1, 0x100000), "-meta right")
  t.same(mac(25, 2, 0), "+middle")
  t.same(mac(22, 3, 0), "+wheel_up, -wheel_up")
  t.same(mac(22, -1, 0x40000), "+ctrl wheel_down, -ctrl wheel_down")
  t.same(mac(22, 0, 0), "")
end)

t.case("a rest of the pointer has its place alone", function()
  local raw = { about = "input", what = "rests", at = 3, x = 5, y = 6, type = 0, code = 0, state = 0, symbol = "", plain = 0, typed = 0 }
  t.same(presses.named(raw), { about = "input", what = "rests", at = 3, x = 5, y = 6 })
end)

t.case("events of the desktop", function()
  local lost = { about = "desktop", what = "lost" }
  t.same(presses.named(lost), lost)
end)

t.done()
