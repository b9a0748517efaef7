--- In place of the real one: counts the characters.
local s = require "schema"

return {
  description = "Write text in the rectangle drawn last.",
  inputSchema = s.object { { "text", s.string "The exact text." } },
  run = function(args) return ("TEXT_OK: id=R1, characters=%d"):format(utf8.len((args.text:gsub("¦", "|")))) end,
}
