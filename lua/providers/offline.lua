--- Rule-based planners, not a model, for two things: the drawing of the prompt keynote_agent, and the steps of a request of a
--- fixed form for the prompt desktop.
---
-- The agent uses it if there is no key, so that the way from request to slide can be seen and tested without a network.

local planner = require "agent.planner"
local stepper = require "agent.stepper"

local SYSTEM = "1. open_keynote() 2. get_slide_size() 3. draw_rectangle(x, y, width, height) "
  .. "4. add_text_in_keynote(text) 5. screenshot_slide(path)"
local REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello from MCP on macOS."

local function said(text) return { role = "assistant", text = text } end
local function heard(text) return { role = "user", text = text } end

local OPENED = heard "open_keynote returned: KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080"
local DRAWN = heard "draw_rectangle returned: RECTANGLE_OK: id=1, x=384, y=378, width=1152, height=324"

local function works_applications(request)
  local system = request.system or ""
  return system:find("get_ui_tree(", 1, true) and system:find("act(", 1, true)
end

local DESKTOP = "1. get_ui_tree(application) 2. act(steps, application)"
local STEPS = 'In Notes: click "Save", then set entry "Name" to "Ada" and check "saved".'
local OUTLINE = heard 'get_ui_tree returned: e1 window "Notes"'
local ACT = 'FUNCTION_CALL: act|[{"click":"\\"Save\\""},{"set":"entry \\"Name\\"","value":"Ada"},'
  .. '{"verify":{"text":"saved"}}]|Notes'
local ACTED = heard('act returned: All 3 steps are done.\n1 click "Save": confirmed\n'
  .. '3 verify: satisfied, e9 label "saved"\n~ e9')

---@type Provider
return {
  description    = "A rule-based planner, not a model; it can only draw a rectangle with text on slide 1, or do the steps of a "
    .. 'request such as: In Notes: click "Save", check "saved"',
  default_model  = "rules",
  supports_tools = false,
  stand_in       = true,

  complete = function(request, context)
    local task = works_applications(request) and stepper.wanted(context.request_text)
    if task then return { text = stepper.next(request, task), stop = "end", model = "rules" } end
    if works_applications(request) then return nil, stepper.CANNOT, "offline_cannot" end
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
    { "looks at an application once",
      request = { system = DESKTOP, messages = { heard(STEPS) } }, request_text = STEPS,
      want = { text = "FUNCTION_CALL: get_ui_tree|Notes", stop = "end", model = "rules" } },
    { "does all steps in one call",
      request = { system = DESKTOP, messages = { heard(STEPS), said "FUNCTION_CALL: get_ui_tree|Notes", OUTLINE } },
      request_text = STEPS, want = { text = ACT, stop = "end", model = "rules" } },
    { "ends with what was read",
      request = { system = DESKTOP, messages = { heard(STEPS), said "FUNCTION_CALL: get_ui_tree|Notes", OUTLINE, said(ACT),
        ACTED } },
      request_text = STEPS,
      want = { text = 'FINAL_ANSWER: [All 3 steps are done. 3 verify: satisfied, e9 label "saved"]', stop = "end",
        model = "rules" } },
    { "says what it understands of applications",
      request = { system = DESKTOP, messages = { heard "Write a letter." } }, request_text = "Write a letter.",
      code = "offline_cannot" },
    { "says what it cannot do", request = { system = SYSTEM, messages = { heard "Close all windows." } },
      request_text = "Close all windows.", code = "offline_cannot" },
  },
}
