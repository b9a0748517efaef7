--- Writes valid AppleScript at random, the same for the same seed: every kind of statement, nested, in the places whose terms are
--- known (none, or an application's with a dictionary) and where they are not.
---
--- `writer.script(seed)` returns lines, each with its text and the place it is in: "plain", "Keynote", "Desk" or "other". The
--- dictionary of Desk is `writer.DESK`; that of Keynote is in tests/macos/dictionaries.

local M = {}

--- A dictionary with the shapes that scripts of real applications have trouble with: lists of choices, parameters that are
--- required, switches, read-only properties, a window that stands for its selected tab.
M.DESK = [[<dictionary title="Desk" xmlns:xi="http://www.w3.org/2003/XInclude">
<xi:include href="file:///System/Library/ScriptingDefinitions/CocoaStandard.sdef" xpointer="xpointer(/dictionary/suite)"/>
<suite name="Desk" code="Desk">
  <enumeration name="modifiers" code="mods"><enumerator name="command down" code="Kcmd"/>
    <enumerator name="shift down" code="Ksft"/>
    <enumerator name="option down" code="Kopt"/><enumerator name="control down" code="Kctl"/></enumeration>
  <enumeration name="formats" code="fmts"><enumerator name="PDF" code="fpdf"/><enumerator name="plain text" code="ftxt"/>
    <enumerator name="web archive" code="fweb"/></enumeration>
  <enumeration name="states" code="stat"><enumerator name="playing" code="kPSP"/><enumerator name="paused" code="kPSp"/>
    <enumerator name="stopped" code="kPSS"/></enumeration>
  <command name="keystroke" code="prcskprs"><direct-parameter type="text"/>
    <parameter name="using" code="faal" optional="yes"><type type="modifiers"/><type type="modifiers" list="yes"/></parameter>
    </command>
  <command name="send" code="Desksend"><direct-parameter type="note"/><parameter name="to" code="to  " type="text"/>
    <parameter name="as" code="as  " type="formats" optional="yes"/>
    <parameter name="quietly" code="qiet" type="boolean" optional="yes"/>
    <parameter name="replacing old notes" code="repl" type="boolean" optional="yes"/></command>
  <command name="file away" code="Deskfile"><direct-parameter type="note"/><parameter name="into folder" code="fold" type="tray"/>
    <parameter name="quietly" code="qiet" type="boolean" optional="yes"/></command>
  <command name="play" code="Deskplay"><direct-parameter type="specifier" optional="yes"/></command>
  <command name="synchronize" code="Desksync"/>
  <class name="note" code="note"><property name="subject" code="subj" type="text"/>
    <property name="note body" code="body" type="text"/>
    <property name="creation place" code="plac" type="text" access="r"/>
    <property name="word total" code="wtot" type="integer" access="r"/>
    <property name="flagged" code="flag" type="boolean"/><property name="export format" code="xfmt" type="formats"/>
    <property name="id" code="ID  " type="integer" access="r"/></class>
  <class name="tray" code="tray"><property name="name" code="pnam" type="text"/>
    <property name="unread total" code="unrd" type="integer" access="r"/>
    <property name="depth" code="dpth" type="integer"/><property name="paper color" code="pclr" type="text"/>
    <element type="note"/></class>
  <class name="player" code="plyr"><property name="player state" code="pSta" type="states" access="r"/>
    <property name="sound level" code="lvel" type="integer"/><property name="song position" code="spos" type="real"/></class>
  <class name="tab" code="ttab"><property name="busy" code="busy" type="boolean" access="r"/>
    <property name="history" code="hist" type="text" access="r"/>
    <property name="custom title" code="titl" type="text"/></class>
  <class-extension extends="window"><contents name="selected tab" code="tcnt" type="tab"/><element type="tab"/></class-extension>
  <class-extension extends="application"><element type="note"/><element type="tray"/><element type="player"/>
    <property name="current note" code="cnot" type="note"/></class-extension>
</suite></dictionary>]]

local TELL = { Keynote = 'tell application id "com.apple.Keynote"', Desk = 'tell application "Desk"', other = 'tell application "Other"' }
local DEPTH = 4


--- A source of numbers from 1 to n, from a seed.
---@return fun(n: integer): integer
function M.random(seed)
  local state = (seed * 2654435761 + 12345) & 0x7FFFFFFF
  return function(n)
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return (state >> 12) % n + 1
  end
end


local Writer = {}
Writer.__index = Writer


--- One of the strings, with every $x replaced by what the function EXPRESSION.x or the place's own writes.
function Writer:pick(list)
  return (list[self.random(#list)]:gsub("%$(%a+)", function(name) return self[name](self) end))
end


-- --- expressions ---------------------------------------------------------------------------

function Writer:variable()
  return self:pick { "theItem", "total", "a", "b2", "the_list", "x", "fileName", "|odd name|", "y", "newValue" }
end

function Writer:number()
  return self:pick { "1", "25", "3.5", "-4", "1.0E+6", "0", "12" }
end

function Writer:text()
  return self:pick { '"a"', '""', '"two words"', '"with \\"quotes\\""', '"-- no comment"', '"x = {1, 2}"', '"(*"', '"set x"' }
end

function Writer:list()
  return self:pick { "{1, 2, 3}", "{$text, $text}", "{}", "{{1, 2}, {$simple, $simple}}", "{$expression, $simple, $number}" }
end

function Writer:record()
  return self:pick { "{name:$text, size:$number}", "{a:1, b:2}", "{my_key:$expression, other:$list}",
    "{|key|:$simple, button returned:$text}" }
end

function Writer:simple()
  return self:pick { "$number", "$text", "$variable", "$variable", "true", "missing value", "it" }
end

function Writer:operator()
  return self:pick { "+", "-", "*", "/", "&", "div", "mod", "^", "÷", "&" }
end

function Writer:comparison()
  return self:pick { "=", "is", "is not", "≠", "<", ">", "≥", "≤", "<=", ">=", "/=", "is equal to", "is not equal to", "is greater than",
    "is less than or equal to", "contains", "does not contain", "doesn't contain", "starts with", "ends with", "begins with", "is in",
    "is not in", "is contained by", "isn't", "comes before", "comes after", "equals", "is greater than or equal to", "does not equal" }
end

function Writer:condition()
  if self.depth > DEPTH then return "true" end
  self.depth = self.depth + 1
  local text = self:pick { "$simple $comparison $simple", "$simple $comparison $expression", "not $variable", "$variable",
    "($condition) and ($condition)", "$variable or not ($condition)", "(count of $variable) > $number", "exists $variable",
    "$variable is in {$text, $text}", "class of $variable is list", "$variable is not missing value and $condition",
      "$reference is $simple" }
  self.depth = self.depth - 1
  return text
end

function Writer:reference()
  return self[self.place .. "Reference"](self)
end

function Writer:plainReference()
  return self:pick { "item 1 of $variable", "items 2 thru -1 of $variable", "every word of $variable", "first character of $variable",
    "last item of $variable", "text 1 thru 3 of $variable", "text item 2 of $text", "count of $variable", "length of $text",
      "word 2 of paragraph 1 of $text",
    "character -1 of $text", "some item of $list", "item (n + 1) of $variable", "1st item of $list", "2nd word of $text",
      "a reference to item 1 of $variable",
    "$variable's length", "contents of $variable", "quoted form of $text", "POSIX path of (path to desktop)", "words 1 through 2 of $text",
    "(current date) + 2 * days", "the result", "my helper(1, $simple)", "helper($expression, $list)", "$variable's helper()",
      "the clipboard",
    "offset of $text in $text", "AppleScript's text item delimiters", "name extension of (info for $variable)", "month of (current date)",
    "current application's NSString's stringWithString:$text", "(the clipboard as text)", "every item of $variable whose length > 3",
    "paragraphs of $text", "beginning of $variable", "end of $variable", "item -1 of reverse of $variable", "me",
      "(path to home folder as text)",
    "a ref to $variable", "rest of $list", "text returned of (display dialog $text default answer \"\")", "«data utxt00E4»",
    "(choose from list $list with prompt $text)", "pi", "a's b's c", "($variable)'s first item", "characters from 1 to 3 of $text",
    "item 1 of item 2 of $variable", "my helper($number) + 1", "helper of $variable for $text given size:$number", "id of $text" }
end

function Writer:KeynoteReference()
  return self:pick { "name of front document", "slide 1 of front document", "every slide of document 1",
    "slides 1 thru 3 of front document",
    "count of slides of front document", "slide number of slide ($number + 1) of front document",
      "position of shape 1 of slide 2 of front document",
    "object text of shape 1 of slide 1 of document 1", "first shape of slide 1 of front document whose locked is true",
      "current slide of front document",
    "shape 1 of slide 1 of front document's width", "opacity of last shape of slide 1 of front document",
      "document theme of front document",
    "(count of shapes of slide 1 of front document)", "name of every theme", "slide numbers showing of front document", "front document",
    "every slide of front document whose skipped is false", "some slide of front document", "2nd slide of front document",
    "background fill type of shape 1 of slide 1 of front document", "file of front document", "bounds of window 1",
      "presenter notes of slide 1 of front document" }
end

function Writer:DeskReference()
  return self:pick { "subject of note 1", "every note of tray 1", "notes of first tray whose unread total > 3",
    "word total of current note", "busy of window 1",
    "history of selected tab of window 1", "note body of last note of tray \"Inbox\"", "player state of player 1",
      "song position of first player",
    "count of notes of tray 2", "name of tray 1", "unread total of every tray", "note id 5 of tray 1",
      "custom title of tab 2 of front window",
    "every note of tray 1 whose subject contains $text", "tray 1's depth", "current note", "note (count of notes of tray 1) of tray 1",
    "(subject of note 2 of tray $text) as text", "some note of tray 1", "export format of note 1", "{subject, flagged} of note 1" }
end

function Writer:otherReference()
  return self:pick { "foo bar 1 of baz quux", "every big thing whose odd state is very low", "title of front browser tab",
    "item 1 of selection", "thing named $text",
    "first odd thing of window 1 where it is small", "current view options of window 1", "$variable" }
end

function Writer:expression()
  if self.depth > DEPTH then return self:simple() end
  self.depth = self.depth + 1
  local text = self:pick { "$simple", "$number $operator $number", "$variable $operator $expression", "($expression)",
    "($expression) $operator $simple",
    "$text & $simple & $text", "$list", "$record", "$reference", "($reference)", "$text & ($reference)", "$number as text",
      "($reference) as text",
    "-$variable", "$variable as integer", "not ($condition)", "($condition)", "$variable as list", "(get $reference)", "«class utf8»" }
  self.depth = self.depth - 1
  return text
end


-- --- statements ---------------------------------------------------------------------------

--- One line that is a statement by itself.
function Writer:statement()
  local own = self.random(3) == 1 and self.place ~= "plain" and self[self.place .. "Statement"]
  if own then return own(self) end
  return self:pick { "set $variable to $expression", "set $variable to $reference", "set {x, y} to {$number, $simple}",
    "copy $expression to $variable",
    "set item 1 of $variable to $expression", "set end of $variable to $simple", "copy $simple to end of $variable", "return $expression",
      "return",
    "log $expression", "get $reference", "beep", "beep 2", "delay $number", "display dialog $text",
      "display dialog $text buttons {\"OK\"} default button 1 with icon note",
    "display notification $text with title $text sound name \"Ping\"", "do shell script $text & quoted form of $variable",
      "helper($expression)",
    "do shell script $text user name $text password $text with administrator privileges without altering line endings",
    "my helper($number, $text)", "if $condition then return $simple", "if $condition then set $variable to $expression",
      "error $text number -128",
    "error $text number 5 from $variable partial result $list", "set the clipboard to $text", "set x to 5 -- a comment",
      "set y to (* inner *) 5 # end",
    "set {a, b} to {b, a}", "set |odd name| to $expression", "set AppleScript's text item delimiters to $text",
      "set $variable to $variable's length",
    "$variable = 5", "print(x)", "x", "count $variable", "set $variable to count of $list", "set $variable to {a:1} & {b:2}",
      "tell $variable to beep",
    "say $text using \"Alex\"", "set x to choose file with prompt $text of type {\"public.text\"} without invisibles",
      "run script $text with parameters $list",
    "set x to display alert $text message $text as warning buttons {\"A\", \"B\"} cancel button 1 giving up after 5", "tell me to helper()",
    "set volume output volume 50", "set x to read file $text as «class utf8»", "write $text to $variable starting at eof",
      "activate application \"Other\"",
    "set x to path to application support from user domain", "set x to random number from 1 to 6", "set x to round $number rounding up",
    "open location $text", "set x to helper of $variable above 1 below 5", "set contents of $variable to $expression",
      "set x to «event abcdefgh» $text",
    "set x to (choose from list $list with prompt $text OK button name $text cancel button name $text with multiple selections allowed)",
    "theItem's setTitle:$text forKey:$number", "current application's NSLog($text)", "set x to system attribute \"PATH\"",
      "continue helper($simple)",
    "store script $variable in file $text replacing yes", "log", "set x to ($number)", "if $condition then beep 2", "set x to (1 + 2) * -3",
      "copy {1, 2} to {x, y}" }
end

function Writer:modifier()
  return self:pick { "command down", "shift down", "option down", "control down" }
end

function Writer:KeynoteStatement()
  return self:pick { "export front document to POSIX file $text as PDF",
    "export front document to $variable as slide images with properties {image format:PNG, compression factor:0.5}",
    "set skipped of slide $number of front document to true", "make new slide at end of slides of front document",
      "close front document saving no",
    "set s to make new shape with properties {position:{1, 2}, width:$number, height:20}",
      "set current slide of front document to slide 2 of front document",
    "set width of shape 1 of slide 1 of front document to $number", "set object text of shape 1 of slide 1 of front document to $text",
      "activate",
    "delete shape 1 of slide 1 of front document", "set slide numbers showing of front document to true",
      "save front document in POSIX file $text",
    "set opacity of shape 2 of slide 1 of front document to 50", "set d to make new document with properties {document theme:theme 1}",
    "tell slide 1 of front document to set title showing to false", "set rotation of every shape of slide 1 of front document to 90",
    "if $condition then delete slide 2 of front document", "set n to count of slides of front document", "quit saving no" }
end

function Writer:DeskStatement()
  return self:pick { "send note 1 to $text as plain text", "send current note to $text as PDF with quietly",
    "send note 1 to $text without quietly",
    "keystroke $text using $modifier", "keystroke $text using {$modifier, $modifier}", "keystroke $text using $modifier",
      "keystroke $text & $variable using {$modifier}",
    "file away current note into folder tray 1", "play", "play player 1",
    "file away note 1 into folder tray $text with quietly", "set subject of note 1 to $text", "set flagged of every note of tray 1 to true",
    "set sound level of player 1 to $number", "set custom title of tab 1 of window 1 to $text",
      "set export format of note 1 to web archive",
    "make new note at end of notes of tray 1 with properties {subject:$text, flagged:true}",
      "send note 2 to $text with replacing old notes and quietly",
    "set paper color of tray 1 to $text", "set note body of current note to $text & $variable",
      "repeat while busy of window 1\n  delay 1\nend repeat", "synchronize",
    "tell tray 1 to set depth to $number", "set current note to note 2 of tray 1", "if player state of player 1 is playing then play",
      "set x to word total of note 1" }
end

function Writer:otherStatement()
  return self:pick { "do odd thing with big stuff", "set volume level of player 2 to $number",
    "frobnicate the gizmo into $text with verbosity", "set x to odd property of $variable",
    "make new big thing with properties {odd key:$number}", "save as $text", "set bar", "reply to front message",
      "click menu item 3 of menu 1" }
end


function Writer:add(indent, text)
  for part in (text .. "\n"):gmatch "(.-)\n" do
    self.lines[#self.lines + 1] = { text = ("\t"):rep(indent) .. part, place = self.place }
  end
end


--- A long line with a continuation at a gap outside strings, sometimes.
function Writer:folded(indent, text)
  if #text > 30 and self.random(6) == 1 and not text:find '[\n"|«(*#]' and not text:find "%-%-" then
    local at = text:find(" ", 12, true)
    text = text:sub(1, at) .. "¬\n" .. ("\t"):rep(indent + 1) .. text:sub(at + 1)
  end
  self:add(indent, text)
end


function Writer:body(indent)
  for _ = 1, self.random(3) do self:block(indent) end
end


local BLOCKS = {}

function BLOCKS.choice(self, indent)
  self:add(indent, "if " .. self:condition() .. self:pick { " then", " then", "" })
  self:body(indent + 1)
  if self.random(2) == 1 then
    self:add(indent, "else if " .. self:condition() .. " then")
    self:body(indent + 1)
  end
  if self.random(2) == 1 then
    self:add(indent, "else")
    self:body(indent + 1)
  end
  self:add(indent, self:pick { "end if", "end" })
end

function BLOCKS.loop(self, indent)
  self:add(indent, self:pick { "repeat", "repeat 3 times", "repeat (count of $variable) times", "repeat $number times",
    "repeat while $condition", "repeat until $condition",
    "repeat with i from 1 to 10", "repeat with i from 10 to 1 by -1", "repeat with i from 1 to count of $variable",
      "repeat with theItem in $list",
    "repeat with theItem in $variable", "repeat with x in (get $reference)" })
  self:body(indent + 1)
  if self.random(2) == 1 then self:add(indent + 1, self:pick { "exit repeat", "if $condition then exit repeat" }) end
  self:add(indent, self:pick { "end repeat", "end" })
end

function BLOCKS.trial(self, indent)
  self:add(indent, "try")
  self:body(indent + 1)
  self:add(indent, self:pick { "on error", "on error m", "on error m number n", "on error number n",
    "on error m number n from f partial result p to t", "on error errText number errNum" })
  self:body(indent + 1)
  self:add(indent, self:pick { "end try", "end" })
end

function BLOCKS.regard(self, indent)
  self:add(indent, self:pick { "considering case", "ignoring case and diacriticals", "considering numeric strings",
    "ignoring white space, hyphens and punctuation",
    "considering case but ignoring white space", "ignoring application responses" })
  self:body(indent + 1)
  self:add(indent, self:pick { "end considering", "end" })
end

function BLOCKS.limit(self, indent)
  self:add(indent, self:pick { "with timeout of 5 seconds", "with timeout of (2 * 60) seconds", "with transaction" })
  self:body(indent + 1)
  self:add(indent, "end")
end

--- The terms of an application, and inside them often those of its objects.
function BLOCKS.told(self, indent)
  if self.place ~= "plain" then return BLOCKS.choice(self, indent) end
  local place = ({ "Keynote", "Desk", "other" })[self.random(3)]
  self:add(indent, TELL[place])
  self.place = place
  self:body(indent + 1)
  self:add(indent, "end tell")
  self.place = "plain"
end


function Writer:block(indent)
  local names = { "choice", "loop", "trial", "regard", "limit", "told", "told" }
  if indent > 3 or self.random(3) > 1 then
    self:folded(indent, self:statement())
  else
    BLOCKS[names[self.random(#names)]](self, indent)
  end
end


function Writer:own()
  return self:pick { "helper", "drawBox", "send_it", "makeList", "total2", "findAll" }
end

function Writer:name()
  return self:pick { "a", "b", "theText", "n_1", "inputList", "color2" }
end

function Writer:handler()
  local head, tail = self:pick { "on helper(a, b)|helper", "on $own($name, $name)|helper", "on $own($name, $name, $name)|helper",
    "on $own($name, $name)|helper",
    "on run argv|run", "on run|run", "to helper()|helper", "on open theFiles|open", "on run {input, parameters}|run",
    "on helper of x above low below high|helper", "on helper for x given size:s, color:c|helper", "on setTitle:t forKey:k|setTitle:forKey:",
      "on quit|quit",
    "on helper({a, b}, c)|helper", "on idle|idle", "on adding folder items to f after receiving l|adding folder items to",
      "on helper(a as text, b)|helper" }:match "^(.-)|([^|]*)$"
  self:add(0, head)
  self:body(1)
  self:add(0, self:pick { "end " .. tail, "end" })
end


--- The lines of a whole script.
---@param seed integer
---@return {text: string, place: string}[]
function M.script(seed)
  local self = setmetatable({ random = M.random(seed), lines = {}, place = "plain", depth = 0 }, Writer)
  if self.random(4) == 1 then self:add(0, self:pick { "use AppleScript version \"2.4\"\nuse scripting additions",
    "use framework \"Foundation\"\nuse scripting additions" }) end
  if self.random(3) == 1 then self:add(0, self:pick { "property x : $expression", "property a : {1, 2}", "property theItem : missing value",
    "prop b2 : 5" }) end
  if self.random(3) == 1 then self:add(0, self:pick { "global a, b2", "local x, y", "global total" }) end
  self:body(0)
  if self.random(2) == 1 then self:handler() end
  if self.random(5) == 1 then
    self:add(0, "script helperScript")
    self:add(1, "property inner : " .. self:expression())
    self:add(1, "on go()\n\treturn inner\nend go")
    self:add(0, "end script")
  end
  if self.random(6) == 1 then
    self:add(0, 'using terms from application id "com.apple.Keynote"\n\ttell application id theId')
    self:add(2, "set n to count of slides of front document")
    self:add(0, "\tend tell\nend using terms from")
  end
  return self.lines
end


--- The text of lines.
function M.text(lines)
  local texts = {}
  for i, line in ipairs(lines) do texts[i] = line.text end
  return table.concat(texts, "\n")
end


return M
