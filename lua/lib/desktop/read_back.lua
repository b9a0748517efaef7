--- Reads the content of a text field after text was typed into it, as the application reports it, and compares the two. It asks
--- only services that run: accessibility is never switched on for it. Password fields are not read.

local element = require "sys.element"
local input   = require "sys.input"
local state   = require "sys.state"
local time    = require "sys.time"

local M = {}

local BUDGET = 0.2        -- seconds before the input, and again after it
local PER_THOUSAND = 0.1  -- more after it for each 1,000 bytes of text, which an editor lays out
local BUDGET_MAX = 2      -- at most, in all
local LAST_LOOK = 0.02    -- part of these, for the look after no event came
local STEADY = 0.04       -- seconds for which different text has to stay: Writer gathers keys for 20 ms (SwEditWin)
local SEEN_MAX = 200      -- characters of other text that was seen
local NONE = 1            -- seconds for which it is not asked again whether accessibility runs
-- Codes of what came too late to tell; a bus that answers late is taken for none.
local LATE = { app_hung = true, late = true, no_accessibility = true, timeout = true }
local AROUND = 24         -- characters before and behind the text that have to stay as they are


--- The text with line ends as the keys of typed text make them.
local function plain(text) return (text:gsub("\r\n?", "\n")) end


--- The last `count` characters of a text.
local function tail(text, count)
  if count <= 0 then return "" end
  return text:sub(utf8.offset(text, -math.min(count, utf8.len(text))) or 1)
end


-- --- before the input ------------------------------------------------------------------------------

---@class read_back.Memory
---@field left? sys.element.Field  the field as the last text left it; keys and clicks since may have changed it
---@field moved? boolean            the last input was keys or a click, by which the focus may still be passed on
---@field none? number             accessibility does not run, until this time of time.monotonic()

---@return read_back.Memory
local function memory() return state.open "read_back" end


--- Forgets how text left the field, after input other than text. What it began may run accessibility.
function M.forget()
  local memo = memory()
  memo.left, memo.none, memo.moved = nil, nil, true
end


---@alias read_back.Unread
---| "late"       there was too little time to look, so there may be a field
---| "nowhere"    no element that takes keys has the focus
---| "read_only"  the field that has the focus takes no text

---@return sys.element.Field? field
---@return read_back.Unread? late
local function ask(query)
  query.timeout = query.timeout or BUDGET
  query.before, query.behind = query.before or AROUND, query.behind or AROUND
  local field, _, code = element.field(query)
  return field, not field and LATE[code] and "late" or nil
end


--- Looks for the field with the focus before text is entered. nil: there is none that can be read. An element that was clicked
--- before may still be passing the focus on.
---@return sys.element.Field?
---@return read_back.Unread? unread
local function look()
  local memo = memory()
  local moved = memo.moved
  memo.moved = nil
  if memo.none and time.monotonic() < memo.none then return nil end
  local there, late = ask { present = true }
  memo.none = there and there.finding == "absent" and not there.pid and time.monotonic() + NONE or nil
  if not there or there.finding == "absent" or not there.pid then return nil, late end
  if input.settle(BUDGET / 2) == false then return nil, "late" end
  local field
  field, late = ask {}
  if moved and field and field.finding == "nowhere" then
    element.changes { pid = there.pid, wait = LAST_LOOK, timeout = LAST_LOOK + BUDGET }
    field, late = ask {}
  end
  if not field or field.finding == "unknown" or field.finding == "absent" then return nil, late end
  if field.finding ~= "found" then return nil, field.finding end
  if field.before and field.behind then return field end
  -- Writer has no caret in a paragraph that unprocessed keys are about to remove
  if field.readable or field.paragraph then return nil, "late" end
  memo.left = field
end


--- The field that text will go to; nil: there is none that can be read. One round of questions is enough if it is as the last
--- text left it.
---@return sys.element.Field?
---@return read_back.Unread? unread
function M.before()
  local memo = memory()
  local left = memo.left
  memo.left = nil
  local now = left and ask { id = left.id, from = left.from, length = left.length }
  if not now or now.finding ~= "found" or now.window ~= left.window or now.readable ~= left.readable then return look() end
  if not now.readable then
    memo.left = now
    return nil
  end
  if now.length ~= left.length or now.from ~= left.from or now.to ~= left.to or not now.before or not now.behind then
    return look()
  end
  return now
