--- Images that tools return, on their way to the model.
--
-- An image is made to fit the limits of the model. A mark in the text, "[image 3: 800 x 600 pixels]", always says what became
-- of it. The newest few stay in the transcript; older ones are dropped from it. A model that takes no images gets words instead
-- and, for a screenshot, the outline of the window's elements.

local crypto  = require "sys.crypto"
local picture = require "sys.picture"

local M = {}

M.KEPT = 3              -- the number of images that stay in the transcript
local OUTLINE = 1500    -- tokens of an outline

---@class agent.RawImage   an image as a tool returned it
---@field data string      base64
---@field mime_type string
---@field number integer   counts the images of the run
---@field place string     its mark in the text

---@class agent.Wanted     the images that a provider's models accept
---@field longest? integer  limit of the longest side, in pixels
---@field most? integer     limit of the file, in bytes
---@field types? string[]   media types


--- Returns the mark of an image, "[image 3: image/png]". The number counts the images of the run.
---@param number integer
---@param what string
---@return string
function M.place(number, what) return ("[image %d: %s]"):format(number, what) end


--- Replaces what the mark of an image says in the text, and notes the new mark in `place`.
local function say(text, image, what)
  local now = M.place(image.number, what)
  local at, stop = text:find(image.place, 1, true)
  image.place = now
  return at and text:sub(1, at - 1) .. now .. text:sub(stop + 1) or text
end


local function pixels(fitted, head)
  local size = ("%d x %d pixels"):format(fitted.width, fitted.height)
  if fitted.width == head.width and fitted.height == head.height then return size end
  return ("%s, scaled from %d x %d: multiply its pixel coordinates by %.4g"):format(size, head.width, head.height,
    head.width / fitted.width)
end


--- Returns one image as the model accepts it, or nil and why it is not shown.
---@param raw agent.RawImage
---@param wanted agent.Wanted
---@return agent.Image? image
---@return string what  its description in the mark
local function fit(raw, wanted)
  local bytes = crypto.unbase64(raw.data)
  if not bytes then return nil, "not shown: its data is not base64" end
  local head, err = picture.look(bytes)
  if not head then return nil, "not shown: " .. err end
  local fitted
  fitted, err = picture.fit(bytes, { longest = wanted.longest, most = wanted.most, types = wanted.types })
  if not fitted then return nil, "not shown: " .. err end
  local same = rawequal(fitted.bytes, bytes) or fitted.bytes == bytes
  return { data = same and raw.data or crypto.base64(fitted.bytes), mime_type = fitted.mime_type, width = fitted.width,
    height = fitted.height }, pixels(fitted, head)
end


