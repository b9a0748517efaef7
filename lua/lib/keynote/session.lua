--- The parts that the keynote tools share: the state of the last calls and the words of their answers.
--
-- The answers are a grammar that callers read: KEYNOTE_READY, SLIDE_SIZE, RECTANGLE_OK, TEXT_OK, SCREENSHOT_SAVED, ERROR.

local driver = require "keynote.driver"
local state  = require "sys.state"

local M = {}

--- The names of the program, one application, for the `about` of the tools.
M.NAMES = { "Keynote", "com.apple.Keynote", "com.apple.iWork.Keynote", "libreoffice-impress", "LibreOffice Impress", "soffice" }


--- The state: last_rectangle_id, last_slide_dims = {width, height}, document. It outlives a reload.
---@return table
function M.state()
  local mine = state.open "keynote"
  mine.last_slide_dims = mine.last_slide_dims or {}
  return mine
end


--- Whole numbers without a fraction, others with at most two decimals.
---@param n number
---@return string
function M.number(n)
  local rounded = math.floor(n * 100 + 0.5) / 100
  if rounded == math.floor(rounded) then return ("%d"):format(math.floor(rounded)) end
  return (("%.2f"):format(rounded):gsub("0+$", ""))
end


--- A failure in the words of the grammar.
---@param err string
---@param code? string
function M.fail(err, code)
  return nil, "ERROR: " .. err, code or "failed"
end


--- Runs a step with the current driver. Its failure becomes the tool's failure.
---@param step string  the driver's function
---@return table? result
---@return string? err  with "ERROR: "
---@return string? code
function M.drive(step, ...)
  local program, err, code = driver.current()
  if not program then return M.fail(err, code) end
  local result
  result, err, code = program[step](...)
  if result then return result end
  if code == "no_document" or code == "not_found" then
    local mine = M.state()
    mine.last_rectangle_id = nil
    if code == "no_document" then mine.document = nil end
  end
  return M.fail(err, code)
end


--- The answer: a block of text with its line, which is all that the grammar has, and a block for each warning after it.
---@param call Call
---@param line string
---@param warnings? string[]
function M.answer(call, line, warnings)
  if not warnings or #warnings == 0 then return line end
  local content = { { type = "text", text = line } }
  for _, warning in ipairs(warnings) do
    content[#content + 1] = { type = "text", text = "NOTE: " .. warning }
  end
  return call:result { content = content }
end


return M
