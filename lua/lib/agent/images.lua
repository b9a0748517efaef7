--- Images that tools return, on their way to the model.
--
-- An image is made to fit what the model takes. In the text it has a place of its own, "[image 3: 800 x 600 pixels]", which
-- says at any time what became of it. The newest few stay in the transcript; older ones are dropped there. A model
-- without sight gets words instead and, for a screenshot, the outline of the window's elements.

local crypto  = require "sys.crypto"
local picture = require "sys.picture"

local M = {}

M.KEPT = 3              -- images in the transcript
local OUTLINE = 1500    -- tokens of an outline

---@class agent.RawImage   as a tool returned it
---@field data string      base64
---@field mime_type string
---@field number integer   of the images of the run
---@field place string     its place in the text

---@class agent.Wanted     what a provider's models take
---@field longest? integer  pixels of the longest side
---@field most? integer     bytes of the file
---@field types? string[]   media types


--- "[image 3: image/png]"; the number is the run's.
---@param number integer
---@param what string
---@return string
function M.place(number, what) return ("[image %d: %s]"):format(number, what) end


--- The text with the place of an image saying something else; `place` goes on to name it.
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


--- One image as the model takes it, or nil and why it is not shown.
---@param raw agent.RawImage
---@param wanted agent.Wanted
---@return agent.Image? image
---@return string what  of it
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


--- The same for a model without sight: why it is shown no image, and what the window of a screenshot consists of.
---@param answer {text: string, images?: agent.RawImage[], shows?: table}
---@param why string   "llama3.2 takes no images"
---@param outline? fun(shows: table): string?  reads the elements of what a screenshot shows
---@return string text
function M.words(answer, why, outline)
  local text = answer.text
  for _, raw in ipairs(answer.images or {}) do text = say(text, raw, "not shown, because " .. why) end
  local lines = answer.images and answer.shows and outline and outline(answer.shows)
  return lines and ("%s\nThe elements there, instead of an image:\n%s"):format(text, lines) or text
end


-- --- in the transcript -----------------------------------------------------------------------------

--- Puts the images of calls where their results are: in the results themselves, or with the last text of the user.
---@param messages agent.Message[]  that go back to the model
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


--- Drops all but the newest images, in words.
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


--- Drops every image, because the model turned out to be without sight. Gives whether there was one.
---@param messages agent.Message[]
---@param why string
---@param outline? fun(): string?  of what the newest of them shows
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


--- Messages as the journal keeps them: of an image only what it is.
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


--- What images are, without their data.
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


-- --- the outline instead --------------------------------------------------------------------------

--- What a result shows, if it is a screenshot of this desktop: arguments for the tool that reads elements. nil: another image.
---@param result sys.mcp.CallResult
---@param arguments table  of the call
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
