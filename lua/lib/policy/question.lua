--- The part of a question that shows what will happen: the effect in one sentence, then the arguments, the dangerous ones first.
--- The text depends on what is given and on nothing else. Its length is bounded, and nothing in an argument can hide, move or
--- imitate a part of it.

local declared = require "policy.declared"
local glyphs   = require "policy.glyphs"
local json     = require "sys.json"
local keys     = require "keys"
local quoting  = require "desktop.quoting"

local M = {}

local SHOWN = 1500            -- characters of all arguments, approximately: more does not fit on a screen
local LEAST, MOST = 60, 500   -- and of one argument, or of a fact in the sentence
local WHOLE, WHOLE_LINES = 2500, 24   -- characters and lines of the arguments of a run, which are shown whole if they fit
local ABOUT = 64              -- characters by which text says how much is left out
local NAME_MAX = 40           -- of its name
local ARGUMENTS = 12          -- arguments that are shown
local HEAD, TAIL, ODD = 8, 4, 4  -- items of a list: the first, the last, and those between that look dangerous
local SAVED = 30              -- characters that leaving out a middle has to save
local FEW = 4                 -- items where there is little room
local HIDES = ", some of them long, or with paths, URLs or signs of commands"
local DEPTH = 4               -- levels of nested tables that are shown as such
local LOOKED = 65536          -- characters of an argument that are looked at for what is shown of it
local VALUES = 2000           -- values of an argument that are looked at for its rank
local DANGEROUS = 5           -- arguments up to this rank get more room


-- --- the rank of an argument --------------------------------------------------------------------------

-- Words in the names of arguments. The first list decides most.
local WORDS = {
  { "to", "cc", "bcc", "recipient", "recipients", "subject" },
  { "command", "commands", "cmd", "code", "script", "source", "shell", "program", "executable", "exec", "argv", "arguments",
    "args", "argument", "sql", "expression", "steps", "step", "env", "environment", "stdin" },
  { "text", "keys", "value", "input", "content", "contents", "body", "html", "data", "message", "attachments" },
  { "path", "paths", "file", "files", "folder", "directory", "dir", "destination", "target", "output", "cwd" },
  { "url", "urls", "uri", "host", "hostname", "endpoint", "server", "domain", "address" },
  { "action", "name", "element", "application", "window", "method", "force", "recursive", "overwrite", "delete" },
}
local PLAIN = #WORDS + 1   -- the rank of other text
local LEAST_OF_ALL = PLAIN + 1

local RANKS, PLACES = {}, {}
for rank, words in ipairs(WORDS) do
  for place, word in ipairs(words) do RANKS[word], PLACES[word] = rank, place end
end


-- The ranks of arguments that a tool's file declares to be paths and hosts, whatever they are called.
local RANK_OF_PLACE = { host = RANKS.host }
for kind in pairs(declared.PATHS) do RANK_OF_PLACE[kind] = RANKS.path end


--- True for text that a shell, a browser or the file system would act on.
local function looks_dangerous(text)
  return text:find "^[/~]" ~= nil or text:find "%s[/~]" ~= nil or text:find("://", 1, true) ~= nil
    or text:find "[;|&`$<>\n]" ~= nil
end


--- The rank by name and value: 1 comes first. A name that is one of the words as a whole comes before others of its rank, and
--- these in the order of the words.
local function rank_of(name, value, depth, left)
  local text = tostring(name)
  local rank, whole = RANKS[text:lower()], PLACES[text:lower()]
  if not rank then
    whole = math.huge
    for word in text:sub(1, 200):gsub("(%l)(%u)", "%1_%2"):lower():gmatch "%a+" do
      rank = math.min(rank or LEAST_OF_ALL, RANKS[word] or LEAST_OF_ALL)
    end
    rank = rank or LEAST_OF_ALL
  end
  if type(value) == "string" then
    rank = math.min(rank, looks_dangerous(value) and DANGEROUS or PLAIN)
  elseif type(value) == "table" and depth > 0 then
    for key, item in pairs(value) do
      left.values = left.values - 1
      if left.values < 0 then break end
      rank = math.min(rank, (rank_of(key, item, depth - 1, left)))
    end
  end
  return rank, whole
