--- The work of the tools `analyze` and `image`, and of their commands, with a model: they choose it, ask it, and report
--- failures.

local ask      = require "vision.ask"
local capture  = require "screen.capture"
local choice   = require "vision.choice"
local elements = require "vision.elements"
local picture  = require "sys.picture"
local pictures = require "desktop.pictures"
local s        = require "schema"
local task     = require "sys.task"

local M = {}

M.TYPES = { "auto", "ollama", "openai", "anthropic", "gemini", "ocr" }
local CODES = { not_an_image = "INVALID_ARGUMENT", animated = "INVALID_ARGUMENT", bad_path = "INVALID_ARGUMENT",
  too_large = "IMAGE_TOO_LARGE", damaged = "INVALID_ARGUMENT", not_configured = "AI_NOT_CONFIGURED",
  not_built = "OCR_NOT_BUILT" }
local FILES = { not_found = true, not_a_file = true, is_a_folder = true, not_a_folder = true, permission_denied = true,
  not_granted = true, io_error = true, too_many_links = true, name_too_long = true }

--- The parameter that chooses the model.
---@return table
function M.config()
  return s.object({
    { "type", s.enum(M.TYPES, "Provider, one of the server's PEEKABOO_AI_PROVIDERS. auto: the first that is available. ocr: only "
      .. "recognize the text.", { optional = true, default = "auto" }) },
    { "model", s.string("Model name. Default: the server's.", { optional = true, minLength = 1, maxLength = 200 }) },
  }, "Which model to ask.", { optional = true })
end


M.CODES = {
  AI_NOT_CONFIGURED = "PEEKABOO_AI_PROVIDERS is not set.",
  PROVIDER_NOT_ENABLED = "PEEKABOO_AI_PROVIDERS does not have the requested provider.",
  NO_PROVIDER = "None of the configured providers is available; the second text says why.",
  IMAGE_TOO_LARGE = "The image has too many bytes or pixels.",
  MODEL_NOT_FOUND = "The provider does not have the model.",
  NO_IMAGES = "The model takes no images.",
  UNAUTHORIZED = "The provider refused the key.",
  RATE_LIMITED = "The provider limits the request rate.",
  UNREACHABLE = "The provider cannot be reached.",
  TIMEOUT = "The provider did not answer in time.",
  OCR_NOT_BUILT = "This build has no text recognition.",
}


--- A failure, with a code of these tools.
---@param err string
---@param code? string
---@param more? string
---@return nil, string, string, string?
function M.failed(err, code, more)
  return nil, err, CODES[code] or FILES[code] and "FILE_IO_ERROR" or (code or "request_failed"):upper(), more
end


--- The provider that a request means.
---@param config? {type?: string, model?: string}
---@return vision.Choice? choice
---@return string? err
---@return string? code
---@return string? why
function M.choose(config)
  local chosen, err, code, why = choice.choose(config)
  if chosen then return chosen end
  return M.failed(err, code, why)
end


---@param window sys.window.Ref
---@param from {origin: table, scale: number, width: integer, height: integer}
---@return vision.Shot
local function shot_of(window, from)
  return { window = { pid = window.pid, started = window.started, id = window.id }, origin = from.origin, scale = from.scale,
    width = from.width, height = from.height }
end


--- The answer to a question about an image file.
---@param path string
---@param question string
---@param config? {type?: string, model?: string}
---@return vision.Answer? answer
---@return string? err
---@return string? code
---@return string? why
function M.file(path, question, config)
  local file, err, code = picture.read(path)
  if not file then
    if code == "not_an_image" then
      err = ("Unsupported image format: %s. Supported formats: .png, .jpg, .jpeg, .webp."):format(err)
    end
    return M.failed(err, code)
  end
  local chosen, why, what, more = M.choose(config)
  if not chosen then return nil, why, what, more end
  local shot, known = pictures.of_file(file), nil
  if shot then known = elements.known(shot_of(shot.window, shot)) end
  local answer
  local image = { bytes = file.bytes, width = file.width, height = file.height, elements = known }
  answer, err, code = ask.ask(chosen, { image }, question)
  if not answer then return M.failed(err, code) end
  return answer
end


--- The images of a capture: the returned ones, and those that were only saved because they were too large to be returned.
---@param result screen.Captured
---@return vision.Image[]? images
---@return vision.Shot|string|nil shot_or_err  the shot of a single window
---@return string? code
local function images_of(result)
  local images, shot, has = {}, nil, {}
  for i, one in ipairs(result.pictures) do
    images[i] = { bytes = one.bytes, width = one.width, height = one.height, label = one.shot.label }
    shot = one.shot.window and shot_of(one.shot.window, one)
    if one.path then has[one.path] = true end
  end
  for _, saved in ipairs(result.saved_files) do
    if not has[saved.path] then
      local file, err, code = picture.read(saved.path)
      if not file then return nil, err, code end
      local known = pictures.of_file(file)
      images[#images + 1] = { bytes = file.bytes, width = file.width, height = file.height,
        label = saved.item_label }
      shot = known and shot_of(known.window, known)
    end
  end
  return images, #images == 1 and shot or nil
end


--- Captures images, and answers a question about them. The images are in the result even if the caller did not ask for them.
---@param request screen.Request
---@param question string
---@param config? {type?: string, model?: string}
---@param notes screen.Notes
---@return screen.Captured? result
---@return vision.Answer|string|nil answer_or_err
---@return string? code
---@return string? details
function M.captured(request, question, config, notes)
  local chosen, why, what, more = M.choose(config)
  if not chosen then return nil, why, what, more end
  local own = {}
  for key, value in pairs(request) do own[key] = value end
  -- An image that is not returned need not be larger than the model sees it.
  own.longest = not request.return_data and chosen.provider and chosen.provider.images.longest or nil
  own.return_data = true
  local reading
  function own.on_shots(shots)
    local only = #shots == 1 and shots[1].window
    if only then reading = task.spawn(elements.read, only) end   -- beside the capture
  end
  local result, err, code, details = capture.run(own, notes)
  if not result then
    if reading then reading:cancel() end
    return nil, err, code, details
  end
  local images, shot, answer
  images, shot, code = images_of(result)
  if not images then return M.failed(shot --[[@as string]], code) end
  if shot and reading then
    local snapshot, failure = reading:join()
    if not snapshot then notes:debug(("The window's elements are not known: %s"):format(failure)) end
    images[1].elements = elements.shown(snapshot, shot)
  end
  answer, err, code = ask.ask(chosen, images, question)
  if answer then return result, answer end
  local saved = {}
  for i, file in ipairs(result.saved_files) do saved[i] = file.path end
  if #saved > 0 then err = ("%s The image was saved to %s."):format(err, table.concat(saved, ", ")) end
  return M.failed(err, code)
end


return M
