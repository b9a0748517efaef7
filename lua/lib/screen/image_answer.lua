--- The answers of the tool image: the files and images, and a model's answer about them.

local answer  = require "screen.answer"
local json    = require "sys.json"
local quoting = require "desktop.quoting"
local vision  = require "screen.vision"

local M = {}


--- "Captured 2 windows of Text Editor." and the files, one line for each.
---@param result table  a result of screen.capture
---@return string
function M.summary(result)
  local count, thing = result.taken, result.mode == "screen" and "display" or "window"
  local app = result.mode ~= "screen" and result.app and " of " .. quoting.name(result.app.name) or ""
  local lines = { ("Captured %d %s%s%s."):format(count, thing, count == 1 and "" or "s", app) }
  for _, file in ipairs(result.saved_files) do lines[#lines + 1] = ("%s: %s"):format(quoting.name(file.item_label), file.path) end
  if result.temporary and #result.saved_files > 0 then
    lines[#lines + 1] = "Temporary files are removed after an hour. To keep a file, pass path."
  end
  return table.concat(lines, "\n")
end


--- The block of an image. Its facts are also in `_meta`, because some clients drop members of content that the protocol does
--- not define.
---@param call Call
---@return table
function M.block(call, picture)
  local image = call:image(picture.bytes, picture.mime_type)
  image.metadata = { item_label = picture.shot.label, window_title = picture.shot.title, window_id = picture.shot.id,
    source_path = picture.path }
  image._meta = image.metadata
  return image
end


--- The answer to a question about the captured images.
---@param args screen.Request|{question: string, provider_config?: table}
---@param call Call
function M.asked(args, call, said)
  if not args.question:find "%S" then return answer.failure("The question is empty. Ask one.", "INVALID_ARGUMENT", nil, said) end
  local result, got, code, details = vision.captured(args, args.question, args.provider_config, said)
  if not result then
    if vision.CODES[code] then return answer.refusal(call, got --[[@as string]], code, details, said) end
    return answer.failure(got --[[@as string]], code, details, said)
  end
  local blocks = {}
  for i, picture in ipairs(args.return_data and result.pictures or {}) do blocks[i] = M.block(call, picture) end
  local facts = { saved_files = json.array(result.saved_files), analysis_text = got.text, model_used = got.model_used }
  return answer.success(call, { got.text, #result.saved_files > 0 and M.summary(result) or nil }, blocks, facts, said)
end


return M
