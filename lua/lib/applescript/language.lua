--- The terms that are valid in every script, in our own table: AppleScript's own, and those of macOS's scripting additions.
---
-- They are in the shape of a dictionary, so that the same lookups serve both. Reserved words that join terms (`of`, `to`,
-- `whose`) are not here but in words.lua.

local M = {}

--- Commands with their parameters; "!" marks one that may not be left out.
local COMMANDS = [[
activate; launch; quit: saving; run: with parameters, in; open; print: with properties, print dialog; reopen; idle
log; count: each; exists; make: new, at, with data, with properties; delete; duplicate: to, with properties; move: to
close: saving, saving in; save: in, as; get; copy: to; start log; stop log; error: number, from, to, partial result
return; beep; delay; summarize: in
say: displaying, using, speaking rate, pitch, modulation, volume, stopping current speech, waiting until completion,
  saving to
localized string: from table, in bundle; offset: of!, in!
choose application: with title, with prompt, multiple selections allowed, as; choose color: default color
choose remote application: with title, with prompt
choose file: with prompt, of type, default location, invisibles, multiple selections allowed,
  showing package contents
choose file name: with prompt, default name, default location; choose URL: showing, editable URL
choose folder: with prompt, default location, invisibles, multiple selections allowed, showing package contents
choose from list: with title, with prompt, default items, OK button name, cancel button name,
  multiple selections allowed, empty selection allowed
display alert: message, as, buttons, default button, cancel button, giving up after
display notification: with title, subtitle, sound name
display dialog: default answer, hidden answer, buttons, default button, cancel button, with title, with icon,
  giving up after
info for: size; list disks; list folder: invisibles
mount volume: on server, in AppleTalk zone, as user name, with password; path to: from, as, folder creation
path to resource: in bundle, in directory; open location: error reporting; set the clipboard to; set clipboard to
the clipboard: as; clipboard: as; clipboard info: for; random number: from, to, with seed; round: rounding
open for access: write permission; close access; get eof; set eof: to!
read: from, for, to, before, until, using delimiter, using delimiters, as; write: to!, starting at, for, as
load script; store script: in, replacing; run script: with parameters, in; scripting components; ASCII character
ASCII number; current date; time to GMT; system attribute: has; system info; get volume settings
do shell script: as, administrator privileges, user name, password, with prompt, altering line endings
set volume: output volume, input volume, alert volume, output muted; opening folder; closing folder window for
moving folder window for: from; adding folder items to: after receiving; removing folder items from: after losing
handle CGI request: searching for, with posted data, of content type, using access method, from address, from user,
  using password, with user info, from server, via port, executing by, referred by, from browser, using action,
  of action type, from client IP address, with full request, with connection ID, from virtual host
attach action to: using; attached scripts; do folder action: with window size, processed items, with item list, folder action code
edit action of: using action name, using action number; remove action from: using action name, using action number
]]

local CLASSES = [[
alias; application; app; boolean; class; constant; data; date; file; integer; list; number; real; record; reference
ref; script; text; string; item; character; word; paragraph; property; handler; any; type; type class; anything
POSIX file; RGB color; unicode text; international text; styled text; file specification; window; document; folder
disk; point; bounding rectangle; rectangle; text item; attribute run; event; zone; machine; encoded string
list or record; list or string; number or string; alias or string; number or date; upper case; sound; picture; vector
styled Clipboard text; styled Unicode text; location reference; writing code; missing value; web page; URL
GIF picture; JPEG picture; TIFF picture; alias list; Internet address; framework; process; double integer
small integer; version; space; month; weekday; object; C string; Pascal string
list, record or text; alert reply; dialog reply; file information; volume settings; system information; linked list
specifier; folder action
]]

--- Singular names whose plural is not the name with an s.
local PLURALS = { class = "classes", ["Internet address"] = "Internet addresses", alias = "aliases",
                  property = "properties", ["type class"] = "type classes", any = "any", anything = "anything", data = "data" }

--- Units of measure are classes of numbers.
local UNITS = [[
centimetres; centimeters; feet; inches; kilometers; kilometres; meters; metres; miles; yards; square feet
square kilometers; square kilometres; square meters; square metres; square miles; square yards; cubic centimeters
cubic centimetres; cubic feet; cubic inches; cubic meters; cubic metres; cubic yards; gallons; liters; litres; quarts
grams; kilograms; ounces; pounds; degrees Celsius; degrees Fahrenheit; degrees Kelvin
]]

