--- Commands that check the script which they read, and run none of it: for the tool that validates scripts, and for the policy,
--- which does not ask about them.
--
-- Each is complete as it is here. With any other word it is another command, and judged as such.

local M = {}

--- Parses and compiles Python without running it. The text is the standard input and never a file of the source, so no declared
--- encoding is looked up. Nobody's module is imported: the interpreter is started without the user's and the site's folders.
local PYTHON = [[
import ast, json, sys, warnings

def place(each):
    return {"line": each.lineno or 1, "column": max(each.offset or 1, 1), "message": each.msg}

found, told = [], []
with warnings.catch_warnings(record=True) as noted:
    warnings.simplefilter("always")
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
        text = text[1:] if text[:1] == chr(0xFEFF) else text  # the mark that a file may begin with
        compile(ast.parse(text, "<script>"), "<script>", "exec", dont_inherit=True)
    except SyntaxError as error:
        found.append(place(error))
    except (RecursionError, MemoryError):
        found.append({"line": 1, "column": 1, "message": "the script nests too deeply for Python's parser"})
    except ValueError as error:
        found.append({"line": 1, "column": 1, "message": str(error)})
    told = [{"line": each.lineno, "column": 1, "message": str(each.message)} for each in noted]
print(json.dumps({"errors": found, "warnings": told}))
]]

-- -n: read, do not run. -I: no variables, no folder of the user or of the script. -S: no site, so no sitecustomize. -B: writes
-- no compiled files.
M.shell = { "/bin/sh", "-n" }
M.python = { "python3", "-I", "-S", "-B", "-c", PYTHON }

-- On a Mac. They read their standard input, as they are given no file, and what they compile is thrown away.
M.applescript = { "osacompile", "-l", "AppleScript", "-o", "/dev/null" }
M.javascript = { "osacompile", "-l", "JavaScript", "-o", "/dev/null" }

local ALL = { M.shell, M.python, M.applescript, M.javascript }


local function equal(one, other)
  if #one ~= #other then return false end
  for i, word in ipairs(one) do
    if word ~= other[i] then return false end
  end
  return true
end


--- True if a command is one of these, word by word.
---@param argv string[]
---@return boolean
function M.is(argv)
  for _, each in ipairs(ALL) do
    if equal(argv, each) then return true end
  end
  return false
end


return M
