--- Moves the files that arrive in a folder to others, by rules, once they are complete. Nothing is ever replaced: a second
--- "report.pdf" becomes "report (2).pdf". UNDO takes the last move back.
--
-- The folder has to be granted: `perigee serve --grant ~/Downloads`.

local fs     = require "sys.fs"
local hotkey = require "sys.hotkey"
local path   = require "sys.path"
local store  = require "sys.store"
local time   = require "sys.time"

-- --- options ------------------------------------------------------------------------------------------

local FOLDER = path.expand "~/Downloads"
local QUIET = 3              -- seconds without a change until a file counts as complete
local UNDO = "ctrl+meta+b"
local MOVES = 200            -- that can be taken back

--- The first rule that fits counts: a pattern for the name in small letters, or endings. Folders are below FOLDER.
local RULES = {
  { pattern = "^screen ?shot", to = "Screenshots" },
  { endings = "jpg jpeg png gif webp svg heic", to = "Images" },
  { endings = "pdf doc docx odt txt md epub", to = "Documents" },
  { endings = "csv xls xlsx ods", to = "Tables" },
  { endings = "mp3 flac ogg wav mp4 mkv mov", to = "Media" },
  { endings = "zip gz xz zst 7z tar dmg deb iso", to = "Archives" },
}

--- Names of files that another program still writes, or of which it wants to be the only reader.
local UNFINISHED = { "^%.", "%.part$", "%.crdownload$", "%.download$", "%.tmp$", "~$" }


-- --- rules --------------------------------------------------------------------------------------------

--- The folder for a file; nil: it stays.
local function target_of(name)
  local lower = name:lower()
  for _, pattern in ipairs(UNFINISHED) do
    if lower:find(pattern) then return nil end
  end
  local ending = path.extension(lower):sub(2)
  for _, rule in ipairs(RULES) do
    if rule.pattern and lower:find(rule.pattern)
      or rule.endings and ending ~= "" and (" " .. rule.endings .. " "):find(" " .. ending .. " ", 1, true) then
      return path.join(FOLDER, rule.to)
    end
  end
end


--- Moves a file to a name in a folder that is free, and returns that. Two programs cannot both get a name: rename() refuses.
local function move(from, folder, name)
  assert(fs.make_folder(folder))
  local number = 1
  while true do
    local free = number == 1 and name or ("%s (%d)%s"):format(path.stem(name), number, path.extension(name))
    local ok, err, code = fs.rename(from, path.join(folder, free))
    if ok then return path.join(folder, free) end
    if code ~= "exists" then return nil, err end
    number = number + 1
  end
end


-- --- moving -------------------------------------------------------------------------------------------

local kept = store.open "file_sorter"   -- "moves": { from =, to = }, the last one last; "left": files that were taken back


--- What makes a file the same one again, wherever it is.
local function mark_of(name, stat) return ("%s %d %.3f"):format(name, stat.size, stat.modified) end


local function was_taken_back(name, stat)
  for _, mark in ipairs(kept:get "left" or {}) do
    if mark == mark_of(name, stat) then return true end
  end
end


--- Adds to a list in the store, whose oldest item goes if it is full.
local function note(key, item)
  assert(kept:update(key, function(list)
    list = list or {}
    list[#list + 1] = item
    if #list > MOVES then table.remove(list, 1) end
    return list
  end))
end


--- Takes a move out of the list.
local function drop(move_back)
  assert(kept:update("moves", function(moves)
    for i = #moves, 1, -1 do
      if moves[i].to == move_back.to then table.remove(moves, i) end
    end
    return moves
  end))
end


local function start(context)
  local watched = {}   -- the names of files that are not complete yet

  --- Looks at a file until it does not change any more, and moves it then.
  local function watch(name, folder, before)
    local file = path.join(FOLDER, name)
    local stat = fs.stat(file)
    if not stat or stat.kind ~= "file" or was_taken_back(name, stat) then
      watched[name] = nil
    elseif not before or before.size ~= stat.size or before.modified ~= stat.modified then
      time.after(QUIET, function() watch(name, folder, stat) end)
    else
      watched[name] = nil
      local to, err = move(file, folder, name)
      if to then note("moves", { from = file, to = to }) end
      context.log(to and ("%s -> %s"):format(name, path.relative(to, FOLDER)) or err)
    end
  end

  local function consider(name)
    local folder = target_of(name)
    if not folder or watched[name] then return end
    watched[name] = true
    watch(name, folder)
  end

  local function consider_all()
    for _, entry in ipairs(assert(fs.list(FOLDER))) do consider(entry.name) end
  end

  local function undo()
    local moves = kept:get "moves" or {}
    local last = moves[#moves]
    local stat = last and fs.stat(last.to)
    if stat then note("left", mark_of(path.name(last.from), stat)) end   -- first, or it would be moved again
    local ok, err = nil, "there is nothing to take back"
    if last then ok, err = fs.rename(last.to, last.from) end
    context.log(ok and ("%s is back"):format(last.from) or err)
    if ok or last and not stat then drop(last) end
  end

  assert(fs.watch(FOLDER, nil, function(event)
    if event.what == "dropped" then return consider_all() end
    if event.what ~= "removed" then consider(path.name(event.path)) end
  end))
  assert(hotkey.bind(UNDO, undo))
  consider_all()
end


---@type Service
return {
  description = "Sorts new files into folders.",
  start       = start,

  examples = {
    { "moves a file that is complete, and back", log = { "report.pdf -> Documents/report.pdf", FOLDER .. "/report.pdf is back" },
      events = { { "fs.watch", { what = "created", path = FOLDER .. "/report.pdf" } }, { "time.after 3" }, { "hotkey.bind" } },
      given = { ["sys.fs.list"] = {}, ["sys.fs.stat"] = { kind = "file", size = 9, modified = 1795700000 },
                ["sys.fs.make_folder"] = true, ["sys.fs.rename"] = true } },
    { "waits for one that grows, and replaces nothing", log = { "a.csv -> Tables/a (2).csv" },
      events = { { "fs.watch", { what = "created", path = FOLDER .. "/a.csv" } }, { "time.after 3" }, { "time.after 3" } },
      given = { ["sys.fs.list"] = {}, ["sys.fs.make_folder"] = true,
                ["sys.fs.stat"] = { { kind = "file", size = 1, modified = 1 }, { kind = "file", size = 2, modified = 2 },
                                    { kind = "file", size = 2, modified = 2 } },
                ["sys.fs.rename"] = { { n = 3, false, "it exists", "exists" }, true } } },
    { "leaves downloads alone that go on", events = { { "fs.watch", { what = "created", path = FOLDER .. "/a.pdf.part" } } },
      given = { ["sys.fs.list"] = {} }, did = { "fs.list" } },
  },
}