local PROPERTIES = [[
contents; text item delimiters; AppleScript's text item delimiters; result; linefeed; tab; quote; pi; minutes; hours
days; weeks; version; name; id; length; reverse; rest; quoted form; day; month; year; weekday; time; time string
date string; short date string; seconds; POSIX path; frontmost; running; parent; properties; print length; print depth
button returned; text returned; gave up; displayed name; short name; name extension; bundle identifier
type identifier; kind; default application; creation date; modification date; file type; file creator; short version
long version; size; package folder; extension hidden; visible; locked; busy status; folder window; output volume
input volume; alert volume; output muted; AppleScript version; AppleScript Studio version; system version
short user name; long user name; user ID; user locale; home directory; boot volume; computer name; host name
IPv4 address; primary Ethernet address; CPU type; CPU speed; physical memory; scheme; host; path; user name; password
DNS form; dotted decimal form; port; text encoding; AppleScript; all caps; all lowercase; bold; condensed; expanded
hidden; italic; outline; plain; shadow; small caps; strikethrough; subscript; superscript; underline; color; font
writing code info; script code; language code; uniform styles; on styles; off styles; time zone; alias file
application file; appleevent code; client url; documents folder; icon position; kind string; library folder
path component; uniform resource locator; visible item; progress total steps; progress completed steps
progress description; progress additional description; folder actions enabled
]]

local VALUES = [[
true; false; it; me; yes; no; ask; stop; note; caution; critical; informational; warning; up; down; toward zero
to nearest; as taught in school; missing value; current application; null; nothing; case; diacriticals; white space
hyphens; expansion; punctuation; numeric strings; application responses; January; February; March; April; May; June
July; August; September; October; November; December; Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday
scripting additions; standard; detailed; shift; eof; short; Web servers; FTP Servers; Telnet hosts; File servers
News servers; Directory services; Media servers; Remote applications; system domain; local domain; network domain
user domain; Classic domain; frontmost application; application support; applications folder; desktop
desktop pictures folder; downloads folder; favorites folder; Folder Action scripts; fonts; help; home folder
internet plugins; keychain folder; modem scripts; movies folder; music folder; pictures folder; preferences
printer descriptions; public folder; scripting additions folder; scripts folder; services folder; shared documents
shared libraries; sites folder; startup disk; startup items; system folder; system preferences; temporary items; trash
users folder; utilities folder; workflows folder; voices; apple menu; control panels; control strip modules
extensions; launcher items folder; printer drivers; printmonitor; shutdown folder; speakable items; stationery
application support folder; current user folder; desktop folder; Folder Action scripts folder; fonts folder
help folder; plugins; internet plugins folder; modem scripts folder; preferences folder; printer descriptions folder
shared documents folder; shared libraries folder; startup; startup items folder; temporary items folder; trash folder
voices folder; apple menu items; apple menu items folder; control panels folder; control strip modules folder
extensions folder; printer drivers folder; printmonitor folder; shutdown items; shutdown items folder
stationery folder; At Ease applications; At Ease applications folder; At Ease documents; At Ease documents folder
editors; editors folder
]]


--- The parts of a text between ";" or line ends, trimmed. A line that ends in "," goes on.
local function parts(text)
  return text:gsub(",%s*\n%s*", ", "):gmatch "%s*([^;\n]+)"
end


local function properties_of(text)
  local properties = {}
  for name in parts(text) do properties[name:lower()] = { name = name, types = {}, access = "rw" } end
  return properties
end


local function commands_of(text)
  local commands = {}
  for row in parts(text) do
    local name, rest = row:match "^([^:]+):?%s*(.*)$"
    local parameters = {}
    for one in rest:gmatch "[^,]+" do
      local plain, needed = one:match "^%s*(.-)(!?)%s*$"
      parameters[plain:lower()] = { name = plain, types = {}, optional = needed == "" }
    end
    commands[name:lower()] = { name = name, parameters = parameters, result = {} }
  end
  return commands
end


local function classes_of()
  local classes = {}
  for name in parts(CLASSES) do
    classes[name:lower()] = { name = name, plural = PLURALS[name] and PLURALS[name]:lower(), properties = {}, partial = true }
  end
  for name in parts(UNITS) do classes[name:lower()] = { name = name, plural = name:lower(), properties = {}, partial = true } end
  return classes
end


--- A fresh copy of the terms, in the shape of a dictionary.
---@return applescript.Dictionary
function M.dictionary()
  local classes, values = classes_of(), {}
  classes.anything.properties = properties_of(PROPERTIES)
  for name in parts(VALUES) do values[name:lower()] = name end
  return { title = "AppleScript", classes = classes, records = {}, commands = commands_of(COMMANDS),
           enumerations = { constants = { name = "constants", values = values } }, notes = {} }
end


--- The names of more than one word, in lower case: any of them may contain terms of an application.
---@return table<string, boolean>
function M.phrases()
  local set = {}
  local dictionary = M.dictionary()
  local function note(name)
    if name:find(" ", 1, true) then set[name] = true end
  end
  for name, command in pairs(dictionary.commands) do
    note(name)
    for parameter in pairs(command.parameters) do note(parameter) end
  end
  for name in pairs(dictionary.classes) do note(name) end
  for name in pairs(dictionary.classes.anything.properties) do note(name) end
  for name in pairs(dictionary.enumerations.constants.values) do note(name) end
  return set
end


--- The names of more than one word that are valid as keys of a record, in lower case.
---@return table<string, boolean>
function M.keys()
  local set = { ["missing value"] = true }
  for name in parts(PROPERTIES) do
    if name:find(" ", 1, true) then set[name:lower()] = true end
  end
  return set
end


return M