end


--- True if the field has to change its length for the text to arrive. It does not if the text replaces a selection of the same
--- length.
---@param field sys.element.Field
---@param text string
function M.changes_length(field, text) return field.to - field.from ~= utf8.len(plain(text)) end


-- --- after it ----------------------------------------------------------------------------------------

---@class read_back.Compared
---@field arrived?   boolean  the text is there, and nothing else has changed; false: it is not
---@field seen?      string   the text that is there instead
---@field late?      boolean  the application did not answer in time
---@field nowhere?   boolean  no element that takes keys had the focus
---@field read_only? boolean  the field that had the focus takes no text
---@field lost?      boolean  the field lost the focus, or is gone
---@field keys?      boolean  a Return or Tab in the text may have submitted or left the field. With `arrived`: the rest
--- of the text is there, and sys.input reports whether the keys were processed

--- The comparison of one text with one field.
---@class read_back.Comparison
---@field field  sys.element.Field  as it was before
---@field text   string
---@field length integer            characters of the text
---@field typed  boolean            line ends and tabs in it were keys
---@field ends   number             the end of the time, of time.monotonic()
---@field late?  boolean            the time was over before an answer came

local function left_of(comparison) return math.max(0.001, comparison.ends - time.monotonic()) end


--- Reads the field between `from` and the last `rest` characters.
---@param comparison read_back.Comparison
---@return sys.element.Field? now  nil: it does not report its text, or not in time
local function read(comparison, from, rest)
  local field = comparison.field
  local now, late = ask { id = field.id, again = true, from = from, rest = rest, timeout = left_of(comparison),
    length = field.length - (field.to - field.from) + comparison.length,
    before = utf8.len(field.before), behind = utf8.len(field.behind) }
  comparison.late = comparison.late or late ~= nil
  return now and now.text and now.before and now.behind and now or nil
end


--- Reads what is in place of the selection now.
local function read_entered(comparison)
  local field = comparison.field
  return read(comparison, field.from, field.length - field.to)
end


--- True if exactly this text is there, and around it what was there before.
local function holds(comparison, now, text)
  return now.text == text and now.before == comparison.field.before and now.behind == comparison.field.behind
end


--- True if the text is right before the caret, elsewhere: keys that were sent before may have moved the caret after the field
--- was looked at, or removed the selection.
local function is_at_caret(comparison, now)
  local field, length = comparison.field, comparison.length
  local rest = now.length - length
  if not now.focused or not now.caret or now.caret < length or now.caret == field.from + length or comparison.text == "" or
     rest ~= field.length and rest ~= field.length - (field.to - field.from) then
    return false
  end
  local there = read(comparison, now.caret - length, now.length - now.caret)
  return there ~= nil and there.text == comparison.text
end


--- True if text of several lines arrived as paragraphs, in an application that makes an element of each paragraph, as
--- LibreOffice does. The last line has the focus then.
local function is_in_paragraphs(comparison)
  local field, text = comparison.field, comparison.text
  if not field.paragraph or not text:find "\n" then return false end
  local count = utf8.len(field.before) + comparison.length
  local now = ask { above = select(2, text:gsub("\n", "")), before = count + 1, behind = utf8.len(field.behind),
    timeout = left_of(comparison) }
  if not now or not now.before or now.pid ~= field.pid then return false end
  local whole = field.from == utf8.len(field.before)   -- nothing was before it but that
  return (whole and now.before or tail(now.before, count)) == field.before .. text and now.behind == field.behind
         and now.length - now.from == field.length - field.to
end


--- Notes how the text left the field.
local function leave(comparison, now)
  local caret = comparison.field.from + comparison.length
  if not now.focused or now.caret ~= caret then return end
  memory().left = { id = now.id, window = comparison.field.window, readable = true, length = now.length, from = caret,
                    to = caret }
end


