--- The course of a run: the numbers of its steps and rows, and which of them a resumed run leaves out.
--
-- Steps are numbered in the order in which they are done. In a loop of rows each row begins with the same number.

local M = {}

---@class macros.Resume
---@field step integer
---@field row? integer
---@field last? boolean  from where the run stopped

---@class macros.Course
---@field step integer   the latest step
---@field row? integer   in a loop: the row
---@field private resume? macros.Resume  nil: nothing is left out any more
local Course = {}
Course.__index = Course


---@param resume? macros.Resume
---@return macros.Course
function M.new(resume) return setmetatable({ step = 0, resume = resume, loops = 0 }, Course) end


--- Reads where to resume: "4", "row 3", "row 3 step 4", or "last" with the state of the run that stopped.
---@param text string
---@param state? macros.State
---@return macros.Resume? resume
---@return string? err
function M.read(text, state)
  if text == "last" then return state and { step = state.step, row = state.row, last = true } or nil end
  local row, step = text:match "^row (%d+) step (%d+)$"
  row, step = row or text:match "^row (%d+)$", step or text:match "^(%d+)$" or "1"
  row, step = row and math.tointeger(tonumber(row)), math.tointeger(tonumber(step))
  if not step or step < 1 or row and row < 1 or not text:find "^%w[%w ]*$" or not (row or text:find "^%d+$") then
    return nil, ('"%s" does not name a place in a macro. Use a step\'s number, "row 3", "row 3 step 4" or "last"'):format(text)
  end
  if not row and state and state.row and step == state.step then row = state.row end
  return { step = step, row = row }
end


--- Goes on to the next step.
---@return integer step
---@return boolean left_out  true: it was done before
function Course:next()
  self.step = self.step + 1
  local resume = self.resume
  if not resume then return self.step, false end
  local in_row = not resume.row or self.row ~= nil and self.row >= resume.row
  local reached = in_row and (self.row ~= nil and resume.row ~= nil and self.row > resume.row or self.step >= resume.step)
  if reached then self.resume = nil end
  return self.step, not reached
end


--- Returns an iterator over rows: it leaves out those that were done.
---@param rows table[]
---@return fun(): table?
function Course:rows(rows)
  self.loops = self.loops + 1
  local base, most, at = self.step, self.step, 0
  local first = self.resume and self.resume.row or 1
  return function()
    most = math.max(most, self.step)
    at = math.max(at + 1, first)
    local row = rows[at]
    if row then
      self.step, self.row = base, at
      return row
    end
    self.step, self.row = most, nil
    if self.resume and self.resume.row then self.resume = nil end   -- its row is behind
  end
end


--- "step 3", "step 3 of row 2".
---@param step integer
---@param row? integer
---@return string
function M.called(step, row) return row and ("step %d of row %d"):format(step, row) or ("step %d"):format(step) end


--- "All 3 steps are done."
---@param count integer
---@return string
function M.all_done(count) return count == 1 and "The step is done." or ("All %d steps are done."):format(count) end


return M