end


--- True for a value with text that looks dangerous, at any depth.
local function has_signs(value, depth, left)
  if type(value) == "string" then return looks_dangerous(value:sub(1, LOOKED)) end
  if type(value) ~= "table" or depth == 0 then return false end
  for _, item in pairs(value) do
    left.values = left.values - 1
    if left.values < 0 then return true end
    if has_signs(item, depth - 1, left) then return true end
  end
  return false
end


---@param args table
---@param by_value? boolean  true: others chose the names, so that values come before them
---@param about? table        the kinds of the arguments, as the tool's file declares them
---@return any[] names
---@return table<any, integer> ranks
local function ordered(args, by_value, about)
  local names, ranks, wholes, at, harmless = keys.ordered(args), {}, {}, {}, {}
  for i, name in ipairs(names) do
    local place = about and RANK_OF_PLACE[about[name]]
    ranks[name], wholes[name] = rank_of(name, args[name], DEPTH, { values = VALUES })
    if place then ranks[name] = math.min(ranks[name], place) end
    at[name] = i
    harmless[name] = by_value and not place and not has_signs(args[name], DEPTH, { values = VALUES })
  end
  table.sort(names, function(a, b)
    if harmless[a] ~= harmless[b] then return harmless[b] end
    if ranks[a] ~= ranks[b] then return ranks[a] < ranks[b] end
    if wholes[a] ~= wholes[b] then return wholes[a] < wholes[b] end
    return at[a] < at[b]
  end)
  return names, ranks
end


local LONG = 200   -- characters of a value in which a command has room


--- True for a value that may do harm, whatever its name says: others choose the names.
local function is_heavy(value, depth, left)
  if type(value) == "string" then return looks_dangerous(value:sub(1, LOOKED)) or #value > LONG end
  if type(value) ~= "table" then return false end
  if depth == 0 then return true end
  for key, item in pairs(value) do
    left.values = left.values - 1
    if left.values < 0 then return true end
    if is_heavy(item, depth - 1, left) or type(key) == "string" and #key > NAME_MAX then return true end
  end
  return false
end


