-- Fills a form once for every row of a CSV file: each value into a field, Tab to the next, Return at the end.
--
--   perigee run examples/scripts/fill_form.lua guests.csv --window Guests

local csv     = require "sys.csv"
local fs      = require "sys.fs"
local input   = require "sys.input"
local names   = require "desktop.names"
local options = require "options"
local perigee = require "perigee"
local screen  = require "sys.screen"
local time    = require "sys.time"
local window  = require "sys.window"

local given, status = options.read(perigee.args, {
  usage = "perigee run fill_form.lua --window TITLE [options] FILE.csv",
  about = "Types each row of FILE.csv into the form in a window. The form's first field must have keyboard focus. It types a "
       .. "value, Tab, the next value and, at the end, the keys that send the form. Then it waits until the form looks as empty "
       .. "as at the start. The first row of the file names the columns. It stops as soon as another window is in front, so "
       .. "that nothing is typed into the wrong window.",
  { "window", "string", "the window: its title, or a resource name from list_windows" },
  { "columns", "string", "only these columns, in this order: name,city", absent = "all columns of the file" },
  { "next", "string", "keys that go to the next field", default = "Tab" },
  { "send", "string", "keys that send the form", default = "Return" },
  { "from", "integer", "first row to type; 1 is the row after the heading", default = 1, minimum = 1 },
  { "wait", "number", "time until the form must be empty again, in seconds; 0 does not wait", default = 5, minimum = 0,
    maximum = 60 },
  { "dry-run", "flag", "only print what would be typed" },
})
if not given then return status end
if not given[1] or not given.window then
  print "The CSV file or --window is missing. Pass both; see --help."
  return 2
end


--- Which columns are typed, by number.
local function chosen(heading)
  local numbers = {}
  if not given.columns then
    for i = 1, #heading do numbers[i] = i end
    return numbers
  end
  for name in given.columns:gmatch "[^,]+" do
    for i, title in ipairs(heading) do
      if title:lower() == name:lower() then numbers[#numbers + 1] = i end
    end
    if not heading[numbers[#numbers]] then error(("%s has no column %q"):format(given[1], name), 0) end
  end
  return numbers
end


--- The rows as lists of what is typed. A line end or tab in a value would leave its field, so it is refused before anything
--- is typed.
local function plan(rows)
  local columns, jobs = chosen(rows[1]), {}
  for number = given.from, #rows - 1 do
    local values = {}
    for i, column in ipairs(columns) do
      local value = rows[number + 1][column] or ""
      if value:find "[\t\r\n]" then
        error(("row %d, %s: the value contains a line end or a tab, which would leave the field. Remove it"):format(
          number, rows[1][column]), 0)
      end
      values[i] = value
    end
    jobs[#jobs + 1] = { number = number, values = values }
  end
  return jobs
end


local function must(done, err, ...)
  if not done then error(err, 0) end
  return done, err, ...
end


--- The form must still be in front: a dialog, or another application's window, gets nothing.
local function check_front(form, job)
  local now = must(window.get(form))
  if not now.focused then
    error(("row %d: %q is no longer in front. Continue with --from %d"):format(job.number, now.title, job.number), 0)
  end
end


local function look(form)
  return must(screen.capture { window = form, content_only = true }).bytes
end


--- How the empty form looks: twice the same, because it may still be drawing.
local function settled(form)
  local before, now = nil, look(form)
  while now ~= before do
    time.sleep(0.1)
    before, now = now, look(form)
  end
  return now
end


--- Programs take a moment to empty a form, and text typed before that would go into the old one. A blinking cursor looks the
--- same again at some moment.
local function await_empty(form, empty, job)
  local deadline = time.monotonic() + given.wait
  while look(form) ~= empty do
    if time.monotonic() > deadline then
      error(("row %d: the form is not empty after %g s. If it never looks empty, use --wait 0"):format(job.number, given.wait), 0)
    end
    time.sleep(0.03)
  end
end


local function fill(form, job)
  for i, value in ipairs(job.values) do
    check_front(form, job)
    if i > 1 then must(input.keys(given.next)) end
    if value ~= "" then must(input.type(value)) end
  end
  check_front(form, job)
  must(input.keys(given.send))
end


local function main()
  local jobs = plan(must(csv.decode(must(fs.read(given[1])))))
  local form = not given.dry_run and must(names.find_window(given.window))
  if form then
    local focused = must(window.focus(form))
    if not focused.done then error(focused.note, 0) end
  end
  local empty = form and given.wait > 0 and settled(form)
  for _, job in ipairs(jobs) do
    print(("%4d  %s"):format(job.number, table.concat(job.values, " | ")))
    if form then fill(form, job) end
    if empty then await_empty(form, empty, job) end
  end
  print(("%d row%s %s."):format(#jobs, #jobs == 1 and "" or "s", form and "typed" or "would be typed"))
end


local done, why = pcall(main)
if not done then
  print(why)
  return 1
end
