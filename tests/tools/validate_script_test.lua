--- Cases of validate_script beside the examples in its file.

local HERE = { ["scripting.here.has_osascript"] = false }

return {
  { "a misspelt word, with the word that was meant", args = { script = "retrun 5" }, given = HERE,
    want = { valid = false, errors = { { line = 1, column = 1, code = "misspelt", nearest = { "return" } } } } },
  { "a fault without a word that was meant", args = { script = "set x 5" }, given = HERE,
    want = { valid = false, errors = { { line = 1, code = "missing_to" } } }, has = { "This 'set' has no 'to'" } },
  { "words that a scripting addition could explain", args = { script = "set x to odd thing" }, given = HERE,
    want = { valid = true, checked = "structure", warnings = { { line = 1, column = 10, code = "unknown_term" } } } },
}