--- The names that are shown where there are too many, in their order: those with heavy values before others.
---@param names any[]  in order
---@param values table<any, any>
---@param most integer
---@return any[] shown
---@return boolean hides  true: some that are left out are heavy
local function chosen_names(names, values, most)
  if #names <= most then return names, false end
  local heavy, taken, count, some = {}, {}, 0, {}
  for _, name in ipairs(names) do
    heavy[name] = is_heavy(values[name], DEPTH, { values = VALUES })
    if heavy[name] and count < most then taken[name], count = true, count + 1 end
  end
  local hides = false
  for _, name in ipairs(names) do
    if not taken[name] and count < most then taken[name], count = true, count + 1 end
    if taken[name] then some[#some + 1] = name end
    hides = hides or heavy[name] and not taken[name]
  end
  return some, hides
end


--- The name of an argument: quoted unless it is a plain word. Of a long one the beginning, the end and the size are shown.
---@param name any
---@return string
function M.shown_name(name)
  local text = tostring(name)
  if #text <= NAME_MAX and text:find "^[%w_][%w_%-.]*$" then return text end
  return M.shown_text(text, 2 * NAME_MAX)
end


-- --- values ---------------------------------------------------------------------------------------

--- Text in quotes. Of long text the beginning, the end and the size are shown, because a command may say at its end what its
--- beginning hides.
---@param value string
---@param most integer  characters
---@param looked? integer
---@return string
function M.shown_text(value, most, looked)
  local text, left_out = glyphs.visible(value, looked or LOOKED)
  local length, tail = utf8.len(text), most // 3
  if length <= most + SAVED and left_out == 0 then return quoting.quote(text) end
  local head = text:sub(1, utf8.offset(text, math.min(length, most - tail) + 1) - 1):gsub(" $", "")
  local rest = text:sub(utf8.offset(text, math.max(length - tail, 0) + 1)):gsub("^ ", "")
  return ("%s … and so on (%d characters in all) … %s"):format(quoting.quote(head), utf8.len(value) or #value,
    quoting.quote(rest))
end


local shown

local whole = setmetatable({}, { __mode = "k" })   -- lists of which nothing is left out

--- Marks a list whose items are all shown, since each of them may be the one that matters.
---@param list any[]
---@return any[]
function M.all(list)
  whole[list] = true
  return list
end


--- The indices of the items of a list that are shown: the first, the last, and some between that look dangerous.
local function chosen(list, most)
  local some, odd = {}, 0
  local little = most <= LEAST
  for i, item in ipairs(list) do
    local is_end = i <= (little and FEW // 2 or HEAD) or i > #list - (little and 1 or TAIL)
    local is_odd = not is_end and odd < (little and 1 or ODD)
      and (type(item) == "table" or type(item) == "string" and looks_dangerous(item))
    if is_odd then odd = odd + 1 end
    if is_end or is_odd then some[#some + 1] = i end
  end
  return some
end


local function shown_all(list)
  local parts = {}
  for i, each in ipairs(list) do parts[i] = M.shown_text(tostring(each), LEAST) end
  return table.concat(parts, ", ")
end


local function shown_list(list, most, depth)
  local some, parts, before = chosen(list, most), {}, 0
  for _, i in ipairs(some) do
    if i > before + 1 then parts[#parts + 1] = ("… %d more …"):format(i - before - 1) end
    parts[#parts + 1] = shown(list[i], math.max(LEAST, most // #some), depth - 1)
    before = i
  end
  return table.concat(parts, ", ")
end


local function shown_map(map, most, depth)
  local names, parts = ordered(map), {}
  local some, hides = chosen_names(names, map, most <= LEAST and FEW or ARGUMENTS)
  for i, name in ipairs(some) do
    parts[i] = ("%s = %s"):format(M.shown_name(name),
      shown(map[name], math.max(LEAST, most // #some), depth - 1))
  end
  if #names > #some then parts[#parts + 1] = ("… and %d more%s"):format(#names - #some, hides and HIDES or "") end
  return "{ " .. table.concat(parts, ", ") .. " }"
end


--- A number with all digits that it has here, or null. A float of this size may be sent with more digits, as they came.
local function shown_plain(value)
  if type(value) == "boolean" then return tostring(value) end
  local ok, text = pcall(json.encode, value)
  local is_rounded = math.type(value) == "float" and math.abs(value) >= 2 ^ 53
  return (is_rounded and "about " or "") .. (ok and text or tostring(value))
end


--- One value on one line.
function shown(value, most, depth)
  if type(value) == "string" then return M.shown_text(value, most, most <= LEAST and 8 * most or nil) end
  if type(value) ~= "table" then return shown_plain(value) end
  if next(value) == nil then return "none" end
  if whole[value] then return shown_all(value) end
  if depth == 0 then
    local ok, text = pcall(json.encode, value)
    return M.shown_text(ok and text or "a table", most)
  end
  local text = #value > 0 and shown_list(value, most, depth) or shown_map(value, most, depth)
  local length = utf8.len(text)
  if length <= 2 * most then return text end
  return ("%s … and so on … %s"):format(text:sub(1, utf8.offset(text, most + 1) - 1),
    text:sub(utf8.offset(text, length - most + 1)))
end


-- --- the sentence -----------------------------------------------------------------------------------

---@class policy.Told  what is about to happen; every fact but `effect` may be absent
---@field effect string        a key of SENTENCES
---@field text? string         to type, to put on the clipboard
---@field keys? string         to press
---@field application? string  the application's name
---@field onto? string         where it is dropped
---@field terminal? boolean    it runs what is typed in it
---@field role? string         of an element
---@field name? string         of an element, a model, a setting
---@field program? string
---@field command? string      that a shell runs
---@field argv? string[]       arguments of the program
---@field path? string
---@field files? string[]
---@field to? string|string[]  where it is moved to; recipients
---@field url? string
---@field host? string
---@field method? string       of an HTTP request
---@field server? string
---@field tool? string

local function text_of(value) return shown(value, MOST, DEPTH) end

local function count(list, one) return #list == 1 and "the " .. one or ("%d %ss"):format(#list, one) end

local function place(facts)
  local where = facts.application and "in " .. quoting.quote(facts.application, NAME_MAX) or "where the keyboard focus is"
  return facts.terminal and where .. ", a terminal, which runs what is entered" or where
end

local function objects(facts)
  return facts.path and text_of(facts.path) or facts.files and next(facts.files) and count(facts.files, "file") .. " "
    .. text_of(facts.files) or facts.url and text_of(facts.url)
end

local SENTENCES = {}

function SENTENCES.input(facts)
  if facts.text then return ("enters %s %s"):format(text_of(facts.text), place(facts)) end
  if facts.keys then return ("presses %s %s"):format(text_of(facts.keys), place(facts)) end
  return "presses keys or buttons " .. place(facts)
end

function SENTENCES.paste(facts)
  return ("pastes %s %s"):format(facts.text and text_of(facts.text) or "the clipboard's content", place(facts))
end

function SENTENCES.press(facts)
  local element = ("%s %s"):format(facts.role or "the element", quoting.quote(facts.name or "", NAME_MAX))
  return ("presses %s %s"):format(element, facts.application and place(facts) or ""):gsub(" $", "")
end

function SENTENCES.drop(facts) return ("drops %s %s"):format(objects(facts) or "files", facts.onto or place(facts)) end

function SENTENCES.start(facts)
  local said = "starts " .. text_of(facts.program or facts.command or "a program")
  local argv = facts.argv or {}
  if #argv > 0 then said = ("%s with %s %s"):format(said, count(argv, "argument"), text_of(argv)) end
  local opened = objects(facts)
  return opened and said .. ", which opens " .. opened or said
end

function SENTENCES.process(facts)
  return facts.command and "runs the command " .. text_of(facts.command) or SENTENCES.start(facts)
end

function SENTENCES.open(facts) return "opens " .. (objects(facts) or "a file") end

function SENTENCES.http(facts)
  return ("sends a %s request to %s"):format(facts.method or "GET", text_of(facts.url or facts.host or "a server"))
end

function SENTENCES.write(facts) return "writes " .. (objects(facts) or "a file") end

function SENTENCES.delete(facts) return "deletes " .. (objects(facts) or "files") end

function SENTENCES.move(facts)
  return ("moves %s to %s"):format(objects(facts) or "a file", text_of(facts.to or "another place"))
end

function SENTENCES.clipboard(facts) return "puts on the clipboard: " .. text_of(facts.text or "") end

function SENTENCES.mail(facts) return "sends mail to " .. text_of(facts.to or "somebody") end

function SENTENCES.model(facts) return "asks the model " .. text_of(facts.name or "") end

function SENTENCES.settings(facts) return "changes a setting of Perigee: " .. text_of(facts.name or "") end

function SENTENCES.mounted(facts)
  return ("calls %s of the server %s"):format(text_of(facts.tool or "a tool"), text_of(facts.server or ""))
end


-- The effects of our own tools, the arguments that the sentence shows whole, and how the arguments are shown, if not as they are.
local OURS = {}

function OURS.open_application(args)
  return { effect = "start", program = args.application, argv = args.arguments, files = args.files },
    { "application", "arguments", "files" }
end

function OURS.create_input(args)
  if args.text then return { effect = args.action == "paste" and "paste" or "input", text = args.text }, { "text" } end
  if args.keys then return { effect = "input", keys = args.keys }, { "keys" } end
end

--- The arguments of a mail, with its recipients one by one.
local function with_recipients(args)
  local list = {}
  for name, value in pairs(args) do list[name] = value end
  for _, name in ipairs { "to", "cc", "bcc" } do
    local found = type(args[name]) == "string" and require("mail.address").list(args[name], name) or {}
    local addresses = {}
    for i, each in ipairs(found) do addresses[i] = each.address end
    if addresses[2] then list[name] = M.all(require("policy.recipients").shown(addresses)) end
  end
  return list
end

function OURS.send_email(args)
  if not args.draft then return { effect = "mail", to = args.to }, {}, with_recipients(args) end
end

function OURS.write_clipboard(args)
  if args.text then return { effect = "clipboard", text = args.text }, { "text" } end
end

function OURS.drop_files(args)
  local onto = args.element and "on " .. text_of(args.element) or "on the middle of the window"
  local whose = args.window or args.application
  return { effect = "drop", files = args.files, onto = whose and ("%s in %s"):format(onto, text_of(whose)) or onto }, { "files" }
end


-- --- the whole --------------------------------------------------------------------------------------

--- One line for each argument, by name, and the number of those that are not shown.
local function lines_of(args, left_out, by_value, about)
  local names, ranks = ordered(args, by_value, about)
  local all, lines, weight, left = {}, {}, 0, SHOWN
  local function heavy(name) return ranks[name] <= DANGEROUS and 4 or 1 end
  for _, name in ipairs(names) do
    if not left_out[name] then all[#all + 1] = name end
  end
  local some, hides = chosen_names(all, args, ARGUMENTS)
  for i = 1, #some do weight = weight + heavy(some[i]) end
  for i = 1, #some do
    local name = some[i]
    local share = math.min(MOST, math.max(LEAST, left * heavy(name) // weight))
    lines[i] = ("  %s: %s"):format(M.shown_name(name), shown(args[name], share, DEPTH))
    left, weight = left - utf8.len(lines[i]), weight - heavy(name)
  end
  local more = #all - #some
  if more > 0 then
    lines[#lines + 1] = ("  … and %d more argument%s%s"):format(more, more == 1 and "" or "s", hides and HIDES or "")
  end
  return lines
end


--- The most characters of a line with which all of them fit: short ones are whole.
local function share_of(lengths)
  local left, many = WHOLE, #lengths
  table.sort(lengths)
  for i, length in ipairs(lengths) do
    local share = left // (many - i + 1)
    if length > share then return math.max(LEAST, share) end
    left = left - length
  end
  return WHOLE
end


--- One line for each argument, and for each item of a list: of a run, whose question is about all that it does. Of long ones the
--- middle is left out. nil: these are too many for a question.
local function whole_lines(args)
  local names, values, lines, lengths = {}, {}, {}, {}
  for _, name in ipairs((ordered(args))) do
    local value, shown_name = args[name], M.shown_name(name)
    local is_list = type(value) == "table" and #value > 1
    for i, item in ipairs(is_list and value or { value }) do
      if #lines == WHOLE_LINES then return nil end
      names[#names + 1] = is_list and ("%s %d"):format(shown_name, i) or shown_name
      values[#values + 1], lines[#lines + 1] = item, shown(item, WHOLE, DEPTH)
      lengths[#lines] = utf8.len(lines[#lines])
    end
  end
  local share = share_of({ table.unpack(lengths) })
  for i, line in ipairs(lines) do
    if lengths[i] > share then line = shown(values[i], math.max(LEAST, share - ABOUT), DEPTH) end
    lines[i] = ("  %s: %s"):format(names[i], line)
  end
  return lines
end


---@param tool {name: string, shipped?: boolean, trust?: string, about?: table, stands_for?: function}
---@param args table
---@param effect? policy.Told  nil: what the arguments of one of our own tools say
---@param of_run? boolean  true: they are those of a run, for all of which an answer holds
---@return string  lines; "" if there is nothing to show
function M.text(tool, args, effect, of_run)
  local lines, said, left_out, shows = {}, {}, {}, args
  if not effect and tool.shipped and OURS[tool.name] then effect, said, shows = OURS[tool.name](args) end
  for _, name in ipairs(effect and said or {}) do left_out[name] = true end
  if effect then
    local sentence = SENTENCES[effect.effect]
    lines[1] = ("What will happen: it %s."):format(sentence and sentence(effect)
      or "does " .. quoting.quote(effect.effect, NAME_MAX))
  end
  local given = (of_run or tool.stands_for) and not next(left_out) and whole_lines(args)
    or lines_of(shows or args, left_out, not tool.shipped and tool.name ~= nil, tool.trust ~= "foreign" and tool.about or nil)
  if #given > 0 then lines[#lines + 1] = "Its arguments:" end
  table.move(given, 1, #given, #lines + 1, lines)
  return table.concat(lines, "\n")
end


return M
