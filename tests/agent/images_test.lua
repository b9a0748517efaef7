#!/usr/bin/env lua5.4
--- Images that tools return: how they reach the model, what is kept of them, and what a model without sight gets.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig   = require "rig"
local t     = require "check"
local stage = require "stage"

local crypto, json = rig.sys "crypto", rig.sys "json"
local case, run, scripted = stage.case, stage.run, stage.scripted

local OBJECT = { type = "object", properties = {} }
local TOOLS = {
  { name = "shot", description = "A screenshot.", inputSchema = OBJECT },
  { name = "chart", description = "A chart.", inputSchema = OBJECT },
  { name = "get_ui_tree", description = "Elements.", inputSchema = OBJECT },
}

--- A server with screenshots. `size` is theirs; `asked` are the arguments of get_ui_tree.
local function server(size, tools)
  local self = { tools = tools or TOOLS, asked = {}, shots = 0, size = size or "800x600" }
  function self.call(name, arguments)
    if name == "get_ui_tree" then
      self.asked[#self.asked + 1] = arguments
      return 'e1 window "Notes"\n e2 button "Save"'
    end
    self.shots = self.shots + 1
    local content = { { type = "text", text = "Here." },
      { type = "image", data = crypto.base64("IMG " .. self.size .. " " .. self.shots), mimeType = "image/png" } }
    if name == "chart" then return { content = content } end
    return { content = content, structuredContent = { image_id = "image-1", window = "applications/7/windows/3" } }
  end
  return self
end

local function calls(...)
  local list = {}
  for i, name in ipairs { ... } do list[i] = { id = name .. i, name = name, arguments = json.object() } end
  return { text = "", stop = "tool_calls", tool_calls = list }
end

local OPTIONS = { model = "scripted/m", prompt = "desktop_agent", request = "Look" }

--- The last request's results of tools, by their order in the whole transcript.
local function results_of(request)
  local list = {}
  for _, message in ipairs(request.messages) do
    for _, result in ipairs(message.results or {}) do list[#list + 1] = result end
  end
  return list
end

case("an image goes to the model with the result that has it", function()
  local model = scripted({ calls("shot", "chart"), { text = "Seen.", stop = "end" } }, true)
  model.images = { longest = 1568 }
  local outcome = run(OPTIONS, server())
  t.same(outcome.ok, true)
  local results = results_of(model.requests[2])
  t.same(results[1].text, "Here.\n[image 1: 800 x 600 pixels]")
  t.same(crypto.unbase64(results[1].images[1].data), "IMG 800x600 1")
  t.same({ results[1].images[1].mime_type, results[1].images[1].width }, { "image/png", 800 })
  t.same(results[2].text, "Here.\n[image 2: 800 x 600 pixels]")
  t.same(crypto.unbase64(results[2].images[1].data), "IMG 800x600 2")
end)

case("a large one is scaled to what the model takes, and the scale is said", function()
  local model = scripted({ calls "shot", { text = "Seen.", stop = "end" } }, true)
  model.images = { longest = 1920 }
  run(OPTIONS, server "3840x2160")
  local result = results_of(model.requests[2])[1]
  t.has(result.text, "[image 1: 1920 x 1080 pixels, scaled from 3840 x 2160: multiply its pixel coordinates by 2]")
  t.same(crypto.unbase64(result.images[1].data), "IMG 1920x1080")
end)

case("in words alone, they go with the text of the user", function()
  local model = scripted { "FUNCTION_CALL: shot", "FINAL_ANSWER: [done]" }
  model.images = {}
  t.same(run(OPTIONS, server()).ok, true)
  local last = model.requests[2].messages[#model.requests[2].messages]
  t.same({ last.role, last.text, #last.images }, { "user", "shot returned: Here.\n[image 1: 800 x 600 pixels]", 1 })
end)

case("the newest few are kept, older ones are dropped in words", function()
  local model = scripted({ calls("shot", "shot"), calls "shot", calls "shot", { text = "Seen.", stop = "end" } }, true)
  model.images = {}
  run(OPTIONS, server())
  local results = results_of(model.requests[4])
  t.has(results[1].text, "[image 1: no longer shown: only the newest 3 images are. To see it again, capture it again]")
  t.same(results[1].images, nil)
  for i = 2, 4 do t.same({ results[i].text, #results[i].images }, { ("Here.\n[image %d: 800 x 600 pixels]"):format(i), 1 }) end
end)

case("a provider that takes none gets words, and the elements of a screenshot", function()
  local model = scripted({ calls("shot", "chart"), { text = "Read.", stop = "end" } }, true)
  local world = server()
  run(OPTIONS, world)
  local results = results_of(model.requests[2])
  t.same(results[1], { id = "shot1", name = "shot", failed = false, text = "Here.\n[image 1: not shown, because the provider "
    .. 'scripted takes no images]\nThe elements there, instead of an image:\ne1 window "Notes"\n e2 button "Save"' })
  t.same(results[2].text, "Here.\n[image 2: not shown, because the provider scripted takes no images]")
  t.same(#world.asked, 1, "of a chart there are no elements")
  t.same(world.asked[1].window, "applications/7/windows/3")
end)

case("a model that turns out to take none is asked again with words, and is shown none from then on", function()
  local model = scripted({ calls "shot", { code = "no_images", err = "The API says that m takes no images." }, calls "shot",
    { text = "Read.", stop = "end" } }, true)
  model.images = {}
  local world = server()
  local outcome, seen = run(OPTIONS, world)
  t.same({ outcome.ok, outcome.message, outcome.turns }, { true, "Read.", 3 })
  t.has(seen.log, "The API says that m takes no images.")
  local results = results_of(model.requests[4])
  for i = 1, 2 do
    t.same(results[i].images, nil)
    t.has(results[i].text, ("[image %d: not shown, because m takes no images]\nThe elements there"):format(i))
  end
  t.same(#world.asked, 2)
end)

case("a model that refuses images when it was sent none ends the run", function()
  local model = scripted({ { code = "no_images", err = "No images." } }, true)
  model.images = {}
  local outcome = run(OPTIONS, server())
  t.same({ outcome.ok, outcome.reason, outcome.code }, { false, "model_error", "no_images" })
end)

case("data that is not an image is told, and does not go along", function()
  local model = scripted({ calls "shot", { text = "Seen.", stop = "end" } }, true)
  model.images = {}
  local world = server()
  world.call = function() return { content = { { type = "image", data = "!!", mimeType = "image/png" },
    { type = "image", data = crypto.base64 "GIF89a", mimeType = "image/gif" } } } end
  run(OPTIONS, world)
  local result = results_of(model.requests[2])[1]
  t.same({ result.text, result.images }, { "[image 1: not shown: its data is not base64]\n"
    .. "[image 2: not shown: it is not a PNG, JPEG or WebP image]", nil })
end)

case("the journal describes an image, without its data", function()
  local model = scripted({ calls "shot", { text = "Seen.", stop = "end" } }, true)
  model.images = {}
  local _, seen = run(OPTIONS, server())
  t.has(seen.journal, '"images":[{')
  t.hasnt(seen.journal, crypto.base64 "IMG 800x600 1")
  t.hasnt(seen.log, crypto.base64 "IMG 800x600 1")
end)

t.done()
