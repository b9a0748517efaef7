#!/usr/bin/env tests/lua/run
--- macros.selector and macros.outlines: from elements, as they are or as they were listed, to selectors.
local outlines = require "macros.outlines"
local t        = require "check"

local FORM = [[
e1 window "Order - Shop" active
 e2 menu "File"
 e3 entry "Name" ="Ada" focused
 e4 group "Ship to"
  e5 entry "City"
  e6 button "Clear"
 e7 group "Bill to"
  e8 entry "City"
  e9 button "Clear" off
 e10 list "Fruit"
  e11 listitem "• Apple"
   e12 button "Add"
  e13 listitem "• \"Green\" pear"
   e14 button "Add"
 e15 toggle
 e16 toggle checked
 e17 text ="some words, and = signs"
 e18 combobox "Size" ="L"
e20 dialog "Save As" active
 e21 entry "Name"
 e22 button "Save"
 ... 3 more]]

local function seen_in(text)
  local seen = outlines.new()
  seen:read(text, "applications/7")
  return seen
end


local function line_of(seen, ref, options)
  local found, err = seen:element(ref, options)
  return found and found.line or err
end


t.case("the first selector that means one element is taken", function()
  local seen = seen_in(FORM)
  for ref, line in pairs { e3 = 'entry "Name"', e5 = 'entry "City" in group "Ship to"', e8 = 'entry "City" in group "Bill to"',
    e12 = 'button "Add" in listitem "• Apple"', e14 = 'button "Add" in listitem "• \\"Green\\" pear"', e15 = "toggle nth 1",
    e16 = "toggle nth 2", e17 = "text", e18 = 'combobox "Size"', e22 = 'button "Save"' } do
    t.same(line_of(seen, ref), line, ref)
  end
  t.same(seen:element("e6").way, "group")
  t.same(seen:element("e15").way, "index")
  t.has(line_of(seen, "e99"), "e99 was not listed in this run")
end)


t.case("an element says which dialog it is in", function()
  local seen = seen_in(FORM)
  t.same({ seen:element("e21").dialog, seen:element("e21").line }, { "Save As", 'entry "Name"' })
  t.same(seen:element("e3").dialog, nil)
  t.same(seen:element("e20").dialog, nil)
end)


t.case("an element whose text is to be read is not named by it", function()
  local seen = seen_in 'e1 window "Sum"\n e2 label "Total"\n e3 label "408"\n e4 entry "Note" ="x"'
  t.same(line_of(seen, "e3", { nameless = true }), "label nth 2")
  t.same(line_of(seen, "e4"), 'entry "Note"')
end)


t.case("lines about changes and hits are read, and later ones count", function()
  local seen = seen_in(FORM)
  seen:lines('Clicked e2 menu "File" by action click. Confirmed: menuitem "New" came.\n+ e31 menuitem "New"\n~ e17 text ="other"\n'
    .. '1 satisfied: e17 text holds "other"')
  t.same({ line_of(seen, "e31"), seen.by_ref.e17.value }, { 'menuitem "New"', "other" })
  seen:lines('e40 button "Go", in dialog "Really?"\nfields: e41 entry "Name" focused; e42 combobox "Type" ="a, b"', "applications/9")
  t.same({ seen:element("e40").dialog, line_of(seen, "e41"), seen.by_ref.e42.value }, { "Really?", 'entry "Name"', "a, b" })
  t.same({ seen.by_ref.e41.application, seen.by_ref.e3.application }, { "applications/9", "applications/7" })
end)


t.case("text that is no line of an outline is nothing", function()
  local seen = outlines.new()
  seen:lines 'e1\ne2 nonsense "x"\ne3 button "open\nhello e4 button "x"\ne5 button "a" ="'
  t.same(next(seen.by_ref), nil)
end)


t.case("a long name is compared by its beginning", function()
  local seen = seen_in('e1 window "W"\n e2 label "' .. ("word "):rep(15) .. '…"\n e3 label "x"')
  t.same(line_of(seen, "e2"), 'label text*="' .. ("word "):rep(15) .. '"')
end)


t.done()
