--- Cases of capture_region_screenshot beside the examples in its file.

--- Stand-ins for the examples: an earlier screenshot, and what is captured now.
local function seen(picture, same)
  return {
    ["desktop.pictures.get"] = { image_id = "image-1", marks = "m" }, ["desktop.pictures.same_thing"] = same,
    ["desktop.pictures.keep"] = "image-2", ["desktop.pictures.keep_part"] = "image-3", ["sys.screen.capture"] = picture,
  }
end


local NOW = { size = 3, mime_type = "image/png", width = 400, height = 200, marks = "n", origin = { x = 10, y = 20 }, scale = 2 }


local function now(more)
  local picture = {}
  for key, value in pairs(NOW) do picture[key] = value end
  for key, value in pairs(more) do picture[key] = value end
  return picture
end


---@type ToolExample[]
return {
  { "only what changed since",
    given = seen(now { changes = { { x = 32, y = 16, width = 48, height = 16, bytes = "PNG" } } }, true),
    args  = { x = 10, y = 20, width = 200, height = 100, max_size = 0, since = "image-1" },
    want  = { image_id = "image-2", changes = { { image_id = "image-3", x = 32, y = 16, width = 48, height = 16 } } },
    has   = { "image-2 of the region", "changed in 1 region since image-1. Only that is returned.",
              "image-3: 48 x 16 pixels at 32, 16 of the whole." } },
  { "nothing changed since",
    given = seen(now { changes = {}, size = 0 }, true),
    args  = { x = 10, y = 20, width = 200, height = 100, max_size = 0, since = "image-1" },
    want  = { changes = {}, size = 0 },
    has   = { "Nothing changed in the region of 200 x 100 points at 10, 20 since image-1." } },
  { "another region than that of the earlier screenshot",
    given = seen(function(options) return now { bytes = "PNG", changes = options.since and {} or nil } end, false),
    args  = { x = 10, y = 20, width = 200, height = 100, max_size = 0, since = "image-1" },
    has   = { "this is the whole screenshot", "400 x 200 pixels, PNG" } },
}
