--- Asks a provider a question about images.

local crypto   = require "sys.crypto"
local elements = require "vision.elements"
local engine   = require "sys.engine"
local faults   = require "agent.faults"
local log      = require "sys.log"
local picture  = require "sys.picture"
local text     = require "vision.text"
local wire     = require "agent.wire"

local M = {}

local LIGHT = 1000000  -- bytes of a file that uploads faster than it is scaled, which the API does anyway
local PATIENCE = 280   -- seconds for an answer; the tools have 300
local TESSERACT = "tesseract"

---@class vision.Image
---@field bytes string
---@field width integer                 pixels
---@field height integer
---@field label? string                 what the image shows
---@field elements? vision.Element[]   in the image's own pixels

---@class vision.Answer
---@field text string
---@field model_used string  "openai/gpt-4o", "tesseract"


--- True if the model scales every image to its own size.
---@param choice vision.Choice
---@return boolean
local function scales(choice)
  local wanted, api = choice.provider.images, choice.provider.api
  if type(wanted.scales) ~= "function" then return wanted.scales == true end
  return wanted.scales(choice.model, api and wire.base_of(api, choice.base))
end


--- Returns the longest side to scale to; nil to send the file as it is. Scaling a large screenshot takes a tenth of a second,
--- so it is done only if it helps.
local function longest_of(image, wanted, scaling)
  local as_it_is = scaling and #image.bytes <= math.min(LIGHT, wanted.most or LIGHT)
    and math.max(image.width, image.height) <= (wanted.side or math.huge)
  return not as_it_is and wanted.longest or nil
end


--- Returns lines about the elements in an image, in pixels of the size that the model sees.
local function about(image, fitted, wanted)
  if not image.elements then return nil end
  local factor = math.min(fitted.factor, (wanted.longest or math.huge) / math.max(image.width, image.height))
  local lines = elements.lines(image.elements, factor)
  if not lines then return nil end
  return ("Of %d x %d pixels:\n%s"):format(math.floor(image.width * factor + 0.5), math.floor(image.height * factor + 0.5), lines)
end


--- Returns the images as the provider accepts them, and the lines about their elements.
local function prepared(images, choice)
  local wanted, scaling = choice.provider.images, scales(choice)
  local list, lines = {}, {}
  for i, image in ipairs(images) do
    local fitted, err, code = picture.fit(image.bytes,
      { longest = longest_of(image, wanted, scaling), most = wanted.most, types = wanted.types })
    if not fitted then return nil, ("The image cannot be sent: %s."):format((err:gsub("%.$", ""))), code end
    list[i] = { data = crypto.base64(fitted.bytes), mime_type = fitted.mime_type, width = fitted.width, height = fitted.height }
    lines[#lines + 1] = about(image, fitted, wanted)
  end
  return list, lines
end


--- Returns the question, followed by the labels of the images if there are several.
local function worded(images, question)
  if #images < 2 then return question end
  local lines = { question, "" }
  for i, image in ipairs(images) do lines[#lines + 1] = ("Image %d: %s"):format(i, image.label or "") end
  return table.concat(lines, "\n")
end


--- Returns the system prompt, as its files are now.
---@param lines string[]  about the elements in the images
---@return string? system
---@return string? err
---@return string? code
local function system_of(lines)
  local system, err, code = engine.text "analyze_system"
  if not system or #lines == 0 then return system, err, code end
  local known
  known, err, code = engine.text "analyze_elements"
  if not known then return nil, err, code end
  return system .. "\n\n" .. known:gsub("{elements}", function() return table.concat(lines, "\n") end)
end


local function by_recognition(images, question)
  local parts = {}
  for i, image in ipairs(images) do
    local answer, err, code = text.answer(image.bytes, question, image.elements)
    if not answer then return nil, err, code end
    parts[i] = #images > 1 and ("Image %d: %s\n%s"):format(i, image.label or "", answer) or answer
  end
  return { text = table.concat(parts, "\n\n"), model_used = TESSERACT }
end


--- Rewords a message for a caller that names the model in the request.
local function advised(choice, err)
  if choice.name ~= "ollama" then return faults.without_option(err) end
  return (faults.without_option(err):gsub("OLLAMA_HOST", "PEEKABOO_OLLAMA_BASE_URL"))
end


---@param choice vision.Choice
---@param images vision.Image[]
---@param question string
---@return vision.Answer? answer
---@return string? err
---@return string? code  those of agent.wire and of sys.picture
function M.ask(choice, images, question)
  if not choice.provider then return by_recognition(images, question) end
  local list, lines, code = prepared(images, choice)
  if not list then return nil, lines, code end
  local system, missing, why = system_of(lines)
  if not system then return nil, missing, why end
  local request = {
    system = system,
    messages = { { role = "user", text = worded(images, question), images = list } },
  }
  local context = { model = choice.model, request_text = question, memory = {}, base = choice.base, timeout = PATIENCE }
  local reply, err
  reply, err, code = choice.provider.complete(request, context)
  if not reply then return nil, advised(choice, err), code end
  if not (reply.text or ""):find "%S" then return nil, "The model returned an empty answer. Ask again.", "empty_reply" end
  if reply.note then log.info("looking: " .. reply.note) end
  local used = ("%s/%s"):format(choice.name, context.memory.model or choice.model or reply.model or "default")
  local cut = reply.stop == "length" and "\n[the answer was cut off at the model's length limit]" or ""
  return { text = reply.text .. cut, model_used = used }
end


return M
