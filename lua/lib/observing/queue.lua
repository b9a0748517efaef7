--- A queue of events, in order and numbered from 1. It has a limit; new events replace the oldest.

local M = {}

---@class observing.Queue
---@field most integer   events that are kept
---@field last integer   number of the newest; 0: nothing happened yet
---@field first integer  number of the oldest that is kept
---@field by_number table<integer, observing.Event>


---@param most integer
---@return observing.Queue
function M.new(most) return { most = most, last = 0, first = 1, by_number = {} } end


---@param queue observing.Queue
---@param event observing.Event
function M.push(queue, event)
  queue.last = queue.last + 1
  event.number = queue.last
  queue.by_number[queue.last] = event
  if queue.last - queue.first < queue.most then return end
  queue.by_number[queue.first] = nil
  queue.first = queue.first + 1
end


--- The events after a number, oldest first, and how many of those are no longer kept. The same events can be read repeatedly.
---@param queue observing.Queue
---@param after integer   0: all that are kept; the others count as missed
---@param limit integer
---@return observing.Event[] events
---@return integer next    the number of the last one: go on after it
---@return integer missed
function M.read(queue, after, limit)
  local from = math.max(after + 1, queue.first)
  local to = math.min(queue.last, from + limit - 1)
  local events = {}
  for n = from, to do events[#events + 1] = queue.by_number[n] end
  return events, math.max(after, to), from - after - 1
end


return M
