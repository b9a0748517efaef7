--- Where the text of an effect is from: its own words, and those that the runs which led to it were given.

local own_code   = require "policy.effect.own_code"
local own_words  = require "policy.own_words"
local policy     = require "sys.policy"
local provenance = require "policy.provenance"

local M = {}


--- The words that go out.
---@param effect policy.Effect
---@return any[]
function M.words(effect)
  local words = effect:fact "words"
  if words then return words end
  words = {}
  for _, name in ipairs { "text", "paths", "url", "argv", "to", "recipients" } do words[name] = effect:fact(name) or nil end
  return words
end


--- How many bytes the beginnings of two texts have in common.
local function common(one, two)
  local count = 0
  while count < #one and one:byte(count + 1) == two:byte(count + 1) do count = count + 1 end
  return count
end


--- The texts that a line may become together with earlier ones, each with its two parts: in any order where the line was edited.
local function joined(line)
  local list, head, state = {}, line.head, line.state
  for i = 2, head ~= "" and #state.texts or 1 do
    local other = state.texts[i]
    list[#list + 1] = { other .. head, other, head }
    if state.steps > 0 then
      for _, text in ipairs { other .. " " .. head, head .. " " .. other, head .. other } do
        list[#list + 1] = { text, other, head }
      end
    end
  end
  return list
end


--- The longest end of a text, from the beginning of a word on, that is not found. Of such an end none is.
---@param text string
---@param is_found fun(text: string): boolean
local function unfound_end(text, is_found)
  local starts = { 1 }
  for at in text:gmatch "%s()%S" do starts[#starts + 1] = at end
  local low, high = 1, #starts + 1
  while low < high do
    local middle = (low + high) // 2
    if is_found(text:sub(starts[middle])) then low = middle + 1 else high = middle end
  end
  return starts[low] and text:sub(starts[low]) or ""
end


--- The sources of what the input makes of a line together with what the user approved on it; nil: of nothing.
local function completed_approval(line, of)
  local sources
  local function is_found(text)
    local found = of(text)
    sources = found[1] and found or sources
    return found[1] ~= nil
  end
  local approved = require "policy.effect.approved"
  return approved.is_completed(line.approved, line.state.texts, line.deletes, is_found) and sources or nil
end


--- The same of a line which the input completes, by one of those who wrote it. Where that is from outside by itself, by now, it
--- does not count: an application shows what it was given.
local function completed_for(caller, effect, line, own_paths)
  local function of(text) return provenance.of(caller, { text }, own_paths, effect.subject, nil, nil, true) end
  for _, each in ipairs(joined(line)) do
    local found = of(each[1])
    if found[1] and not of(each[2])[1] and not of(each[3])[1] then return found end
  end
  local made = provenance.edited(caller, line.state.steps > 0 and line.state or { texts = { line.head }, own = 1, steps = 0 },
    effect.subject)
  if made[1] then return made end
  made = line.approved and completed_approval(line, of)
  if made then return made end
  if line.after == line.before or not of(line.after)[1] then return {} end
  local rest = unfound_end(line.before, function(text) return of(text)[1] ~= nil end)
  return of(line.after:sub(math.min(#line.before - #rest, common(line.before, line.after)) + 1))
end


local function completed(effect, own_paths)
  local line = effect:fact "writing"
  if not line then return {} end
  local found = completed_for(effect.caller, effect, line, own_paths)
  for _, caller in ipairs(line.callers) do
    if found[1] then break end
    found = completed_for(caller, effect, line, own_paths)
  end
  return found
end


-- Effects by which something is run or opened.
local OPENS = { drop = true, file = true, input = true, press = true, process = true, start = true }

--- The sources of its own words alone.
---@param effect policy.Effect
---@return string[]
function M.own(effect)
  return provenance.of(effect.caller, M.words(effect), true, effect.subject, nil, nil, OPENS[effect.effect])
end


--- Remembers what passed without a question, if it is the caller's own.
---@param effect policy.Effect
function M.note(effect)
  local words, found = M.words(effect), effect.found or M.of(effect, true)
  if next(words) and not found[1] then own_words.keep(effect.caller, words) end
end


--- The hosts to which text may go back that is from there: the one that a request goes to, and the one that redirects it. They do
--- not matter for tools of the engine, whose requests go where settings say.
local function sites_of(effect)
  local urls = effect.effect == "request" and not effect.subject.shipped and effect:fact "url"
  return { urls and provenance.site(urls[1]) or false, urls and provenance.site(effect:fact "redirects") }
end


local LINES = { drop = true, input = true, press = true }   -- effects by which a line in a terminal may come
local PROGRAMS = { process = true, start = true }

local function found_for(effect, words, own_paths, site)
  local given = effect.call and not effect:fact "bare" and not effect:fact "checks"
    and policy.given(effect.call, site or provenance.server(effect.subject)) or 0
  local found = provenance.of(effect.caller, words, own_paths, effect.subject, given, site, OPENS[effect.effect])
  return found[1] and given == 0 and own_code.has(effect, words) and {} or found
end


--- The sources in both lists, each once.
local function joined_sources(one, other)
  local all, seen = table.move(one, 1, #one, 1, {}), {}
  for _, source in ipairs(one) do seen[source] = true end
  for _, source in ipairs(other) do all[#all + 1] = not seen[source] and source or nil end
  return all
end


---@param effect policy.Effect
---@param own_paths boolean
---@return string[]
function M.of(effect, own_paths)
  local words, before = M.words(effect), effect:fact "redirected"
  local found
  for _, site in ipairs(sites_of(effect)) do
    found = found_for(effect, words, own_paths, site or nil)
    if not found[1] then break end
  end
  if before then return joined_sources(M.of(before, own_paths), found) end
  if not found[1] then found = completed(effect, own_paths) end
  if found[1] then return found end
  if LINES[effect.effect] then return require("policy.effect.fetched").of(effect) end
  return PROGRAMS[effect.effect] and require("policy.effect.fetched").of_program(effect) or found
end


return M
