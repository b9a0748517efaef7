#!/usr/bin/env lua5.4
--- The offline stand-in: what it reads in a request, and what it does with what tools answer.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig = require "rig"
local t   = require "check"

local wanted  = rig.lib "agent.wanted"
local planner = rig.lib "agent.planner"

local REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: "

local function reads(request, text, picture)
  t.case("reads: " .. request:gsub("\n", " / "), function()
    t.same(wanted.of(request), { text = text, picture = picture })
  end)
end

reads(REQUEST .. "Hello from MCP on macOS.", "Hello from MCP on macOS.")
reads(REQUEST .. '"Hello"', "Hello")
reads(REQUEST .. 'He said "hi": yes', 'He said "hi": yes')
reads(REQUEST .. "words: a screenshot.png of it", "words: a screenshot.png of it")
reads(REQUEST .. "left | right", "left ¦ right")
reads(REQUEST .. "two\nlines", "two lines")
reads(REQUEST .. "Hello\nThen export the slide to out.png", "Hello", "out.png")
reads(REQUEST .. '"Hello". Then save a picture to /tmp/slide.png', "Hello", "/tmp/slide.png")
reads("Draw it, save a screenshot to \"/tmp/my slide.png\", and write this exact text inside it: Hello", "Hello",
  "/tmp/my slide.png")
reads("Draw a rectangle and write 'It's me' in it", "It's me")
reads("Draw a rectangle with “Grüße” in it", "Grüße")
reads("Draw a rectangle that says Good morning", "Good morning")
reads("Make a box with the text: Hi there", "Hi there")
reads("Write https://example.org in a rectangle", nil)
reads("Close all windows", nil)

local function same_rectangle(width, height, ...)
  local want = { ... }
  t.case(("the rectangle of a %s x %s slide"):format(width, height), function()
    t.same({ planner.rectangle(width, height) }, want)
  end)
end

same_rectangle(1920, 1080, 384, 378, 1152, 324)
same_rectangle(1024, 768, 205, 269, 614, 230)
same_rectangle(720, 405, 144, 142, 432, 122)   -- 121.5 goes up, and so does 141.5
same_rectangle(1025, 769, 205, 269, 615, 231)

local SYSTEM = "open_keynote() get_slide_size() draw_rectangle(x) add_text_in_keynote(text) screenshot_slide(path)"

--- Plays the planner against answers, one for each call it makes; gives its lines.
local function play(request, answers, system)
  local messages, lines = { { role = "user", text = request } }, {}
  for i = 1, #answers + 1 do
    local line, err = planner.next({ system = system or SYSTEM, messages = messages }, request)
    lines[i] = line or err
    if not line or not answers[i] then break end
    messages[#messages + 1] = { role = "assistant", text = line }
    local tool = line:match "^FUNCTION_CALL: ([^|]+)"
    local text = answers[i]:find "^>" and answers[i]:sub(2) or ("%s returned: %s"):format(tool, answers[i])
    messages[#messages + 1] = { role = "user", text = text }
  end
  return lines
end

local READY = "KEYNOTE_READY: slide=1, slide_width=1000, slide_height=500"
local DRAWN, WRITTEN = "RECTANGLE_OK: id=1", "TEXT_OK: id=1"
local DRAW, WRITE = "FUNCTION_CALL: draw_rectangle|200|175|600|150", "FUNCTION_CALL: add_text_in_keynote|Hi"

local function plays(name, request, answers, ...)
  local want = { ... }
  t.case(name, function() t.same(play(request, answers), want) end)
end

plays("draws and writes", REQUEST .. "Hi", { READY, DRAWN, WRITTEN },
  "FUNCTION_CALL: open_keynote", DRAW, WRITE, "FINAL_ANSWER: [done]")
plays("takes a picture when asked", "Save a picture to a.png; exact text: Hi",
  { READY, DRAWN, WRITTEN, "SCREENSHOT_SAVED" },
  "FUNCTION_CALL: open_keynote", DRAW, WRITE, "FUNCTION_CALL: screenshot_slide|a.png", "FINAL_ANSWER: [done]")
plays("asks for the size when opening does not tell it", REQUEST .. "Hi",
  { "KEYNOTE_READY: slide=1", "SLIDE_SIZE: width=1000, height=500" },
  "FUNCTION_CALL: open_keynote", "FUNCTION_CALL: get_slide_size", DRAW)
plays("works after a warning", REQUEST .. "Hi",
  { "KEYNOTE_READY_WITH_WARNING: slide=1, slide_width=1000, slide_height=500, note=theme" },
  "FUNCTION_CALL: open_keynote", DRAW)
plays("opens a second time after an error, and gives up after two", REQUEST .. "Hi", { "ERROR: a", "ERROR: b" },
  "FUNCTION_CALL: open_keynote", "FUNCTION_CALL: open_keynote",
  "FINAL_ANSWER: [stopped: open_keynote failed: ERROR: b]")
plays("adjusts the rectangle once after an error", REQUEST .. "Hi", { READY, "ERROR: outside", "ERROR: outside" },
  "FUNCTION_CALL: open_keynote", DRAW, "FUNCTION_CALL: draw_rectangle|201|176|598|148",
  "FINAL_ANSWER: [stopped: draw_rectangle failed: ERROR: outside]")
plays("draws anew when the rectangle is gone, then writes", REQUEST .. "Hi",
  { READY, DRAWN, "ERROR: No rectangle context. Call draw_rectangle first.", DRAWN, WRITTEN },
  "FUNCTION_CALL: open_keynote", DRAW, WRITE, "FUNCTION_CALL: draw_rectangle|201|176|598|148", WRITE,
  "FINAL_ANSWER: [done]")
plays("does not change an exact text to please a tool", REQUEST .. "Hi", { READY, DRAWN, "ERROR: too long" },
  "FUNCTION_CALL: open_keynote", DRAW, WRITE, "FINAL_ANSWER: [stopped: add_text_in_keynote failed: ERROR: too long]")
plays("gives up what the agent refuses", REQUEST .. "Hi", { ">You already called open_keynote" },
  "FUNCTION_CALL: open_keynote",
  "FINAL_ANSWER: [stopped: open_keynote failed: You already called open_keynote]")

t.case("says what it cannot do", function()
  t.has(play("Close all windows", {})[1], "found no text to write")
  t.has(play(REQUEST .. "Hi", {}, "list_windows()")[1], "the server has no tool open_keynote")
end)

t.case("leaves the picture out when there is no tool for it", function()
  local lines = play("Save a picture to a.png; exact text: Hi", { READY, DRAWN, WRITTEN },
    "open_keynote() draw_rectangle(x) add_text_in_keynote(text)")
  t.same(lines[4], "FINAL_ANSWER: [done]")
end)

t.done()
