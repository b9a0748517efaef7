--- Faults that are put into valid AppleScript, by kind: each changes one line as people and models do by mistake.
---
--- A kind has `change(line, random, following)`, which returns the line's new text (and how many lines it replaces, if not one), or
--- nil if the line has nothing that this fault can spoil. `severity` is what the check must find: "error" for what no dictionary
--- allows, "any" for what an application's dictionary lacks.

local lexer = require "applescript.lexer"

local M = {}

local SIGNS = { ["*"] = true, ["/"] = true, ["&"] = true, ["="] = true, ["≠"] = true, ["<"] = true, [">"] = true, ["≤"] = true,
  ["≥"] = true,
                ["^"] = true, ["÷"] = true, ["<="] = true, [">="] = true, ["/="] = true }
local WORDS = { ["and"] = true, ["or"] = true, div = true, mod = true, contains = true, is = true }
local LETTERS = "abcdefghijklmnopqrstuvwxyz"


--- The tokens of one line, each with its text as written and its place; nil if it is not whole.
local function tokens_of(text)
  if text:find("¬", 1, true) then return nil end
  local whole = true
  local line = lexer.lines(text, function() whole = false end)()
  if not line or not whole then return nil end
  local list, depth = {}, 0
  for i = 1, line.n do
    local sign = line.kinds[i] == "sign" and line.texts[i] or ""
    if sign:find "^[%)}%]]" then depth = depth - 1 end
    list[i] = { kind = line.kinds[i], text = line.texts[i], at = line.ats[i], stop = line.stops[i], depth = depth }
    if sign:find "^[%({%[]" then depth = depth + 1 end
  end
  return list
end


