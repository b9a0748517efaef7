--- Cases of system_events_get_processes beside the examples in its file.

local function said(text) return { ["common.system.is_mac"] = true, ["sys.osascript.run"] = text } end

return {
  { "a row with a number that is none, behind a good one, is an answer that cannot be read", args = {},
    given = said "9\31com.apple.TextEdit\31false\31true\31TextEdit\030x\31\31true\31true\31Odd\030",
    err = 'The answer of system_events_get_processes cannot be read: "x??true?true?Odd"', code = "BAD_ANSWER" },
}
