--- Cases of screenshot_slide beside the examples in its file.

local USUAL = "/tmp/mcp_keynote_slide.png"

--- A presentation that is exported where SCREENSHOT_PATH says. of_directory: a stranger's `.env` may have set it; granted: it is
--- in a directory that is granted for writing; warnings: those of the export.
local function given(of_directory, granted, warnings)
  return {
    ["sys.env.get"] = "/home/ann/wedding.png",
    ["dotenv.of_directory"] = of_directory,
    ["sys.fs.resolve"] = function(path, options) if granted and options.write then return path end end,
    ["sys.picture_file.look"] = function(path) return { path = path, kind = "picture" } end,
    ["keynote.driver.current"] = { export = function(_, path) return { path = path, warnings = warnings } end },
  }
end


---@type ToolExample[]
return {
  { "where the user's setting says", given = given(false), args = {}, want = "SCREENSHOT_SAVED: path=/home/ann/wedding.png" },
  { "not where a setting of the working directory says, which may be a stranger's", given = given(true), args = {},
    has = { "SCREENSHOT_SAVED: path=" .. USUAL,
      'NOTE: SCREENSHOT_PATH is "/home/ann/wedding.png" by .env of the working directory',
      "Pass path, or set it in ~/.config/perigee/.env." } },
  { "with the notes of the export", given = given(true, false, { "It was slow." }), args = {},
    has = { "NOTE: SCREENSHOT_PATH is", "NOTE: It was slow." } },
  { "where such a setting says in a directory that is granted for writing", given = given(true, true), args = {},
    want = "SCREENSHOT_SAVED: path=/home/ann/wedding.png" },
  { "where the call says, whatever the setting is", given = given(true), args = { path = "/home/ann/slide.png" },
    want = "SCREENSHOT_SAVED: path=/home/ann/slide.png" },
}