local function each(list, test)
  local found = {}
  for i, token in ipairs(list) do
    if test(token, i) then found[#found + 1] = i end
  end
  return found
end


local function one_of(random, found)
  return found[1] and found[random(#found)]
end


--- The text with the tokens from first to last replaced.
local function replaced(text, list, first, last, by)
  return text:sub(1, list[first].at - 1) .. by .. text:sub(list[last].stop + 1)
end


local function is_word(token, text)
  return token and token.kind == "word" and token.text == text
end


--- A word with one letter missing, added, wrong or changed places.
local function slip(word, random)
  for _ = 1, 20 do
    local at, letter = random(#word), random(26)
    letter = LETTERS:sub(letter, letter)
    local kind, other = random(4), nil
    if kind == 1 then other = word:sub(1, at - 1) .. word:sub(at + 1) end
    if kind == 2 then other = word:sub(1, at) .. letter .. word:sub(at + 1) end
    if kind == 3 then other = word:sub(1, at - 1) .. letter .. word:sub(at + 1) end
    if kind == 4 then other = word:sub(1, at - 1) .. word:sub(at + 1, at + 1) .. word:sub(at, at) .. word:sub(at + 2) end
    if other ~= word and #other > 2 then return other end
  end
  return word .. "x"
end
M.slip = slip


--- The `to` of a `set`, and the list of tokens.
local function set_and_to(line)
  local list = tokens_of(line.text)
  if not list or not is_word(list[1], "set") or is_word(list[2], "the") or is_word(list[2], "volume") then return nil end
  local found = each(list, function(token, i) return i > 2 and token.depth == 0 and is_word(token, "to") end)
  return #found == 1 and found[1] < #list and list[1] and list, found[1]
end


--- The last token of a line whose end is that of an expression, before a comment.
local function expression_end(line)
  local list = tokens_of(line.text)
  if not list then return nil end
  local first = list[1].text
  if first ~= "set" and first ~= "return" and first ~= "log" or #list < 2 then return nil end
  return list, #list
end

local function operators(list)
  return each(list, function(token, i)
    return i > 1 and i < #list and (token.kind == "sign" and SIGNS[token.text] or token.kind == "word" and WORDS[token.text]
      and not (token.text == "is"
      and list[i + 1].kind == "word"))
  end)
end


local function known(line) return line.place ~= "other" end

local function starts(text, word) return text:match("^%s*" .. word .. "%f[^%w_]") ~= nil end


---@type {name: string, severity: "error"|"any", change: fun(line: table, random: function, following?: table): string?, integer?}[]
M.STATEMENTS = {
  { name = "set without to", change = function(line)
    local list, to = set_and_to(line)
    if not list or not known(line) then return nil end
    return replaced(line.text, list, to, to, ""):gsub("  +", " ") end },
  { name = "set with =", change = function(line)
    local list, to = set_and_to(line)
    if not list or not known(line) then return nil end
    return replaced(line.text, list, to, to, "=") end },
  { name = "set without a value", change = function(line)
    local list, to = set_and_to(line)
    return list and line.text:sub(1, list[to].stop) end },
  { name = "double operator", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, operators(list))
    if not at then return nil end
    local text = line.text:sub(list[at].at, list[at].stop)
    local other = list[at].kind == "sign" and ({ text, "*", "&" })[random(3)] or text
    return replaced(line.text, list, at, at, text .. " " .. other) end },
  { name = "dangling operator", change = function(line, random)
    local list, last = expression_end(line)
    return list and line.text:sub(1, list[last].stop) .. " " .. ({ "&", "*", "+", "and", "is", "-", "or", "=", "of",
      "mod" })[random(known(line) and 10 or 4)] end },
  { name = "operator without a left side", change = function(line, random)
    local list, to = set_and_to(line)
    if not list or not known(line) then return nil end
    return replaced(line.text, list, to, to, "to " .. ({ "*", "&", "/", "and", "=", "contains", "or", "mod" })[random(8)]) end },
  { name = "operator before a bracket", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i) return token.text == ")" and token.kind == "sign"
      and list[i - 1].text ~= "(" end))
    return at and replaced(line.text, list, at, at, ({ " +)", " &)", " and)", " *)", ", )" })[random(5)]) end },
  { name = "if without a condition", change = function(line)
    if not starts(line.text, "if") and not starts(line.text, "else if") or not line.text:find " then" then return nil end
    return (line.text:gsub("if .* then", "if then", 1)) end },
  { name = "one-line if without then", change = function(line)
    if not starts(line.text, "if") or not line.text:find " then [srbt]e" or not known(line) then return nil end
    return (line.text:gsub(" then ", " ", 1)) end },
  { name = "misspelt keyword", change = function(line, random)
    local word, rest = line.text:match "^%s*(%a+) +(%S)"
    local wanted = { set = true, ["return"] = true, ["repeat"] = true, tell = true, copy = true, considering = true, ignoring = true,
      property = true,
                     global = true, ["local"] = true }
    if not wanted[word] or not known(line) or rest == "-" or rest == "(" then return nil end
    local other = slip(word, random)
    return (line.text:gsub(word, other, 1)) end },
  { name = "two statements in a line", change = function(line, random, following)
    local first, second = line.text:match "^%s*(%a+)", following and following.text:match "^%s*(%a+)"
    local one = { set = true, copy = true, delay = true, beep = true, log = true, ["return"] = true, display = true, export = true,
      send = true }
    local other = { set = true, copy = true, tell = true, ["return"] = true, ["repeat"] = true, ["if"] = true }
    local comment = line.text:find("--", 1, true) or line.text:find("#", 1, true)
    if not one[first] or not other[second] or not known(line) or comment or line.text:find "^%s*%a+$" or line.text:find "¬" then
      return nil end
    if following.text:find "^%s*return$" or following.place ~= line.place then return nil end
    return line.text .. " " .. following.text:match "^%s*(.*)$", 2 end },
  { name = "repeat", change = function(line, random)
    local indent, rest = line.text:match "^(%s*)repeat (.*)$"
    if not rest or not known(line) then return nil end
    local name, from, to = rest:match "^with (%S+) from (%S+) to (.+)$"
    local item, list = rest:match "^with (%S+) in (.+)$"
    local forms = from and { "with " .. name .. " " .. from .. " to " .. to, "with " .. name .. " from " .. from, "with " .. name
      .. " from " .. from .. " to",
                             name .. " from " .. from .. " to " .. to, "with from " .. from .. " to " .. to, "with " .. name .. " = "
                               .. from .. " to " .. to,
                             "for " .. name .. " from " .. from .. " to " .. to }
      or item and { "with in " .. list, "with " .. item .. " " .. list, "with " .. item, "for " .. item .. " in " .. list, "with " .. item
        .. " in",
                    "with each " .. item .. " in " .. list, "for each " .. item .. " in " .. list }
      or rest:find "^while" and { "while", "while then", "while = 5" } or rest:find "^until" and { "until", "until and true" }
      or rest:find "times$" and { "times", rest .. " 5", "with times", rest .. " times" }
    return forms and indent .. "repeat " .. one_of(random, forms) end },
  { name = "empty item of a list", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token) return token.text == "," and token.kind == "sign"
      and token.depth > 0 end))
    return at and replaced(line.text, list, at, at, ({ ", ,", ",,", ", , ," })[random(3)]) end },
  { name = "comma before a bracket", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i) return token.text == "}" and token.kind == "sign"
      and list[i - 1].text ~= "{" end))
    return at and replaced(line.text, list, at, at, ({ ",}", ", }" })[random(2)]) end },
  { name = "comma after a bracket", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i) return token.text == "{" and token.kind == "sign"
      and list[i + 1].text ~= "}" end))
    return at and replaced(line.text, list, at, at, "{, ") end },
  { name = "record without a value", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i)
      return token.text == ":" and token.kind == "sign" and token.depth > 0 and list[i + 2] and list[i + 2].depth <= token.depth
        and list[i + 2].text:find "^[,}]$" end))
    return at and replaced(line.text, list, at + 1, at + 1, "") end },
  { name = "missing comma", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i)
      local before, after = list[i - 1], list[i + 1]
      local whole = (before or token).kind == "number" or (before or token).kind == "string"
      return token.text == "," and token.kind == "sign" and token.depth > 0 and whole and (after.kind == "number" or after.kind == "string"
        or after.text == "{") end))
    return at and replaced(line.text, list, at, at, " ") end },
  { name = "declaration of another language", change = function(line, random)
    local indent, name, value = line.text:match "^(%s*)set ([%a_][%w_]*) to ([^#%-]+)$"
    if not name or not known(line) then return nil end
    return indent .. ({ "var %s = %s;", "let %s = %s", "const %s = %s;", "int %s = %s", "var %s = %s", "local %s = %s", "set %s to %s;",
      "%s := %s", "%s += %s", "dim %s as %s" })[random(10)]
      :format(name, value) end },
  { name = "sign of another language", change = function(line, random)
    local list = tokens_of(line.text)
    local at = list and one_of(random, each(list, function(token, i)
      return i > 1 and (token.kind == "sign" and token.text:find "^[=≠&<>≤≥]" or is_word(token, "and") or is_word(token, "or"))
        and i < #list end))
    return at and replaced(line.text, list, at, at, ({ "==", "!=", "&&", "===", "=>", "%", "!" , "->", "<>", "=!" })[random(10)]) end },
  { name = "handler", change = function(line, random)
    local name, inside = line.text:match "^on ([%a_]+)%(([%w ,]+)%)$"
    if not name then return nil end
    local names = inside:gsub(" as text", "")
    return ({ "on " .. name .. "It " .. names:gsub(",", ""), "on " .. name .. "It " .. names:gsub(",", "") .. " c", "def " .. name .. "("
      .. names .. "):", "function " .. name .. "(" .. names .. ")",
              "on " .. name .. "(" .. names:gsub(",", "") .. ")", "on " .. name .. "(" .. names .. ",)", "on " .. name .. "(, " .. names
                .. ")", "on " .. name .. " (" .. names .. ") c" })[random(8)] end },
  { name = "property", change = function(line, random)
    local word, name, value = line.text:match "^%s*(prop[erty]*) (%S+) : (.+)$"
    return word and ({ "%s %s = %s", "%s %s to %s", "%s %s : = %s", "%s %s :", "%s : %s %s", "%s %s : : %s" })[random(6)]:format(word, name,
      value) end },
  { name = "copy without to", change = function(line)
    local list = tokens_of(line.text)
    if not list or not is_word(list[1], "copy") or line.place ~= "plain" then return nil end
    local to = each(list, function(token) return token.depth == 0 and is_word(token, "to") end)
    if #to ~= 1 then return nil end
    return replaced(line.text, list, to[1], to[1], "") end },
  { name = "exit", change = function(line, random)
    if not line.text:find "^%s*exit repeat$" or not known(line) then return nil end
    return (line.text:gsub("repeat", ({ "loop", "while", "tell", "for", "try", "script", "now", "x", "if", "the loop", "5",
      "repeats" })[random(12)])) end },
  { name = "a value that is given a value", change = function(line, random)
    local list, to = set_and_to(line)
    local copied = not list and line.place == "plain" and line.text:match "^(%s*copy [^#]- to )%a%w*$"
    local fixed = ({ "5", '"a"', "3 + 4", "-1", "true", "{a, 5}", '"a" & "b"' })[random(7)]
    if copied then return copied .. fixed end
    return list and replaced(line.text, list, 2, to - 1, fixed) end },
  { name = "a value as the variable of a repeat", change = function(line, random)
    local before, after = line.text:match "^(%s*repeat with )[%a_]%w*( .+)$"
    return before and before .. ({ "5", '"x"', "true", "1.5" })[random(4)] .. after end },
  { name = "a value as a parameter", change = function(line, random)
    local before, names, after = line.text:match "^(on [%a_]+%()([%w_, ]+)(%).*)$"
    if not before then return nil end
    local fixed = ({ "5", '"x"', "true" })[random(3)]
    return before .. ({ fixed, names .. ", " .. fixed, fixed .. ", " .. names })[random(3)] .. after end },
  { name = "then for than", change = function(line, random)
    local changed, count = line.text:gsub("( is [not ]*greater) than", "%1 then", 1)
    if count == 0 then changed, count = line.text:gsub("( is [not ]*less) than", "%1 then", 1) end
    if count == 0 or line.text:find '"[^"]* than' then return nil end
    return (not starts(line.text, "if") or line.text:find " then") and changed or nil end },
  { name = "than for then", change = function(line)
    if not starts(line.text, "if") or not known(line) then return nil end
    return (line.text:match "^(.+) then$" or "") ~= "" and line.text:gsub(" then$", " than") or nil end },
  { name = "a handler in a handler", below = 1, change = function(line, random)
    if not line.text:find "^on [%a_]+%(.*%)$" then return nil end
    return line.text .. ({ "\non innerOne()\nend innerOne", "\nto innerOne(a)\nreturn a\nend innerOne",
      "\non innerOne()\nend" })[random(3)] end },
  { name = "a handler in another block", below = 1, change = function(line, random)
    local block = line.text:find "^%s*tell .+$" and not line.text:find " to " or line.text:find "^%s*repeat"
      or line.text:find "^%s*if .* then$" or line.text:find "^%s*try$"
    return block and line.text .. ({ "\non innerOne()\nend innerOne", "\nto innerOne(a)\nend" })[random(2)] or nil end },
  { name = "values side by side", change = function(line, random)
    local list, last = expression_end(line)
    if not list or not known(line) or #list < 3 then return nil end
    local firm = list[last].kind == "number" or list[last].kind == "string" or list[last].text:find "^[%)}]$"
    return firm and line.text:sub(1, list[last].stop) .. " " .. ({ "5", '"x"', "{1}", "(2)",
      "theItem's name" })[random(list[last].text:find "^[%)}]$" and 3 or 4)] or nil end },
}

for _, kind in ipairs(M.STATEMENTS) do kind.severity = "error" end


--- Objects of the writer's applications, by place: a class and how one is named.
local OBJECTS = {
  Keynote = { document = "front document", slide = "slide 1 of front document", shape = "shape 1 of slide 1 of front document",
    theme = "theme 1" },
  Desk = { note = "note 1 of tray 1", tray = "tray 1", player = "player 1", tab = "tab 2 of window 1" },
}

local function is_statement(line) return line.text:find "^%s*[sdlbc]%a+ " and OBJECTS[line.place] and not line.text:find "¬" end

local function sorted(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- The words of an application's terms in a line, as tokens: those that are not words of AppleScript, too.
local function term_words(line, terms, language)
  local list = tokens_of(line.text)
  if not list then return nil end
  return list, each(list, function(token, i)
    if token.kind ~= "word" or #token.text < 4 or list[i + 1] and (list[i + 1].text == ":" or list[i + 1].text == "(") or i == 1
      and #list == 1 then return false end
    local fake = { kinds = { "word" }, texts = { token.text }, n = 1 }
    return terms.first[token.text] ~= nil and not language.first[token.text] and terms:term(fake, 1) ~= nil or
      terms.first[token.text] ~= nil and not language.first[token.text]
  end)
end


--- Kinds of faults against a dictionary. `terms` and `language` are the known dictionaries.
---@param known_terms table<string, applescript.Terms>  by place
---@param language applescript.Terms
function M.dictionary(known_terms, language)
  local function words_of(line)
    local terms = known_terms[line.place]
    if not terms then return nil end
    return term_words(line, terms, language)
  end
  local function with_property(line, random, chosen)
    if not is_statement(line) then return nil end
    local objects, terms = OBJECTS[line.place], known_terms[line.place]
    local class = one_of(random, sorted(objects))
    local found = {}
    for _, name in ipairs(sorted(terms.owners)) do
      if chosen(terms, terms.classes[class], name) and not terms:class(name) then found[#found + 1] = name end
    end
    local name = one_of(random, found)
    return name, objects[class], line.text:match "^%s*"
  end
  local kinds = {
    { name = "required parameter", change = function(line)
      if line.text:find "^%s*export .* to " then return (line.text:gsub(" to .- as ", " as ")) end
      if line.text:find "^%s*send .* to " then return (line.text:gsub(' to "[^"\\]*"', ""):gsub(' to ".-[^\\]"', "")) end
      if line.text:find "^%s*file away" then return (line.text:gsub(" into folder tray %S+", "")) end end },
    { name = "unknown choice after as", change = function(line, random)
      local word = line.text:match "^%s*export .* as (%a+)" or line.text:match "^%s*send .* as (%a+)"
      return word and (line.text:gsub(" as " .. word, " as " .. ({ word .. "X", slip(word, random), "gif",
        "postscript" })[random(4)])) end },
    { name = "unknown choice after using", change = function(line, random)
      local before, word, after = line.text:match "^(.- using {?)(%a+)( .*)$"
      if not before or not line.text:find "keystroke" then return nil end
      local form = random(4)
      if form == 1 then return before .. slip(word, random) .. after end
      if form == 2 then return before .. word .. after:gsub("down", "downn", 1) end
      if form == 3 then return (line.text:gsub("using", "using hyper down", 1)) end
      return (line.text:gsub("down", slip("down", random), 1)) end },
    { name = "with for using", change = function(line)
      return line.text:find "keystroke .* using " and line.text:gsub(" using {?", " with "):gsub("}", "") or nil end },
    { name = "words that are no term", change = function(line, random)
      local list, found = words_of(line)
      local at = list and one_of(random, found)
      local extra = ({ "gizmo", "thing", "fancy", "whole", "blob" })[random(5)]
      if not at or at == 1 or list[at - 1].kind == "string" then return nil end
      return replaced(line.text, list, at, at, extra .. " " .. line.text:sub(list[at].at, list[at].stop)) end },
    { name = "misspelt term", near = true, change = function(line, random)
      local list, found = words_of(line)
      local at = list and one_of(random, found)
      if not at then return nil end
      local word = line.text:sub(list[at].at, list[at].stop)
      return replaced(line.text, list, at, at, slip(word, random)) end },
    { name = "property of another class", change = function(line, random)
      local name, object, indent = with_property(line, random, function(terms, class, name) return not terms:may_have(class, name) end)
      return name and indent .. ({ "set x to %s of %s", "return %s of %s", "if (%s of %s) is missing value then beep", "set %s of %s to 5",
        "log (get %s of %s)" })[random(5)]:format(name, object) end },
    { name = "read-only property", change = function(line, random)
      local name, object, indent = with_property(line, random, function(terms, class, name)
        local property = terms:property(class, name)
        return property and property.access == "r"
      end)
      return name and indent .. ({ "set %s of %s to 5", "tell %s to set %s to 5",
        'set the %s of %s to "x"' })[random(3)]:gsub("^(.-)%%s(.-)%%s", function(a, b)
        if a == "tell " then return a .. object .. b .. name end
        return a .. name .. b .. object
      end) or nil end },
  }
  for _, kind in ipairs(kinds) do kind.severity = "any" end
  return kinds
end


return M
