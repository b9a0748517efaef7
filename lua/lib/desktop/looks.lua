--- Windows for the examples of tools that wait: one, and how a list of them changes.

local M = {}


--- A window "Notes" of an editor, with some facts changed.
---@param more? table
---@return sys.window.Window
function M.window(more)
  local w = { pid = 7, started = 70, id = 3, kind = "normal", title = "Notes", app = "Editor", order = 0, workspace = 0,
              focused = false, on_screen = true, frame = { x = 100, y = 50, width = 400, height = 300 },
              content = { x = 100, y = 70, width = 400, height = 280 } }
  for key, value in pairs(more or {}) do w[key] = value end
  return w
end


--- For `given`: the windows at each look, a quarter of a second apart; the last ones stay.
---@param ... sys.window.Window[]
---@return table
function M.stubs(...)
  local lists, n = { ... }, 0
  return {
    ["sys.window.changed"] = "1", ["sys.time.monotonic"] = function() return n / 4 end,
    ["sys.window.list"] = function()
      n = n + 1
      return lists[math.min(n, #lists)]
    end,
  }
end


return M
