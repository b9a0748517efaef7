--- Not a model: a rule-based planner for one thing, the drawing of the prompt keynote_agent.
--
-- It is what the agent falls back on without a key, so that the way from
-- request to slide can be seen and tested without a network.

local planner = require "agent.planner"

local SYSTEM = "1. open_keynote() 2. get_slide_size() 3. draw_rectangle(x, y, width, height) "
  .. "4. add_text_in_keynote(text) 5. screenshot_slide(path)"
local REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello from MCP on macOS."

local function said(text) return { role = "assistant", text = text } end
local function heard(text) return { role = "user", text = text } end

local OPENED = heard "open_keynote returned: KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080"
local DRAWN = heard "draw_rectangle returned: RECTANGLE_OK: id=1, x=384, y=378, width=1152, height=324"

---@type Provider
return {
  description    = "A rule-based planner, not a model; it can only draw a rectangle with text on slide 1",
  default_model  = "rules",
  supports_tools = false,
  stand_in       = true,

  complete = function(request, context)
    local line, err = planner.next(request, context.request_text)
    if not line then return nil, err, "offline_cannot" end
    return { text = line, stop = "end", model = "rules" }
  end,

  examples = {
    { "opens first", request = { system = SYSTEM, messages = { heard(REQUEST) } }, request_text = REQUEST,
      want = { text = "FUNCTION_CALL: open_keynote", stop = "end", model = "rules" } },
    { "computes the rectangle from the size the tool answered",
      request = { system = SYSTEM, messages = { heard(REQUEST), said "FUNCTION_CALL: open_keynote", OPENED } },
      request_text = REQUEST,
      want = { text = "FUNCTION_CALL: draw_rectangle|384|378|1152|324", stop = "end", model = "rules" } },
    { "writes the exact text",
      request = { system = SYSTEM, messages = { heard(REQUEST), said "FUNCTION_CALL: open_keynote", OPENED,
        said "FUNCTION_CALL: draw_rectangle|384|378|1152|324", DRAWN } },
      request_text = REQUEST,
      want = { text = "FUNCTION_CALL: add_text_in_keynote|Hello from MCP on macOS.", stop = "end", model = "rules" } },
    { "says what it cannot do", request = { system = SYSTEM, messages = { heard "Close all windows." } },
      request_text = "Close all windows.", code = "offline_cannot" },
  },
}