--- Makes the images of an answer fit, and says in its text what the model is shown.
---@param answer {text: string, images?: agent.RawImage[]}
---@param wanted agent.Wanted
---@return string text
---@return agent.Image[]? images
function M.prepare(answer, wanted)
  local text, images = answer.text, {}
  for _, raw in ipairs(answer.images or {}) do
    local image, what = fit(raw, wanted)
    text = say(text, raw, what)
    if image then
      image.number, image.place = raw.number, raw.place
      images[#images + 1] = image
    end
  end
  return text, images[1] and images or nil
end


--- Does the same for a model that takes no images: says why none is shown, and lists the elements of a screenshot's window.
---@param answer {text: string, images?: agent.RawImage[], shows?: table}
---@param why string   "llama3.2 takes no images"
---@param outline? fun(shows: table): string?  reads the elements of the window in a screenshot
---@return string text
function M.words(answer, why, outline)
  local text = answer.text
  for _, raw in ipairs(answer.images or {}) do text = say(text, raw, "not shown, because " .. why) end
  local lines = answer.images and answer.shows and outline and outline(answer.shows)
  return lines and ("%s\nThe elements there, instead of an image:\n%s"):format(text, lines) or text
end


-- --- in the transcript -----------------------------------------------------------------------------

--- Puts the images of calls where their results are: in the results themselves, or with the last text of the user.
---@param messages agent.Message[]  the messages that go back to the model
---@param calls agent.Call[]
function M.attach(messages, calls)
  local by_id, rest = {}, {}
  for _, call in ipairs(calls) do by_id[call.id] = call.images end
  local last
  for _, message in ipairs(messages) do
    for _, result in ipairs(message.results or {}) do
      result.images, by_id[result.id] = by_id[result.id], nil
    end
    if message.role == "user" then last = message end
  end
  for _, call in ipairs(calls) do
    local images = by_id[call.id]
    if images then table.move(images, 1, #images, #rest + 1, rest) end
  end
  if last and #rest > 0 then last.images = rest end
end


--- Calls fn(holder, image, index) for every image, newest first; holder has the text.
local function each(messages, fn)
  for i = #messages, 1, -1 do
    local holders = messages[i].results or { messages[i] }
    for j = #holders, 1, -1 do
      local holder = holders[j]
      for k = #(holder.images or {}), 1, -1 do fn(holder, holder.images[k], k) end
    end
  end
end


local function remove(holder, image, index, what)
  holder.text = say(holder.text, image, what)
  table.remove(holder.images, index)
  if #holder.images == 0 then holder.images = nil end
end


--- Drops all but the newest images, and says so in the text.
---@param messages agent.Message[]
function M.forget(messages)
  local count = 0
  each(messages, function(holder, image, index)
    count = count + 1
    if count > M.KEPT then
      remove(holder, image, index, ("no longer shown: only the newest %d images are. To see it again, capture it again")
        :format(M.KEPT))
    end
  end)
end


--- Drops every image, because the model turned out to take none. Returns true if there was one.
---@param messages agent.Message[]
---@param why string
---@param outline? fun(): string?  reads the elements of the newest screenshot
---@return boolean
function M.blind(messages, why, outline)
  local any = false
  each(messages, function(holder, image, index)
    remove(holder, image, index, "not shown, because " .. why)
    local lines = not any and outline and outline()
    if lines then holder.text = ("%s\nThe elements there, instead of an image:\n%s"):format(holder.text, lines) end
    any = true
  end)
  return any
end


--- Returns the messages as the journal keeps them: with descriptions in place of images.
---@param messages agent.Message[]
---@return agent.Message[]
function M.told(messages)
  local function without(holder)
    if not holder.images then return holder end
    local copy = {}
    for key, value in pairs(holder) do copy[key] = value end
    copy.images = M.facts(holder.images)
    return copy
  end
  local list = {}
  for i, message in ipairs(messages) do
    local copy = without(message)
    for _, result in ipairs(message.results or {}) do
      if result.images then
        copy = { role = message.role, results = {} }
        for j, one in ipairs(message.results) do copy.results[j] = without(one) end
        break
      end
    end
    list[i] = copy
  end
  return list
end


--- Describes images without their data.
---@param images agent.Image[]?
---@return table[]?
function M.facts(images)
  local list
  for i, image in ipairs(images or {}) do
    list = list or {}
    list[i] = { mime_type = image.mime_type, width = image.width, height = image.height, base64 = #image.data }
  end
  return list
end


-- --- the outline in place of a screenshot -----------------------------------------------------------

--- Returns the arguments for the tool that reads the elements of a screenshot of this desktop; nil if the image is another.
---@param result sys.mcp.CallResult
---@param arguments table  the arguments of the call
---@return table?
function M.shows(result, arguments)
  local facts = type(result.structuredContent) == "table" and result.structuredContent or {}
  local files = type(facts.saved_files) == "table"
  if type(facts.image_id) ~= "string" and not files then return nil end
  local window = type(facts.window) == "string" and facts.window or nil
  local app = not window and type(arguments.app) == "string" and arguments.app or nil
  return { window = window, application = app, max_tokens = OUTLINE }
end


return M
