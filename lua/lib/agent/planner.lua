--- The offline planner: it plans one drawing by fixed rules.
--
-- It reads what a model reads, the prompt and the transcript, and answers with one line. All numbers come from the tools' real
-- answers. It can do only this one task, and says so if it is asked for another.

local strings = require "agent.strings"
local wanted  = require "agent.wanted"

local planner = {}

---@class planner.Step
---@field tool    string
---@field text    string
---@field failed  boolean
---@field refused boolean  true if the agent answered, not the tool

--- Returns the calls in the transcript, with the answer to each.
local function steps_of(messages)
  local steps = {}
  for i, message in ipairs(messages) do
    local tool = message.role == "assistant" and (message.text or ""):match "^FUNCTION_CALL: ([^|\n]+)"
    local back = tool and messages[i + 1]
    if back and back.text then
      local text = back.text:match("^" .. tool:gsub("%W", "%%%0") .. " returned: (.*)$")
      steps[#steps + 1] = {
        tool = tool, text = text or back.text, refused = text == nil,
        failed = text == nil or text:find "^ERROR:" ~= nil,
      }
    end
  end
  return steps
end


local function last(steps, tool)
  for i = #steps, 1, -1 do
    if steps[i].tool == tool then return steps[i] end
  end
end


local function count(steps, tool, failed)
  local n = 0
  for _, step in ipairs(steps) do
    if step.tool == tool and step.failed == failed then n = n + 1 end
  end
  return n
end


local function round(value) return math.floor(value + 0.5) end

--- Returns 60 % x 30 % of the slide, centered, and `smaller` points smaller on every side.
---@param width number   the width of the slide
---@param height number
---@param smaller? integer
---@return integer x
---@return integer y
---@return integer rect_width
---@return integer rect_height
function planner.rectangle(width, height, smaller)
  local rect_width, rect_height = round(width * 6 / 10), round(height * 3 / 10)
  local x, y = round((width - rect_width) / 2), round((height - rect_height) / 2)
  smaller = smaller or 0
  return x + smaller, y + smaller, rect_width - 2 * smaller, rect_height - 2 * smaller
end


local function slide_size(steps)
  for i = #steps, 1, -1 do
    local text = steps[i].text
    local width, height = text:match "slide_width=([%d.]+), slide_height=([%d.]+)"
    if not width then width, height = text:match "^SLIDE_SIZE: width=([%d.]+), height=([%d.]+)" end
    if width and not steps[i].failed then return tonumber(width), tonumber(height) end
  end
end


local function stopped(step)
  local why = strings.one_line(step.text):gsub("[%[%]]", "")
  return ("FINAL_ANSWER: [stopped: %s failed: %s]"):format(step.tool, strings.cut(why, 200))
end


local function draw(steps)
  local width, height = slide_size(steps)
  if not width then
    local asked = last(steps, "get_slide_size")
    return asked and stopped(asked) or "FUNCTION_CALL: get_slide_size"
  end
  -- Every further attempt is a little smaller, because nothing else can be adjusted.
  local attempts = count(steps, "draw_rectangle", true) + count(steps, "draw_rectangle", false)
  return ("FUNCTION_CALL: draw_rectangle|%d|%d|%d|%d"):format(planner.rectangle(width, height, attempts))
end


--- Returns the last step of a tool that is given up: after a second failure, or because the agent refused the call.
local function hopeless(steps, tool)
  local step = last(steps, tool)
  return step and step.failed and (step.refused or count(steps, tool, true) > 1) and step or nil
end


local function write(steps, text)
  local failed = last(steps, "add_text_in_keynote")
  if failed and steps[#steps] == failed then
    -- The rectangle is gone if the document was closed meanwhile. A text itself cannot be adjusted.
    if failed.text:lower():find("rectangle", 1, true) and count(steps, "draw_rectangle", false) == 1 then
      return draw(steps)
    end
    return stopped(failed)
  end
  return "FUNCTION_CALL: add_text_in_keynote|" .. text
end


local function plan(steps, task)
  for _, tool in ipairs { "open_keynote", "get_slide_size", "draw_rectangle", "add_text_in_keynote" } do
    local step = hopeless(steps, tool)
    if step then return stopped(step) end
  end
  local opened, drawn = last(steps, "open_keynote"), last(steps, "draw_rectangle")
  local written, pictured = last(steps, "add_text_in_keynote"), last(steps, "screenshot_slide")
  if not opened or opened.failed then return "FUNCTION_CALL: open_keynote" end
  if not drawn or drawn.failed then return draw(steps) end
  if not written or written.failed then return write(steps, task.text) end
  if task.picture and not pictured then return "FUNCTION_CALL: screenshot_slide|" .. task.picture end
  if pictured and pictured.failed then return stopped(pictured) end
  return "FINAL_ANSWER: [done]"
end


--- Returns the next line, as a model would write it.
---@param request agent.Request
---@param request_text string  the user's request
---@return string? line
---@return string? err
function planner.next(request, request_text)
  local system = request.system or ""
  for _, tool in ipairs { "open_keynote", "draw_rectangle", "add_text_in_keynote" } do
    if not system:find(tool .. "(", 1, true) then
      return nil, ("The offline planner can only draw a rectangle with text on slide 1, and the server has no tool %s. "
        .. "Choose a model with --model."):format(tool)
    end
  end
  local task = wanted.of(request_text)
  if not task.text then
    return nil, "The offline planner found no text to write in the request. It understands: Create a rectangle in "
      .. "Keynote slide 1 and write this exact text inside it: Hello. For anything else, choose a model with --model."
  end
  if task.picture and not system:find("screenshot_slide(", 1, true) then task.picture = nil end
  return plan(steps_of(request.messages), task)
end


return planner