--- The verdict now; nil: it may still change.
---@param comparison read_back.Comparison
---@param now sys.element.Field
---@return read_back.Compared?
local function verdict(comparison, now)
  local text = comparison.text
  if holds(comparison, now, text) then
    leave(comparison, now)
    return { arrived = true }
  end
  if is_at_caret(comparison, now) or is_in_paragraphs(comparison) then return { arrived = true } end
  if not comparison.typed or not text:find "[\n\t]" then return nil end
  local head, rest = text:match "^([^\n\t]*)(.*)$"
  if not comparison.field.multiline and now.focused and holds(comparison, now, (text:gsub("[\n\t]", ""))) then
    return { arrived = true, keys = true }
  end
  if not now.focused and holds(comparison, now, head) then
    return { arrived = not rest:find "[^\n\t]" or nil, keys = true }
  end
end


--- The verdict once no further change is expected.
---@return read_back.Compared
local function last_verdict(comparison, now)
  local text, paragraph = comparison.text, comparison.field.paragraph
  local has_keys = comparison.typed and text:find "[\n\t]" ~= nil
  if not now then return { keys = has_keys or nil, lost = not has_keys or nil } end
  if has_keys and now.length == 0 then   -- a Return may empty a field, but no paragraph
    return paragraph and { late = true } or { keys = true }
  end
  local first = text:match "^[^\n]*"
  -- the first line is there: its Return may still come, or be lost
  if has_keys and paragraph and first ~= text and now.focused and holds(comparison, now, first) then return { late = true } end
  local differs = paragraph and now.text ~= first
  if not now.focused and not (has_keys and differs) then return { keys = has_keys or nil, lost = not has_keys or nil } end
  local seen = now.text == text and now.before .. now.text .. now.behind or now.text
  local stop = utf8.offset(seen, SEEN_MAX + 1)
  return { arrived = false, seen = stop and stop <= #seen and seen:sub(1, stop - 1) .. "..." or seen }
end


--- Waits for a change of the application's elements. Changes before `since` are found by another look.
---@return integer? since  for the next change; nil: none came
local function hear(comparison, since, seconds)
  local wait = math.max(0, math.min(seconds, left_of(comparison)))
  local told = element.changes { pid = comparison.field.pid, since = since, wait = wait, timeout = wait + BUDGET }
  return told and (told.events[1] or told.missed > 0) and told.next or nil
end


--- True if the field still has the different text once the application has processed all input and reported no change for a
--- while. Otherwise the text is still coming.
---@param was sys.element.Field
local function stays(comparison, since, was)
  comparison.ends = time.monotonic() + STEADY + BUDGET / 2
  if since and hear(comparison, since, STEADY) or input.settle(BUDGET / 2) ~= true then return false end
  comparison.ends = time.monotonic() + BUDGET / 2
  local now = read_entered(comparison)
  return now ~= nil and now.text == was.text and now.before == was.before and now.behind == was.behind
         and now.length == was.length and now.caret == was.caret
end


--- Reads the field until it contains the text, or the time is over.
---@return read_back.Compared
local function await(comparison)
  local last, known, since
  local function take()
    local now = read_entered(comparison)
    last = now or last
    known = now and verdict(comparison, now)
    return now ~= nil and not known
  end
  if take() then
    local told = element.changes { pid = comparison.field.pid, timeout = left_of(comparison) }
    since = told and told.next
    local going = take()
    while going and since do
      local heard = hear(comparison, since, comparison.ends - time.monotonic() - LAST_LOOK)
      if not heard then break end
      since = heard
      going = take()
    end
    if going then
      comparison.ends = time.monotonic() + LAST_LOOK
      take()
    end
  end
  if known then return known end
  known = last_verdict(comparison, last)
  if known.arrived == false and not stays(comparison, since, last) then return { late = true } end
  if known.lost and comparison.late then return { late = true } end
  return known
end


--- Compares the field's content with the entered text. Waits until that is there, for 0.2 seconds, and longer for long text, up
--- to 2 seconds.
---@param field sys.element.Field  a field of before()
---@param text string
---@param typed boolean  true: line ends and tabs in it were keys
---@return read_back.Compared
function M.after(field, text, typed)
  text = plain(text)
  return await { field = field, text = text, length = utf8.len(text), typed = typed,
                 ends = time.monotonic() + math.min(BUDGET + #text // 1000 * PER_THOUSAND, BUDGET_MAX) }
end


return M
